import type { DigestBroadcast, DigestDelivery } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts } from '../texts/language.ts';
import { linkToBroadcast, sayReason, showName, showStatus } from '../texts/names.ts';
import { sayOfAudience, viewBar, wholeOf, type Scale } from './figures.ts';
import { sayAge, sayEarlierViews } from './at-age.ts';

/** A broadcast as a block: by whom, since when, its bar and figures, and what is usual. */
export function viewBlock(broadcast: DigestBroadcast, scale: Scale, input: SectionInput) {
  const figures = figuresOf(broadcast, input.digest);
  return {
    name: showName(broadcast, input),
    /** In a mail without a page, and on the page. */
    link: input.page ? null : linkToBroadcast(input.mail.broadcastLink, broadcast),
    details: sayDetails(broadcast, input),
    bar: viewBar(figures.responded, figures.seen, wholeOf(figures, scale), scale),
    figures: sayFigures(broadcast, input),
    usual: sayUsual(broadcast, input),
  };
}

/** The deliveries of a broadcast, in the digest's order. */
export function deliveriesOf({ deliveries }: DigestBroadcast, { digest }: SectionInput): DigestDelivery[] {
  return digest.deliveries.filter(({ id }) => deliveries.includes(id));
}

/** By whom, first seen or created when, and that it asks nothing or still counts. */
function sayDetails(broadcast: DigestBroadcast, input: SectionInput): string | null {
  const { report, wording } = input;
  const { createdBy, asks, responded, stillCounting } = broadcast;
  const statuses = report.statuses.length > 1 ? deliveriesOf(broadcast, input).map(({ status }) => status) : [];
  const author = showForeignText(createdBy, 60);
  const shown = [...new Set(statuses.flatMap((status) => showStatus(status, input) ?? []))];
  return joinFacts(
    [
      author === null ? null : wording.say('details.by', { name: author }),
      sayDate(broadcast, input),
      asks === false && !responded ? wording.say('details.asksNothing') : null,
      stillCounting ? wording.say('details.stillCounting') : null,
      shown.length === 0 ? null : wording.say('details.status', { status: wording.list(shown) }),
    ],
    wording.say('separator.list'),
  );
}

/** When something was first seen, else when it was created; `null` where neither is known. */
export function sayDate(
  { firstSign, seen, createdAt = null }: Pick<DigestBroadcast, 'firstSign' | 'seen'> & { createdAt?: string | null },
  { digest, wording, figures }: SectionInput,
): string | null {
  // The first sign of what nobody saw is a response.
  const at = (seen ? firstSign : null) ?? createdAt;
  if (at === null) return null;
  const date = figures.day(at, digest.period.start);
  return wording.say(at === firstSign ? 'details.firstSeen' : 'details.created', { date });
}

/** How many saw it, and how many responded; and of those who saw it, how many had, where something is asked. */
function sayFigures(broadcast: DigestBroadcast, input: SectionInput) {
  const { digest, wording, figures: formats } = input;
  const { seen, audience, share, responded, answered, rate } = figuresOf(broadcast, digest);
  if (seen === null) {
    const reason = sayReason(broadcast.unavailable, input);
    const noViews = responded === null ? null : wording.count('facts.noViews', responded);
    return [emphasize(noViews ?? wording.say('facts.unavailable', { reason }))];
  }
  const views =
    audience === null || share === null
      ? wording.count('facts.seen', seen, { count: sayOfAudience({ seen, audience }, input) })
      : wording.count('facts.seenOf', seen, { audience: formats.count(audience), rate: formats.rate(share) });
  if (responded === null) return [emphasize(views)];
  if (answered === null || rate === null) {
    return [emphasize(views), emphasize(wording.count('facts.responded', responded))];
  }
  const values = { rate: formats.rate(rate), answered: formats.count(answered) };
  const responses = answered === responded ? 'facts.respondedRate' : 'facts.respondedApart';
  return [emphasize(views), emphasize(wording.count(responses, responded, values))];
}

/**
 * A message in which what is between two asterisks is bold: `*36 of 93* saw it`. Only for messages that are filled with
 * figures: an asterisk in a name would be one of these.
 */
function emphasize(message: string): Array<{ text: string; strong: boolean }> {
  return message
    .split('*')
    .map((text, index) => ({ text, strong: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

/** What its edition had at an age, beside what is usual then: "39% within 2 days, usually 57%"; `null` where nothing is alike. */
function sayUsual(broadcast: DigestBroadcast, input: SectionInput): string | null {
  const usual = viewUsual(broadcast, input);
  return usual === null ? sayEarlierViews(broadcast, input) : input.wording.say('usual.line', usual);
}

/** The same in its parts; `null` also where its share is not shown. */
export function viewUsual({ atAge }: DigestBroadcast, { digest, wording, figures: formats }: SectionInput) {
  const { hours = 0, seen = 0, audience = null, usual = null } = atAge ?? {};
  const { share } = figuresOf({ seen, responded: null, audience }, digest);
  if (usual === null || share === null) return null;
  return { now: formats.rate(share), usual: formats.rate(usual.share), age: sayAge(hours, wording) };
}
