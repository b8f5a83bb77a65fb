import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, which is removed after the tests of the file. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'digest-'));
