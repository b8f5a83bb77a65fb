import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { readDigest } from '../ledger/digests.ts';
import { readMessages } from '../ledger/messages.ts';
import { recordSending } from '../ledger/runs.ts';
import type { Table } from '../ledger/table.ts';
import { RunError, type Failure } from './failure.ts';
import { lazily } from './lazily.ts';
import { createMimeComposer } from './mime.ts';
import { createPace } from './pace.ts';
import { findReport, requireRun, type Plan } from './plan.ts';
import { retryUnexpected } from './retry.ts';
import type { Tools } from './tools.ts';
import { isOpen, sendShare, type Sender, type Sent } from './send.ts';
import { readSendQuota } from './ses.ts';

/** A batch takes about this long at SES's rate, so that a crash repeats little and a history stays short. */
const secondsOfBatch = 10;
const smallestBatch = 10;
const largestBatch = 2_000;
/** An invocation has a time limit: after about this long of sending, the execution goes on in a new one. */
const secondsBetweenRests = 300;
/** What SES takes to answer, at worst, decides how many messages have to be on their way at once. */
const secondsOnTheWay = 0.25;
const widest = 50;

/** What sending a run's messages came to: how many this execution sent, and why it ended early. */
export interface Dispatch {
  sentNow: number;
  stopped: Failure | null;
}

/**
 * Sends all messages of a run that are still to be sent, in batches, a durable step each, at the rate SES grants. Stops
 * where SES takes no more today, and where it cannot be reached: what is left stays planned.
 */
export async function dispatchMessages(
  context: DurableContext,
  plan: Plan,
  options: Omit<Tools, 'metrics' | 'collectFunctionName'>,
): Promise<Dispatch> {
  const { table, ses } = options;
  const execution = context.executionContext.durableExecutionArn;
  const begun = await context.step(
    'begin sending',
    async () => {
      const open = await countOpen(table, plan.run, execution);
      if (open === 0) return { open, rate: 0 };
      const run = await requireRun(table, plan.report, plan.period);
      const { rate } = await readSendQuota(ses);
      if (!(await recordSending(table, run))) {
        // Held since this execution looked: what is left stays where it is.
        if ((await requireRun(table, plan.report, plan.period)).withheld !== undefined) return { open: 0, rate: 0 };
        throw new RunError('discarded', `The digest of run "${plan.run}" was dropped meanwhile: nothing is sent.`);
      }
      return { open, rate };
    },
    retryUnexpected,
  );
  if (begun.open === 0) return { sentNow: 0, stopped: null };

  const size = Math.min(largestBatch, Math.max(smallestBatch, Math.round(begun.rate * secondsOfBatch)));
  const batches = Math.ceil(plan.intended / size);
  const batchesBetweenRests = Math.max(1, Math.ceil((secondsBetweenRests * begun.rate) / size));
  // A replay that has nothing to send renders nothing.
  const sender = lazily(() => createSender(plan, execution, begun.rate, options));
  let sentNow = 0;
  for (let part = 0; part < batches; part += 1) {
    if (part > 0 && part % batchesBetweenRests === 0) await context.wait(`rest ${part}`, { seconds: 1 });
    const sent: Sent = await context.step(
      `send ${part + 1} of ${batches}`,
      async () => sendShare(await sender(), { part, of: batches }),
      retryUnexpected,
    );
    sentNow += sent.sent;
    if (sent.stopped !== null) return { sentNow, stopped: stoppedBy(sent.stopped) };
  }
  return { sentNow, stopped: null };
}

/** Messages of a run that this execution has to send. */
async function countOpen(table: Table, run: string, execution: string): Promise<number> {
  let open = 0;
  for await (const row of readMessages(table, run)) if (isOpen(row, execution)) open += 1;
  return open;
}

async function createSender(
  plan: Plan,
  execution: string,
  rate: number,
  { configuration, table, ses, configurationSet, render, leaveLinks }: Parameters<typeof dispatchMessages>[2],
): Promise<Sender> {
  const report = findReport(configuration, plan.report);
  const { mail } = configuration;
  const run = await requireRun(table, plan.report, plan.period);
  if (run.digest === undefined) throw new Error(`Run "${plan.run}" has no digest to send.`);
  const { digest } = await readDigest(table, plan.run, run.digest);
  const compose = createMimeComposer({
    from: { name: mail.brand.name, address: mail.from },
    ...(mail.replyTo === undefined ? {} : { replyTo: mail.replyTo }),
    ...render({ digest, report, mail, canLeave: true }),
    list: { report: report.name, title: report.title },
  });
  const linkOf = await leaveLinks();
  return {
    table,
    ses,
    pace: createPace(rate),
    report: report.name,
    run: plan.run,
    execution,
    from: mail.from,
    configurationSet,
    width: Math.min(widest, Math.max(2, Math.ceil(rate * secondsOnTheWay))),
    compose: async (to) => compose({ to, leaveLink: await linkOf(report.name, to) }),
  };
}

function stoppedBy(stopped: 'daily-quota' | 'unreached'): Failure {
  return stopped === 'daily-quota'
    ? {
        code: 'daily-quota',
        message: "SES's daily quota is used up. Trigger the run again tomorrow: it goes on with those who are left.",
      }
    : {
        code: 'ses-unavailable',
        message:
          'SES cannot be reached, or takes nothing however slowly it comes. Trigger the run again: it goes on with those who are left.',
      };
}
