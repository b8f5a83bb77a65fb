import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readDigest } from '../../ledger/runs/digests.ts';
import { createCircuitBreaker } from './ses.ts';
import { createMimeComposer } from './mime.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { Plan } from '../plan/plan.ts';
import type { Sender } from './send.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireRun } from '../../ledger/runs/runs.ts';
import { messageIdOf } from '../../ledger/runs/messages.ts';
import { readTriggerSubscribers } from '../../ledger/runs/triggers.ts';
import type { Table } from '../../ledger/table.ts';

/** The longest that SES takes to answer. It decides how many messages have to be on their way at once. */
const secondsOnTheWay = 0.25;
const maxWidth = 50;
/** Longer than three requests that SES never answers; an invocation has time for this and for the batches before it. */
const longestBatchMs = 120_000;

/**
 * A sender for a run that has a digest, at `rate` messages a second. Its circuit breaker begins anew. Throws where the run
 * has no digest.
 */
export async function createSender(
  plan: Plan,
  { execution, rate }: { execution: string; rate: number },
  options: Dependencies & { report: ReportConfiguration },
): Promise<Sender> {
  const { report, table, ses, configurationSet, render, unsubscribeLinks, pageLinks, clock } = options;
  const { mail } = options.configuration;
  const run = await requireRun(table, plan.report, plan.period);
  if (run.digest === undefined) throw new Error(`Run "${plan.run}" has no digest to send.`);
  const { digest } = await readDigest(table, plan.run, run.digest);
  const linkToPage = await pageLinks();
  const page = linkToPage && (await linkToPage(plan.run, run.digest));
  const rendered = render({ digest, report, mail, canUnsubscribe: true, page });
  const compose = await createMimeComposer(rendered, { mail, report });
  const linkOf = await unsubscribeLinks();
  return {
    table,
    ses,
    limiter: createRateLimiter(rate),
    breaker: createCircuitBreaker(),
    report,
    run: plan.run,
    execution,
    named: await readNamed(table, plan),
    from: mail.from,
    configurationSet,
    width: Math.min(maxWidth, Math.max(2, Math.ceil(rate * secondsOnTheWay))),
    longestMs: longestBatchMs,
    clock,
    compose: async (to) => compose({ to, unsubscribeLink: await linkOf(report.name, to) }),
  };
}

/**
 * The ids of the messages to the addresses that a trigger named; `null` where it named none: then it sends to every
 * subscriber of the run. Throws a `NoAddressesError` where the ledger no longer has them.
 */
export async function readNamed(
  table: Table,
  { run, subscribers }: Pick<Plan, 'run' | 'subscribers'>,
): Promise<ReadonlySet<string> | null> {
  if (subscribers === undefined) return null;
  const addresses = await readTriggerSubscribers(table, subscribers);
  return new Set(addresses.map((address) => messageIdOf(run, address)));
}
