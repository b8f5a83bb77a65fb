import { mostNamed } from '../../domain/warning.ts';
import type { SectionInput } from '../input.ts';
import { viewNeeds } from './needs.ts';
import { sayTeamsNote } from './notes.ts';
import { sayAge } from './at-age.ts';

/** The sections of a warning, in the places of those of a digest. */
export function viewWarning(input: SectionInput) {
  const { digest, limits, wording, figures } = input;
  const { needs, warning, collectedAt, period } = digest;
  const lead = { age: sayAge(warning?.afterHours ?? 0, wording) };
  const asOf = { instant: figures.instant(collectedAt), zone: period.timeZone };
  return {
    incomplete: null,
    note: sayTeamsNote(input),
    verdict: needs.length === 0 ? null : { first: wording.count('warning.lead', needs.length, lead), others: '' },
    since: null,
    needs: viewNeeds({ ...input, limits: { ...limits, needs: mostNamed } }),
    tiles: null,
    fresh: null,
    beside: null,
    trend: null,
    notes: [wording.say('notes.asOf', asOf), wording.say('warning.once')],
  };
}
