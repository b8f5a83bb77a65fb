import { randomUUID } from 'node:crypto';
import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readChannelOff, turnChannelOff } from '../../ledger/channels.ts';
import { claimMessage, markFailed, markSent, releaseClaim } from '../../ledger/runs/claims.ts';
import { cardId, markWithheld, readCards } from '../../ledger/runs/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { openDigest } from '../find-run.ts';
import type { Plan } from '../plan/plan.ts';
import { retryUnexpected } from '../retry.ts';
import { isSendable } from './send.ts';
import { postCard } from './webhook.ts';

/** How long a channel that surely took nothing is waited for before each further try, in seconds, unless it says how long. */
const waits = [10, 30, 60];
/** The longest wait that a channel may ask for, in seconds: the mails of the run wait behind it. */
const longestWait = 120;

type Options = Dependencies & { report: ReportConfiguration };

/**
 * Posts the cards of a run whose sending has begun, a durable step for a try of all of them; `nameOf` makes the steps' names. A
 * claimed card is never posted a second time: no event of a channel could say that it was not. Returns how many were accepted.
 */
export async function postCards(
  context: DurableContext,
  plan: Plan,
  options: Options & { nameOf: (name: string) => string },
): Promise<number> {
  const execution = context.executionContext.durableExecutionArn;
  let accepted = 0;
  for (let tries = 1; ; tries += 1) {
    const nameOf = (name: string): string => options.nameOf(tries === 1 ? name : `${name}, try ${tries}`);
    const wait = waits[tries - 1];
    const post = () => postOpenCards(plan, { execution, mayWait: wait !== undefined }, options);
    const posted = await context.step(nameOf('post cards'), post, retryUnexpected);
    accepted += posted.accepted;
    if (posted.waitSeconds === null || wait === undefined) return accepted;
    await context.wait(nameOf('channels are busy'), { seconds: Math.max(wait, posted.waitSeconds) });
  }
}

/**
 * Claims, posts and marks one card after the other. What is to be tried again is planned again, if that `mayWait`: in so many
 * seconds; `null` where nothing is.
 */
async function postOpenCards(
  plan: Plan,
  { execution, mayWait }: { execution: string; mayWait: boolean },
  options: Options,
) {
  const { table, report, configuration, channelAddresses, renderCard, linkToPage } = options;
  const { run } = plan;
  const by = { execution, named: null, resends: plan.resends };
  const open = (await readCards(table, run)).filter((row) => isSendable(row, by));
  let accepted = 0;
  let waitSeconds: number | null = null;
  if (open.length === 0) return { accepted, waitSeconds };
  const { id: digestId, digest } = await openDigest(table, plan);
  const addresses = await channelAddresses();
  for (const { id } of open) {
    const channel = report.channels.find(({ name }) => cardId(name) === id);
    if (channel === undefined || (await readChannelOff(table, channel.name)) !== null) {
      await markWithheld(table, run, id, channel === undefined ? 'removed' : 'suppressed');
      continue;
    }
    const { kind, link } = channel;
    const page = link ? await linkToPage({ report: report.name, run, digest: digestId }) : null;
    const card = renderCard({ digest, report, mail: configuration.mail, page, kind });
    const claimed = { run, id, claim: randomUUID() };
    if (!(await claimMessage(table, run, id, { ...claimed, execution, claimedAt: Date.now() }))) continue;
    const answer = await postCard(addresses[channel.name], card);
    if (answer.outcome === 'accepted') {
      await markSent(table, claimed);
      accepted += 1;
    } else if (answer.outcome === 'busy' && mayWait && answer.waitSeconds <= longestWait) {
      await releaseClaim(table, claimed);
      waitSeconds = Math.max(waitSeconds ?? 0, answer.waitSeconds);
    } else if (answer.outcome !== 'unknown') {
      const { refusal } = answer;
      await markFailed(table, claimed, { refusal, failedBy: execution });
      const offSince = Temporal.Now.instant().toString();
      if (answer.outcome === 'gone') await turnChannelOff(table, { channel: channel.name, offSince, run, refusal });
    }
    // Where the answer was lost the claim stays: the outcome is unknown.
  }
  return { accepted, waitSeconds };
}
