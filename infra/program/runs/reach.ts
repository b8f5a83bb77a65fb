import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { countWords } from '../../../functions/domain/counts-by-word.ts';
import { count } from '../../../functions/domain/wording.ts';
import { cardId, isCard, readMessages, type MessageRow } from '../../../functions/ledger/runs/messages.ts';
import { readKnown } from '../persons/known.ts';
import type { RunTarget } from '../targets/target.ts';
import type { Meant } from './outcome.ts';

/**
 * Whom a run has reached, and whom an order would mail now: "weekly_2026-W46 is done: 3 have it. 253 subscribers would get it
 * now." A release mails nobody who was added since; nothing else sends a run that is held or empty.
 */
export async function describeReach(target: RunTarget, report: ReportConfiguration, meant: Meant, isRelease = false) {
  const { run, state, digest, withheld } = meant;
  const messages = await readMessages(target.table, run);
  const mails = messages.filter((message) => !isCard(message));
  const counts = countWords(mails.map((mail) => (hasBounced(mail) ? 'bounced' : mail.state)));
  const { sent = 0, claimed = 0, bounced = 0 } = counts;
  const states = new Map(messages.map((message) => [message.id, message.state]));
  const openStates = isRelease ? ['planned', 'failed'] : withheld === undefined ? ['planned', 'failed', 'removed'] : [];
  const isOpen = (id: string): boolean => openStates.includes(states.get(id) ?? 'removed');
  const persons = (await readKnown(target, report)).filter(({ hash, gets }) => gets && isOpen(hash)).length;
  const cards = report.channels.filter(({ name }) => isOpen(cardId(name))).length;
  const lost = `${bounced === 0 ? '' : `, ${bounced} bounced`}${claimed === 0 ? '' : `, of ${claimed} it is not known`}`;
  const when = report.hold === 'always' && digest === undefined ? 'after its release' : 'now';
  const progress = state === undefined ? 'has not begun' : `is ${state}`;
  const have = sent === 0 ? 'nobody has' : sent === 1 ? '1 has' : `${sent} have`;
  return `${run} ${progress}: ${have} it${lost}. ${sayWhom(persons, cards)} would get it ${when}.`;
}

/** Whether a mail that SES took came back, for good or for now. */
function hasBounced({ bouncedAt, softBouncedAt, deliveredAt }: MessageRow): boolean {
  return bouncedAt !== undefined || (softBouncedAt !== undefined && deliveredAt === undefined);
}

/** So many persons and cards, in words: "253 subscribers and 1 channel". */
export function sayWhom(persons: number, cards: number): string {
  const subscribers = count(persons, 'subscriber');
  return cards === 0 ? subscribers : `${subscribers} and ${count(cards, 'channel')}`;
}
