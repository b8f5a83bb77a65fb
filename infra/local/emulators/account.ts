/** The region of the embedded parts, and of the functions that the embedded Lambda starts. */
export const region = 'eu-west-1';

/** The made-up account of the embedded parts. */
export const accountId = '123456789012';
