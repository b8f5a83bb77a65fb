import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Puts a terminal in place of standard input until the test ends, at which these keys are typed; without any it is none. */
export function typeOnTerminal(keys: string | null): void {
  const standardInput = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  const input = Object.assign(new PassThrough(), { isTTY: keys !== null });
  Object.defineProperty(process, 'stdin', { configurable: true, value: input });
  input.write(keys ?? '');
  onTestFinished(() => void Object.defineProperty(process, 'stdin', standardInput));
}
