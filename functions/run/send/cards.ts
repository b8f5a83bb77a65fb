import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readChannelOff, turnChannelOff } from '../../ledger/channels.ts';
import { cardId, markWithheld, readCards, readMessageBefore } from '../../ledger/runs/messages.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { openDigest } from '../kept-digest.ts';
import type { Plan } from '../plan/plan.ts';
import { step } from '../step.ts';
import { isSendable, sendOnce, type Handover } from './send-once.ts';
import { postCard } from './webhook.ts';

/** How long a channel that surely took nothing is waited for before each further try, in seconds, unless it says how long. */
const waits = [10, 30, 60];
/** The longest wait that a channel may ask for, in seconds: the receipt of the run waits behind it. */
const longestWait = 120;

type CardOptions = ReportDependencies & { nameOf: (name: string) => string };

/**
 * Posts the cards of a run whose sending has begun, a durable step for a try of all of them; `nameOf` makes the steps' names.
 * Returns how many were accepted. A card whose answer was lost stays unknown: a channel has no events that could settle it.
 */
export async function postCards(context: DurableContext, plan: Plan, options: CardOptions): Promise<number> {
  const execution = context.executionContext.durableExecutionArn;
  let accepted = 0;
  for (let tries = 1; ; tries += 1) {
    const nameOf = (name: string): string => options.nameOf(tries === 1 ? name : `${name}, try ${tries}`);
    const wait = waits[tries - 1];
    const post = () => postOpenCards(plan, { execution, mayWait: wait !== undefined }, options);
    const posted = await step(context, nameOf('post cards'), post);
    accepted += posted.accepted;
    if (posted.waitSeconds === null || wait === undefined) return accepted;
    await context.wait(nameOf('channels are busy'), { seconds: Math.max(wait, posted.waitSeconds) });
  }
}

/** Sends one card after the other. Those of busy channels are to be tried again in `waitSeconds`, if that `mayWait`; else it is `null`. */
async function postOpenCards(
  plan: Plan,
  { execution, mayWait }: { execution: string; mayWait: boolean },
  { table, report, configuration, channelAddresses, renderCard, linkToPage }: ReportDependencies,
) {
  const { run } = plan;
  const sending = { table, run, execution, named: null, resends: plan.resends };
  const open = (await readCards(table, run)).filter((row) => isSendable(row, sending));
  let accepted = 0;
  let waitSeconds: number | null = null;
  // Those of channels that are gone or off first: where none is left, there may be no addresses to read.
  const postable: Array<{ id: string; channel: ReportConfiguration['channels'][number] }> = [];
  for (const { id } of open) {
    const channel = report.channels.find(({ name }) => cardId(name) === id);
    if (channel !== undefined && (await readChannelOff(table, channel.name)) === null) postable.push({ id, channel });
    else await markWithheld(table, run, id, channel === undefined ? 'removed' : 'suppressed');
  }
  if (postable.length === 0) return { accepted, waitSeconds };
  const { id: digestId, digest } = await openDigest(table, plan);
  const addresses = await channelAddresses();
  for (const { id, channel } of postable) {
    const { name, kind, link } = channel;
    const page = link ? await linkToPage({ report: report.name, run, digest: digestId }) : null;
    const card = renderCard({ digest, report, mail: configuration.mail, page, kind });
    const handover = await sendOnce(sending, id, async (): Promise<Handover> => {
      const answer = await postCard(addresses[name], card);
      const isTooBusy = answer.outcome === 'busy' && (!mayWait || answer.waitSeconds > longestWait);
      return isTooBusy ? { outcome: 'refused', refusal: answer.refusal } : answer;
    });
    if (handover?.outcome === 'accepted') accepted += 1;
    if (handover?.outcome === 'busy') waitSeconds = Math.max(waitSeconds ?? 0, handover.waitSeconds);
    // Once may be a fault that passes.
    if (handover?.outcome === 'gone' && handover.refusal === (await readMessageBefore(table, run, id))?.refusal) {
      const offSince = Temporal.Now.instant().toString();
      await turnChannelOff(table, { channel: name, offSince, run, refusal: handover.refusal });
    }
  }
  return { accepted, waitSeconds };
}
