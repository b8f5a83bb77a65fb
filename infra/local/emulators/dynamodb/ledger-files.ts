import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { isLogWhole } from './level-log.ts';
import { damagedState, storageErrorOf } from '../storage-error.ts';

/**
 * Checks that a ledger's database can be opened with everything in it. Dynalite opens it with its first request and then
 * throws where nobody can catch it; and LevelDB silently starts afresh, without what it cannot read.
 *
 * @throws {StorageError} where files are damaged, or cannot be read or written
 */
export async function checkLedgerFiles(stateDir: string): Promise<void> {
  const folder = join(stateDir, 'dynamodb');
  try {
    const names = existsSync(folder) ? await readdir(folder) : [];
    const holdsData = names.some((name) => /\.(?:ldb|log)$/.test(name));
    if (holdsData && !names.includes('CURRENT')) throw damagedState(stateDir);
    for (const name of names.filter((each) => each.endsWith('.log'))) {
      if (!isLogWhole(await readFile(join(folder, name)))) throw damagedState(stateDir);
    }
    const database = new ClassicLevel(folder);
    await database.open();
    await database.close();
  } catch (error) {
    throw storageErrorOf(error, stateDir) ?? error;
  }
}
