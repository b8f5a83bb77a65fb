import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A screen that nobody sees, for programs that need one. */
export interface Screen {
  /** The value of the variable `DISPLAY`, such as ":99". */
  name: string;
  close(): Promise<void>;
}

/** Starts Xvfb with a screen of this size in pixels. Throws where it does not start. */
export async function startScreen(width: number, height: number): Promise<Screen> {
  // It writes the number of the display that it found free to this descriptor.
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  const number = child.stdio[3];
  if (number === null || number === undefined) throw new Error('Xvfb has no pipe for its number.');
  const first = await Promise.race([once(number, 'data'), ended]);
  if (child.exitCode !== null) throw new Error('Xvfb did not start.');
  return {
    name: `:${String(first[0]).trim()}`,
    close: async () => {
      child.kill();
      await ended;
    },
  };
}
