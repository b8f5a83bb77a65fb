import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

test('a command whose output nobody reads any more ends quietly', { timeout: 60_000 }, async () => {
  const program = ['infra/ops/main.ts', '--help'];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect({ code, said }).toEqual({ code: 0, said: '' });
});
