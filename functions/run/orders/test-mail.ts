import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import { withNote } from '../../digest/schema.ts';
import { putDigest, readDigest } from '../../ledger/runs/digests.ts';
import { readNoteOf, readRun } from '../../ledger/runs/runs.ts';
import { expiresAfterDays, kept } from '../../ledger/retention.ts';
import { readTriggerSubscribers, openHashes } from '../../ledger/persons/persons.ts';
import { runName } from '../../domain/period.ts';
import { handToSes, readSendQuota } from '../send/ses.ts';
import { step } from '../step.ts';
import { CodedError } from '../../domain/failures.ts';
import { composeObserved, needOf } from '../compose.ts';
import { observe } from '../observe/observe.ts';
import { configuredIn } from '../../ledger/persons/members.ts';
import { readStandings, type Standing } from '../../ledger/persons/standing.ts';
import { createRateLimiter } from '../send/rate-limiter.ts';
import { countedPeriod, dueOf } from '../../domain/schedule.ts';
import { waitUntilOver, type Plan } from '../plan/plan.ts';
import { openComposer } from '../send/mails.ts';
import type { Dependencies, ReportDependencies } from '../dependencies.ts';
import type { TestTrigger } from '../trigger.ts';

/**
 * Sends the real digest, marked as a test, to the persons of the trigger alone: the run's own where it is kept, else one
 * that is composed for this. It plans no row, keeps no figures and touches no subscriber. Who is suppressed gets none; who
 * unsubscribed does, because the operator was asked. Gives counts and no address; `kept`: the run had a digest already.
 */
export async function sendTest(trigger: TestTrigger, context: DurableContext, options: Dependencies) {
  const { table } = options;
  const { report } = trigger;
  const plan = await step(context, 'plan the test', () => planTest(trigger, options));
  const id = plan.digest ?? (await composeForTest(plan, context, { ...options, report }));
  return await step(context, 'send the test', async () => {
    const hashes = await readTriggerSubscribers(table, trigger.subscribers);
    const configured = configuredIn(options.configuration.reports, await openHashes(table));
    const standings = await readStandings(table, report, hashes, configured);
    const stored = await readDigest(table, plan.run, id);
    const note = await readNoteOf(table, report.name, await readRun(table, report.name, plan.period));
    const test = { id, digest: withNote(stored, note), test: true };
    const compose = await openComposer(plan.run, test, { ...options, report });
    const counts = await mailTest([...standings.values()], { run: plan.run, compose }, options);
    return { test: plan.run, kept: plan.digest !== undefined, ...counts };
  });
}

/** The plan of the run that is tested, as if it had no subscribers, with the digest that it has. */
async function planTest(trigger: TestTrigger, { table }: Dependencies): Promise<Plan> {
  // A wrong key is found before anything is asked of the service.
  await readTriggerSubscribers(table, trigger.subscribers);
  const { name: report } = trigger.report;
  const now = Temporal.Now.instant();
  const { period } = dueOf(trigger.report, trigger.scheduledTime, now);
  await waitUntilOver(countedPeriod(trigger.report, period), now);
  const { run = runName(report, period), digest } = (await readRun(table, report, period)) ?? {};
  return { run, report, period, intended: 0, digest };
}

async function composeForTest(plan: Plan, context: DurableContext, options: ReportDependencies): Promise<string> {
  const observation = await observe(context, needOf(options.report, plan), options);
  return await step(context, 'compose the test', async () => {
    const digest = await composeObserved(plan, observation, options);
    return await putDigest(options.table, plan.run, digest, expiresAfterDays(kept.workDays, new Date()));
  });
}

/** Mails the test, one person after the other save those who get no mail at all, and stops where SES is out of order. */
async function mailTest(
  persons: readonly Standing[],
  { run, compose }: { run: string; compose: Awaited<ReturnType<typeof openComposer>> },
  { configuration: { mail }, ses, configurationSet }: Dependencies,
) {
  const quota = await readSendQuota(ses, mail);
  if (quota === null)
    throw new CodedError('ses-unavailable', 'SES cannot be reached, or does not answer: nothing was sent.');
  const limiter = createRateLimiter(quota.rate);
  let sent = 0;
  let unknown = 0;
  for (const { address: to, suppression, forgottenAt } of persons) {
    if (to === null || suppression !== null || forgottenAt !== null) continue;
    // Without the tags of a message: SES's events of a test are of no row.
    const message = { raw: compose({ to }), sender: mail, to, configurationSet, tags: { test: run } };
    const { outcome } = await limiter.schedule(() => handToSes(ses, message));
    if (outcome === 'accepted') sent += 1;
    if (outcome === 'unknown') unknown += 1;
    if (outcome === 'unreached' || outcome === 'unknown') break;
  }
  // Not sent: SES surely did not take it, or was not asked to.
  return { sent, notSent: persons.length - sent - unknown, unknown };
}
