import { createHash } from 'node:crypto';
import type { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readDigest } from '../../ledger/runs/digests.ts';
import { messageIdOf, readMessages } from '../../ledger/runs/messages.ts';
import { releaseHeldRun, type Changed, type Run } from '../../ledger/runs/runs.ts';
import { readSubscribers } from '../../ledger/addresses/subscribers.ts';
import type { Table } from '../../ledger/table.ts';
import { RunError } from '../failure.ts';
import { readNamedRun, requireReport, refuseSealed } from '../find-run.ts';
import type { Plan } from '../plan/plan.ts';
import type { RenderedDigest } from '../../render/render.ts';
import type { ReleaseTrigger } from '../trigger.ts';

/** A hash of what a mail shows, which differs where a template, a wording or a setting has changed it. */
export function fingerprintOf({ subject, html, text }: Pick<RenderedDigest, 'subject' | 'html' | 'text'>): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, html, text]))
    .digest('hex');
}

/**
 * Releases a held run: its kept digest goes to the subscribers it was planned with, and to nobody else. Records what has
 * changed since. Throws a `RunError` where the run is not held.
 */
export async function releaseRun(
  trigger: ReleaseTrigger,
  options: {
    configuration: Configuration;
    table: Table;
    fingerprint: Fingerprint;
    execution: string;
    now: Temporal.Instant;
  },
): Promise<Plan> {
  const { configuration, table, fingerprint, execution, now } = options;
  const run = await readNamedRun(table, configuration.reports, trigger.run);
  const plan = planOf(run);
  // This execution's own earlier write, whose answer was lost.
  if (run.withheld === undefined && run.released?.execution === execution) return plan;
  if (run.withheld !== 'held') {
    const next = run.state === 'done' ? '' : ' Use "run" to continue it.';
    throw new RunError('not-held', `Run "${run.run}" is not held: it is ${run.state}.${next}`);
  }
  const { keepMonths } = configuration.ledger;
  refuseSealed(run.run, { known: true, plannedAt: run.plannedAt }, { keepMonths, now });
  const report = requireReport(configuration, run.report);
  const changed = await findChanges(run, report, table, fingerprint);
  if (!(await releaseHeldRun(table, run, { execution, at: now.toString(), changed }))) {
    throw new RunError('not-held', `Run "${run.run}" is no longer held.`);
  }
  return plan;
}

/** Gives the fingerprint of a digest's mail as this version renders it. */
export type Fingerprint = (digest: Awaited<ReturnType<typeof readDigest>>['digest']) => string;

function planOf({ run, report, period, intended, digest }: Run): Plan {
  const plan = { run, report, period, intended };
  return digest === undefined ? plan : { ...plan, digest };
}

async function findChanges(
  run: Run,
  report: ReportConfiguration,
  table: Table,
  fingerprint: Fingerprint,
): Promise<Changed> {
  const planned = new Set<string>();
  for await (const { id } of readMessages(table, run.run)) planned.add(id);
  const subscribers = await readSubscribers(table, report);
  const now = new Set(subscribers.map((address) => messageIdOf(run.run, address)));
  const { digest } = await readDigest(table, run.run, run.digest ?? '');
  return {
    subscribersAdded: [...now].filter((id) => !planned.has(id)).length,
    subscribersRemoved: [...planned].filter((id) => !now.has(id)).length,
    mail: run.mail === undefined ? null : run.mail !== fingerprint(digest),
  };
}
