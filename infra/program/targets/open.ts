import type { LocalDue } from './local-system.ts';
import type { Place } from './place.ts';
import type { LedgerTarget, RunTarget } from './target.ts';

// The targets are imported only where one is opened: with the clients of AWS, the embedded parts and the build of the bundles
// they are most of this program's code, and most of the time that a short command would take.

/** The ledger of a place. A local one that does not exist is created, or refused where it `mustExist`. */
export async function openLedger(place: Place, { mustExist = false } = {}): Promise<LedgerTarget> {
  if (!place.local) return await openSystem(place);
  const { openLocalLedger } = await import('./local-ledger.ts');
  return await openLocalLedger(place, { mustExist });
}

/** Where runs can be triggered: the deployed stack, or the local system for the run of a `due`. */
export async function openSystem(place: Place, due?: LocalDue): Promise<RunTarget> {
  if (place.local) {
    const { openLocalSystem } = await import('./local-system.ts');
    return await openLocalSystem(place, due);
  }
  const { openDeployed } = await import('./deployed.ts');
  return await openDeployed(place);
}
