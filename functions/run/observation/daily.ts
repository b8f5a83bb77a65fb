import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import { accountOf } from '../../domain/configuration/account.ts';
import { hourMs } from '../../domain/period.ts';
import { noteDaily } from '../../ledger/observations.ts';
import { readReport } from '../../ledger/reports.ts';
import { failureOf, type Failure, step } from '../failure.ts';
import { observe } from './observe.ts';

/**
 * The observation that no report asks for, once a day: a list may forget what a month is about. It does nothing while no report is
 * on. That it failed is noted, and is no failure of the execution: operators hear of it where it fails day after day.
 */
export async function observeDaily(context: DurableContext, options: Parameters<typeof observe>[2]) {
  const { table, configuration } = options;
  const { reports, service } = configuration;
  const sinceMs = await step(context, 'whether a report is on', async () => {
    const known = await Promise.all(reports.map((report) => readReport(table, report)));
    const isOn = known.some((report) => report !== null && report.pausedAt === undefined);
    return isOn ? Temporal.Now.instant().epochMilliseconds - hourMs : null;
  });
  if (sinceMs === null) return { observed: null };
  const note = (failure: Failure | null): Promise<void> => {
    const at = Temporal.Now.instant().toString();
    const execution = context.executionContext.durableExecutionArn;
    return noteDaily(table, accountOf(service), failure && { ...failure, at, execution });
  };
  try {
    const { observation } = await observe(context, { endMs: -Infinity, sinceMs }, options);
    await step(context, 'note the observation', () => note(null));
    return { observed: observation };
  } catch (error) {
    const failure = failureOf(error);
    await step(context, 'note the failure', () => note(failure));
    if (failure.code === 'internal') throw error;
    return { observed: null, error: failure };
  }
}
