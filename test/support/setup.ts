import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// The folder for temporary files is one of each test file's own, which is gone after its tests.
const above = tmpdir();
const folder = mkdtempSync(join(above, 'digest-test-'));
process.env['TMPDIR'] = folder;

afterAll(async () => {
  process.env['TMPDIR'] = above;
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});
