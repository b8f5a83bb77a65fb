import { expect, test } from 'vitest';
import lockfile from '../../package-lock.json' with { type: 'json' };

test('the Node that runs everything is in the lockfile, a package a platform, each with its integrity', () => {
  const packages: Record<string, { version?: string; integrity?: string; bin?: object }> = lockfile.packages;
  const nodes = Object.keys(packages).filter((path) => 'node' in (packages[path]?.bin ?? {}));
  expect(nodes).toContainEqual(expect.stringMatching(`-${process.platform}-${process.arch}$`));
  expect(nodes.filter((path) => !packages[path]?.integrity?.startsWith('sha512-'))).toEqual([]);
  // It installs the binary with another call of npm, which no lockfile binds.
  expect(nodes).not.toContain('node_modules/node');
});
