import type { Judgement } from '../../domain/judgement.ts';
import type { SectionInput } from '../input.ts';
import { capitalize, joinFacts } from '../texts/language.ts';
import { linkToBroadcast, quoteName, showName } from '../texts/names.ts';
import { sayOfAudience } from './figures.ts';
import { saySeen, sayToDo } from './needs.ts';
import { sayTeamsNote } from './notes.ts';
import { sayAge } from './at-age.ts';

/** The most deliveries that a warning names. */
const mostNamed = 10;

/** The sections of a warning, in the places of those of a digest. */
export function viewWarning(input: SectionInput) {
  const { digest, wording, figures } = input;
  const { named = [], afterHours = 0 } = digest.warning ?? {};
  const more = named.length - mostNamed;
  const lead = wording.count('warning.lead', countOf(named), { age: sayAge(afterHours, wording) });
  const asOf = { instant: figures.instant(digest.collectedAt), zone: digest.period.timeZone };
  return {
    incomplete: null,
    note: sayTeamsNote(input),
    verdict: named.length === 0 ? null : { first: lead, others: '' },
    needs: {
      heading: wording.say(named.length === 0 ? 'needs.nothing' : 'needs.heading'),
      column: wording.say('column.people.seen'),
      needs: named.slice(0, mostNamed).map((judgement) => viewNamed(judgement, input)),
      more: more > 0 ? wording.count('needs.more', more) : null,
    },
    late: null,
    tiles: null,
    fresh: null,
    stillRead: null,
    trend: null,
    notes: [wording.say('notes.asOf', asOf), wording.say('warning.once')],
  };
}

/** How many broadcasts some judgements are about. */
export function countOf(judgements: readonly Judgement[]): number {
  return new Set(judgements.map(({ broadcast, delivery }) => broadcast.id || delivery)).size;
}

function viewNamed(judgement: Judgement, input: SectionInput) {
  const { broadcast, firstSign, place } = judgement;
  const { digest, page, mail, wording, figures } = input;
  const date = firstSign === null ? null : figures.day(firstSign, digest.period.start);
  return {
    name: showName(broadcast, input),
    link: page && place ? `${page}#broadcast-${place}` : linkToBroadcast(mail.broadcastLink, broadcast),
    part: date && wording.say('details.firstSeen', { date }),
    count: sayToDate(judgement, input),
    /** The same in words, for the text part. */
    seen: saySeenBy(judgement, input),
    advice: inSentences(judgement, [sayAtAge(judgement, input)], input),
  };
}

/** The first that is named, in full: "“Winter rota”: 41 views after 2 days, usually 96. Seen by 41 of 210." */
export function sayFirstNamed(input: SectionInput): string {
  const [first] = input.digest.warning?.named ?? [];
  if (first === undefined) return '';
  const { wording } = input;
  const said = wording.say('warning.named', { name: quoteName(first.broadcast, input), said: sayAtAge(first, input) });
  return inSentences(first, [said, saySeenBy(first, input)], input);
}

/** What is said of a delivery, and what is to be done. */
function inSentences(judgement: Judgement, said: readonly string[], input: SectionInput): string {
  const { broadcast, firstSign, seenToDate, audience } = judgement;
  const sentences = said.map((each) => input.wording.say('verdict.sentence', { said: each }));
  const untouched = audience === null ? null : audience - (seenToDate ?? 0);
  const toDo = { createdBy: broadcast.createdBy, isUnseen: firstSign === null, untouched };
  return [...sentences, sayToDo(toDo, input)].join(input.wording.say('separator.sentences'));
}

/** "41 views after 2 days, usually 96". */
function sayAtAge({ seen, usual }: Judgement, { digest, wording, figures }: SectionInput): string {
  const age = sayAge(digest.warning?.afterHours ?? 0, wording);
  const views = wording.count('warning.views', seen ?? 0, { age });
  const said = usual === null ? null : wording.say('warning.usually', { usual: figures.count(Math.round(usual)) });
  return joinFacts([views, said], wording.say('separator.list')) ?? '';
}

function saySeenBy(judgement: Judgement, input: SectionInput): string {
  const { wording, locale } = input;
  if (judgement.seenToDate === 0) return capitalize(saySeen({ seen: 0, audience: judgement.audience }, input), locale);
  return wording.say('warning.seenBy', { seen: sayToDate(judgement, input) });
}

function sayToDate({ seenToDate, audience }: Judgement, input: SectionInput): string {
  return sayOfAudience({ seen: seenToDate ?? 0, audience }, input);
}
