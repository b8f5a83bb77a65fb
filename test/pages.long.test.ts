import { expect, it } from 'vitest';
import { runOps } from './support/commands.ts';
import { pages } from './support/pages.ts';
import { createFolders } from './support/start-folders.ts';

it('every local example runs as printed, one after the other', async () => {
  const folders = createFolders();
  const examples = [...[...pages.values()].join('\n').matchAll(/^npm run ops -- (.*--local.*?)(?: +#.*)?$/gm)];
  expect(examples.length).toBeGreaterThan(2);
  for (const [example, call = ''] of examples) {
    const { code, stderr } = await runOps([...call.split(' '), '--state', folders.state, '--out', folders.out]);
    expect({ example, code, stderr: code === 0 ? '' : stderr }).toEqual({ example, code: 0, stderr: '' });
  }
});
