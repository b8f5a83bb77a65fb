import type { Temporal } from 'temporal-polyfill';
import { readRecords, updateRecord, type Suppressed } from '../ledger/notices.ts';
import { suppress, takeBack } from '../ledger/persons/opt-outs.ts';
import { isCard, messagesOf } from '../ledger/runs/messages.ts';
import { forEachAtOnce, type Key, type Table } from '../ledger/table.ts';
import { hoursBetween } from './inspect.ts';

/** Where so many of a run's mails bounce with one status, and more than such a share of them, its cause is in what they have in common. */
const fewestAlike = 5;
export const shareAlikePercent = 20;
/** A refusal of all comes in while a run is being sent: so long after the last bounce it is known how many there are. */
const quietHours = 1;

/**
 * Decides about the permanent bounces of which it is known how many of their run there are with that status: each suppresses its
 * person if it is about the person, unless too many are alike. So nobody is suppressed by the first ones of many, and those whom
 * earlier ones suppressed before there were so many are not any more.
 */
export async function judgeBounces(table: Table, now: Temporal.Instant): Promise<void> {
  const bounces = (await readRecords(table)).filter(({ bounce }) => bounce !== undefined);
  for (const alike of Map.groupBy(bounces, ({ run, bounce }) => `${run} ${bounce?.status}`).values()) {
    const isDecided = alike.every(({ verdict }) => verdict !== undefined);
    if (isDecided || alike.some(({ at }) => hoursBetween(at, now) < quietHours)) continue;
    const verdict = (await areMany(table, alike[0]?.run ?? '', alike.length)) ? 'alike' : 'alone';
    const changed = alike.filter((record) => record.verdict !== verdict);
    await forEachAtOnce(changed, (record) => decide(table, record, verdict));
  }
}

async function decide(table: Table, record: Suppressed & { key: Key }, verdict: 'alike' | 'alone'): Promise<void> {
  const { key, reason, hash, bounce } = record;
  const isOfPerson = reason === 'bounce' && hash !== undefined && bounce !== undefined;
  if (isOfPerson && record.verdict === 'alone') await takeBack(table, hash, { reason, at: bounce.at });
  const isLifted = isOfPerson && verdict === 'alone' && !(await suppress(table, hash, { reason, at: bounce.at }));
  await updateRecord(table, key, isLifted ? { verdict, ended: true } : { verdict });
}

/** Whether so many bounces are many of the mails of a run that were sent, or may have been. */
async function areMany(table: Table, run: string, bounces: number): Promise<boolean> {
  if (bounces < fewestAlike) return false;
  let mails = 0;
  // One by one: the watch has little memory.
  for await (const row of messagesOf(table, run))
    if (!isCard(row) && (row.state === 'sent' || row.state === 'claimed')) mails += 1;
  return bounces > (mails * shareAlikePercent) / 100;
}
