// Runs the sample account through the bundles, or through the naive script, and reports how much of it was waiting.
import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { SESClient } from '@aws-sdk/client-ses';
import * as v from 'valibot';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { startSampleAccount } from '../../../infra/local/sample-account/server.ts';
import { functionName, startSystem } from '../../../infra/local/system.ts';
import { operationTimes } from '../execution-times.ts';
import { readInput, report } from '../measurement.ts';
import { mailNaively } from '../naive/digest.ts';
import { scheduledTime } from '../service/account.ts';
import { launchSes } from '../service/launch-ses.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { requireCarriedOut } from '../../support/carried-out.ts';

const { way, latencyMs, subscribers } = readInput(
  v.object({ way: v.picklist(['ours', 'naive']), latencyMs: v.number(), subscribers: v.number() }),
);

const account = await startSampleAccount({ asOf: scheduledTime, latencyMs });
const ses = await launchSes(10_000);
const addresses = Array.from({ length: subscribers }, (_, index) => `subscriber-${index}@example.com`);
const waits = watchRequests(Number(new URL(account.url).port));
const begun = Date.now();
const operations = way === 'ours' ? await runOurs() : await runNaively();
const ms = Date.now() - begun;
if ((await ses.taken()).accepted !== subscribers) throw new Error('Not everybody got a mail.');
report({ ms, waitingMs: coveredBy(waits), requests: account.requests.length, operations });
process.exit(0);

async function runOurs(): Promise<Array<[string, number, number]>> {
  const configuration = loadConfiguration({
    overlay: { service: { baseUrl: account.url, concurrency: 16 }, mail: { settleMinutes: 0 } },
  });
  return await inTemporaryFolder(async (folder) => {
    const { credentials } = account;
    const system = await startSystem({
      configuration,
      credentials,
      out: `${folder}/out`,
      state: `${folder}/state`,
      environment: { AWS_ENDPOINT_URL_SES: ses.url },
    });
    const trigger = {
      report: 'weekly',
      scheduledTime,
      subscribers: await putTriggerSubscribers(system.table, addresses, new Date()),
    };
    const execution = await system.lambda.executeDurable(functionName('run'), trigger);
    requireCarriedOut(execution);
    const times = [...operationTimes((await execution.recorded).getHistoryEvents())];
    const first = Math.min(...times.map(([, { startedAt }]) => startedAt));
    return times.map(([name, { startedAt, endedAt }]) => [name, startedAt - first, endedAt - first]);
  });
}

async function runNaively(): Promise<Array<[string, number, number]>> {
  const client = new SESClient({
    endpoint: ses.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'naive', secretAccessKey: 'naive' },
  });
  const week = { start: Date.parse('2026-11-09T00:00:00Z'), end: Date.parse('2026-11-16T00:00:00Z') };
  const { url, credentials } = account;
  await mailNaively({ url, credentials, ses: client, from: 'digest@example.com', subscribers: addresses, week });
  return [];
}

/** When each request to the service at a port was under way. */
function watchRequests(port: number): Array<[number, number]> {
  const spans: Array<[number, number]> = [];
  const open = new WeakMap<object, number>();
  subscribe('http.server.request.start', (message) => {
    const request = requestOf(message);
    if (request?.socket.localPort === port) open.set(request, Date.now());
  });
  subscribe('http.server.response.finish', (message) => {
    const start = open.get(requestOf(message) ?? {});
    if (start !== undefined) spans.push([start, Date.now()]);
  });
  return spans;
}

function requestOf(message: unknown): IncomingMessage | null {
  if (typeof message !== 'object' || message === null || !('request' in message)) return null;
  return message.request instanceof IncomingMessage ? message.request : null;
}

/** The time that at least one of the spans covers. */
function coveredBy(spans: ReadonlyArray<[number, number]>): number {
  let covered = 0;
  let until = -Infinity;
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    covered += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return covered;
}
