/** In place of `node:timers/promises`, where it is not tested how long a pause is. */
export const timers = {
  setTimeout: <T>(ms = 0, value?: T): Promise<T | undefined> =>
    new Promise((resolve) => void setTimeout(() => resolve(value), Math.min(ms, 1))),
};
