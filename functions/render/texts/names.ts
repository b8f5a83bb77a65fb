import type { DigestBroadcast } from '../../digest/schema.ts';
import { comparableType } from '../../domain/folding.ts';
import type { Unavailable } from '../../domain/reasons.ts';
import type { ReportToRender, SectionInput } from '../input.ts';
import { pageLimits } from '../limits.ts';
import { showForeignText, showWord } from './foreign-text.ts';
import type { Language } from './language.ts';

/** What the mails of a report are called: of its warnings, that they are these. */
export function titleOf(report: Pick<ReportToRender, 'title' | 'warningOf'>, wording: Language['wording']): string {
  const { title, warningOf } = report;
  return warningOf === undefined ? title : wording.say('warning.title', { title });
}

/** The name of a content item's type within a sentence: the language's own word, else the service's made readable. */
export function showType(type: string, { wording }: Language): string {
  return wording.find(`type.${comparableType(type)}`) ?? showWord(type) ?? wording.say('name.none');
}

/** A delivery's status: the language's own word, else the service's made readable. The service documents only one. */
export function showStatus(status: string, { wording }: Language): string | null {
  return wording.find(`status.${status}`) ?? showWord(status);
}

/** Why something is not available, in a manager's words: without a reason its list was read, and does not say who saw it. */
export function sayReason(unavailable: Unavailable | undefined, { wording }: Pick<Language, 'wording'>): string {
  return wording.say(`reason.${unavailable?.reason ?? 'no-views'}`);
}

/** The same with the HTTP status, for page and files: for the people whom the manager asks. */
export function sayCause(unavailable: Unavailable | undefined, language: Language): string {
  const reason = sayReason(unavailable, language);
  if (unavailable?.status === undefined) return reason;
  return language.wording.say('reason.status', { reason, status: String(unavailable.status) });
}

/** The longest name in a sentence. The broadcast's own block has more of it. */
const longestInSentence = 60;

export function showName({ name }: { name: string | null }, { wording }: Language): string {
  return showForeignText(name) ?? wording.say('name.none');
}

/** A broadcast's name in quotation marks, for a sentence. */
export function quoteName({ name }: { name: string | null }, { wording }: Language): string {
  const shown = showForeignText(name, longestInSentence);
  return shown === null ? wording.say('name.none') : wording.say('name.quoted', { name: shown });
}

/** Where the broadcast at a place of a digest, from 1, is on its page. */
export function anchorOf(place: number): string {
  return `broadcast-${place}`;
}

/** What is known of a broadcast where it is named, with the ids of deliveries: it may have none itself. */
interface Named {
  broadcast: Pick<DigestBroadcast, 'id' | 'name'> & { date?: string };
  deliveries: readonly string[];
}

/** The broadcast's row in the digest; `undefined` where it has none. */
function rowOf({ broadcast, deliveries }: Named, { digest }: Pick<SectionInput, 'digest'>) {
  const { id } = broadcast;
  return digest.broadcasts.find((row) =>
    id === '' ? row.deliveries.some((delivery) => deliveries.includes(delivery.id)) : row.id === id,
  );
}

/** The place of a broadcast on the page, else its own address; `null` where there is neither. */
export function linkOf(named: Named, input: SectionInput): string | null {
  const { digest, page, mail } = input;
  const row = rowOf(named, input);
  const place = row === undefined ? Infinity : digest.broadcasts.indexOf(row) + 1;
  // A page behind a warning is another digest's.
  return page === null || digest.warning !== null || place > pageLimits.broadcasts
    ? linkToBroadcast(mail.broadcastLink, named.broadcast)
    : `${page}#${anchorOf(place)}`;
}

/** The date of a broadcast whose name stands for another one, too: "of 14 October"; `null` where it is not known, or alone. */
export function sayDateOf(named: Named, input: SectionInput): string | null {
  const { digest, wording, figures } = input;
  const all = [...digest.broadcasts, ...[...digest.needs, ...digest.since].map(({ broadcast }) => broadcast)];
  const same = all.filter(({ name }) => name === named.broadcast.name);
  if (new Set(same.map(({ id }) => id)).size < 2) return null;
  const row = rowOf(named, input);
  const dates = row?.deliveries.flatMap(({ firstSign }) => firstSign ?? []).toSorted();
  const date = dates?.[0] ?? row?.createdAt ?? named.broadcast.date ?? null;
  return date === null ? null : wording.say('name.dated', { date: figures.day(date, digest.period.start) });
}

/** The same in a sentence, in quotation marks: "“Keys” of 14 October". */
export function quoteDated(named: Named, input: SectionInput): string {
  return [quoteName(named.broadcast, input), sayDateOf(named, input)].filter(Boolean).join(' ');
}

/** The address of a broadcast in the service; `null` where the settings have none, or the service gave no id. */
export function linkToBroadcast(pattern: string | undefined, { id }: { id: string }): string | null {
  if (pattern === undefined || id === '') return null;
  return pattern.replaceAll('{broadcastId}', () => encodeURIComponent(id.toWellFormed()));
}
