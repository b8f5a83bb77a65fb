import { randomUUID } from 'node:crypto';
import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { isLoopback } from '../../domain/configuration/fields.ts';
import { readChannelOff, turnChannelOff } from '../../ledger/channels.ts';
import { claimMessage, markFailed, markSent, releaseClaim } from '../../ledger/runs/claims.ts';
import { cardId, markWithheld, readCards } from '../../ledger/runs/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { openDigest } from '../find-run.ts';
import type { Plan } from '../plan/plan.ts';
import { retryUnexpected } from '../retry.ts';
import { isSendable } from './send.ts';

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

/** The result of posting a card. */
export type Posted =
  /** A 2xx: the webhook took it, which is not yet to be seen in the channel. */
  | { outcome: 'accepted' }
  /** It surely took nothing: for now, as it is, or ever again. `refusal` says why, in our own words. */
  | { outcome: 'busy'; refusal: string; waitSeconds: number }
  | { outcome: 'refused' | 'gone'; refusal: string }
  /** The answer was lost: nobody knows. */
  | { outcome: 'unknown' };

/** The time for a post from connecting to the answer's head. */
const timeoutMs = 15_000;

/**
 * Posts a card to a webhook, once. Of the answer its status alone counts: what else it is, is not read, so that it can be
 * neither too long nor in a log. A redirect is a refusal: an address that was typed leads nowhere else.
 */
export async function postCard(address: string | undefined, card: object): Promise<Posted> {
  if (address === undefined) return { outcome: 'refused', refusal: 'no address' };
  if (!isChannelAddress(address)) return { outcome: 'refused', refusal: 'not an https address' };
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const headers = { 'content-type': 'application/json' };
  // A connection of its own: one that slept through a freeze of the sandbox would lose the card.
  const post = (isSecure ? requestHttps : requestHttp)(url, { method: 'POST', headers, agent: false });
  // Nothing is sent before the connection stands.
  let failed: Posted = { outcome: 'busy', refusal: 'no connection', waitSeconds: 0 };
  const reached = (): void => void (failed = { outcome: 'unknown' });
  post.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', reached));
  post.on('response', ({ statusCode = 0, headers }) => resolve(readAnswer(statusCode, headers)));
  post.on('error', () => resolve(failed));
  post.end(JSON.stringify(card));
  const timer = setTimeout(() => post.destroy(new Error('No answer in time.')), timeoutMs);
  const posted = await promise;
  clearTimeout(timer);
  post.destroy();
  return posted;
}

/**
 * What an answer means. Slack: 410 `channel_is_archived`, 404 `channel_not_found`, 429 with `Retry-After`
 * (https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks, https://docs.slack.dev/apis/web-api/rate-limits);
 * Workflows: 202, before it posts, and 404 for a workflow that was deleted.
 */
function readAnswer(status: number, headers: IncomingHttpHeaders): Posted {
  const refusal = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  if (status === 404 || status === 410) return { outcome: 'gone', refusal };
  // An instant, in place of seconds, is not waited for longer than usual.
  if (status === 429) return { outcome: 'busy', refusal, waitSeconds: Number(headers['retry-after']) || 0 };
  return status < 500 ? { outcome: 'refused', refusal } : { outcome: 'unknown' };
}

/** Whether a text may be a webhook's address: https, or http on this machine, which nothing leaves. */
export function isChannelAddress(address: string): boolean {
  const { protocol, hostname = '' } = URL.parse(address) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The address of each channel, by its name. Throws where the secret is not as `npm run ops -- secret --channel` writes it. */
export async function readChannelAddresses(
  secrets: SecretsManagerClient,
  secretName: string,
): Promise<Readonly<Record<string, string>>> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secretName }));
  try {
    return v.parse(v.record(v.string(), v.string()), JSON.parse(SecretString));
  } catch {
    // Its own message might quote an address.
    throw new Error("The channels' secret is no JSON object of names and addresses.");
  }
}
