import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent, globalAgent, request as requestHttps } from 'node:https';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { isLoopback } from '../../domain/configuration/fields.ts';
import { isLocalRun } from '../../environment.ts';
import type { Handover } from './send-once.ts';

/** The time for a post from connecting to the end of the answer, as far as it is read. */
const timeoutMs = 15_000;

/** So much of an answer's body is read: it is looked at, and neither kept nor shown. */
const mostOfAnswer = 4_096;

/**
 * Posts a card to a webhook, once. A 2xx whose body says nothing else is an acceptance, which is not yet to be seen in the channel.
 * A redirect is a refusal: an address that was typed leads nowhere else.
 */
export async function postCard(address: string | undefined, card: object): Promise<Handover> {
  if (address === undefined) return { outcome: 'refused', refusal: 'no address' };
  if (!isChannelAddress(address)) return { outcome: 'refused', refusal: 'not a public https address' };
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const { promise, resolve } = Promise.withResolvers<Handover>();
  const headers = { 'content-type': 'application/json' };
  // A connection of its own: one that slept through a freeze of the sandbox would lose the card. It goes as all others go, where
  // an operator's network has a proxy.
  const agent = isSecure && new Agent({ proxyEnv: globalAgent.options.proxyEnv });
  const post = (isSecure ? requestHttps : requestHttp)(url, { method: 'POST', headers, agent });
  // Nothing is sent before the connection stands.
  let failed: Handover = { outcome: 'busy', refusal: 'no connection', waitSeconds: 0 };
  const reached = (): void => void (failed = { outcome: 'unknown' });
  post.on('socket', (socket) => {
    // Through a proxy it stands before there is a socket.
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', reached);
    else reached();
  });
  post.on('response', (response) => {
    const { statusCode = 0, headers } = response;
    failed = readAnswer(statusCode, headers, '');
    void readBeginning(response).then((body) => resolve(readAnswer(statusCode, headers, body)));
  });
  post.on('error', () => resolve(failed));
  post.end(JSON.stringify(card));
  const timer = setTimeout(() => post.destroy(new Error('No answer in time.')), timeoutMs);
  const posted = await promise;
  clearTimeout(timer);
  post.destroy();
  return posted;
}

/** The first letters of a body, as far as they come. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length >= mostOfAnswer) break;
    }
  } catch {
    // What has come is all there is.
  }
  return text;
}

/** What is in the place of an acceptance: a page, as to sign in; a failure in JSON; the status by which Teams' own end refused. */
const page = /^\s*</;
const failure = /^\s*\{[^]*"(?:(?:ok|success)"\s*:\s*false|error"\s*:\s*(?:[{[]|"[^"]))/;
const innerStatus = /\breturned HTTP error (\d{3})\b/;

/**
 * What an answer means. Slack: 410 `channel_is_archived`, 404 `channel_not_found`, 429 with `Retry-After`
 * (https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks, https://docs.slack.dev/apis/web-api/rate-limits);
 * Workflows: 202, before it posts, and 404 for a workflow that was deleted. Teams' older webhooks answer 200 with the status in the
 * body (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using#rate-limiting-for-connectors).
 */
function readAnswer(status: number, headers: IncomingHttpHeaders, body: string): Handover {
  const refusal = `HTTP ${status}`;
  if (status >= 200 && status < 300) {
    const inner = Number(innerStatus.exec(body)?.[1] ?? 0);
    if (inner >= 300) return readAnswer(inner, headers, '');
    if (page.test(body)) return { outcome: 'refused', refusal: `${refusal} with a page, as of no webhook` };
    if (failure.test(body)) return { outcome: 'refused', refusal: `${refusal} with an error` };
    return { outcome: 'accepted' };
  }
  if (status === 404 || status === 410) return { outcome: 'gone', refusal };
  // An instant, in place of seconds, is not waited for longer than usual.
  if (status === 429) return { outcome: 'busy', refusal, waitSeconds: Number(headers['retry-after']) || 0 };
  return status < 500 ? { outcome: 'refused', refusal } : { outcome: 'unknown' };
}

/** A name that others can look up, and no number, nor a name that leads nowhere but into a network (RFC 6761, RFC 6762). */
const publicHost = /^(?:[a-z\d-]+\.)+(?!(?:localhost|local|internal)$)[a-z][a-z\d-]+$/;

/** Whether a text may be a webhook's address: https, of a public host and without user info; in a local run also one on this machine. */
export function isChannelAddress(address: string): boolean {
  const { protocol, hostname, username, password } = URL.parse(address) ?? {};
  if (hostname === undefined || username !== '' || password !== '') return false;
  return isLoopback(hostname) ? isLocalRun() : protocol === 'https:' && publicHost.test(hostname);
}

/** The address of each channel, by its name. Throws where the secret is not as `npm run ops -- secret --channel` writes it. */
export async function readChannelAddresses(secrets: SecretsManagerClient, secretName: string) {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secretName }));
  try {
    return v.parse(v.record(v.string(), v.string()), JSON.parse(SecretString));
  } catch {
    // Its own message might quote an address.
    throw new Error("The channels' secret is no JSON object of names and addresses.");
  }
}
