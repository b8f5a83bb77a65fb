/** The region that the embedded parts stand for. Functions started by the embedded Lambda are told the same one. */
export const region = 'eu-west-1';

/** The made-up account of the embedded parts. */
export const accountId = '123456789012';
