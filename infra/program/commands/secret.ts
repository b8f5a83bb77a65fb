import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { turnChannelOn } from '../../../functions/ledger/channels.ts';
import { serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import { CodedError } from '../../../functions/domain/failures.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { withAdvice } from '../../../functions/reporting-service/requests/failure.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { createTestCard } from '../../../functions/render/cards/card.ts';
import { isChannelAddress, postCard } from '../../../functions/run/send/webhook.ts';
import { commandLine, createProgress, done, failed, UsageError } from '../command-line/result.ts';
import { defineCommand, flag, type Given } from '../command-line/command.ts';
import { chooseChannel, chooseReport } from '../command-line/choices.ts';
import { attempt } from '../doctor/finding.ts';
import { openService } from '../doctor/service.ts';
import { openDeployed, type DeployedTarget } from '../targets/deployed.ts';
import { recordOperation, type YesFlag } from '../targets/target.ts';
import { credentialsOfEnvironment, variable } from '../targets/place.ts';

export default defineCommand({
  does: 'asks for the client id and secret of the service, signs in with them, and stores them',
  more: 'It shows neither. A script gives SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET, or with --channel CHANNEL_ADDRESS.',
  example: 'secret',
  flags: [
    flag('--channel <NAME>', 'asks for the address of a channel’s webhook, posts a test card, and stores it'),
    flag('--yes', 'store them even where the service or the webhook cannot be asked'),
  ],
  work: async (place: Given<YesFlag & { channel?: string }>) => {
    if (place.local) throw new UsageError(noLocalSecret);
    await using target = await openDeployed(place);
    if (place.channel === undefined) return await secretCommand(target, place);
    return await channelSecretCommand(target, place.channel, place);
  },
});

const noLocalSecret =
  'There is no secret locally: with --service-url, SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET have it.';

/**
 * Asks for the credentials of the service, signs in with them once, says what it found, and stores them in the stack's secret.
 * What the service refuses is not stored. That it could not be asked from here says nothing about them, and the deployed worker
 * may well reach it: then they are stored with `yes` alone. They are never printed, or written to a file.
 */
export async function secretCommand(target: DeployedTarget, { yes }: YesFlag) {
  const [id = '', secret = ''] = process.stdin.isTTY ? await askOnTerminal('Client id', 'Client secret') : [];
  const credentials = process.stdin.isTTY ? { id, secret } : credentialsOfEnvironment('secret, without a terminal,');
  const { service, answer } = await signIn(target, credentials);
  if (service === 'refused' || (service === 'not asked' && !yes)) {
    const lines = [`${answer} Nothing was stored.`];
    if (service === 'not asked') lines.push(`To store them untried: ${commandLine(['secret', '--yes'], target.flags)}`);
    return failed({ service, stored: false }, lines);
  }
  await recordOperation(target, serviceSubject, { what: 'store-secret', detail: service });
  await target.storeCredentials(credentials);
  return done({ service, stored: true }, [`${answer} They are stored; nothing has to be deployed.`]);
}

/**
 * Asks for the address of a channel's webhook, posts a card that says so, stores the address, and turns the channel on. What the
 * webhook refuses is not stored; where nobody knows whether it came there, or it could not be reached from here, with `yes` alone.
 * The address is never printed.
 */
export async function channelSecretCommand(target: DeployedTarget, name: string, { yes }: YesFlag) {
  const { mail } = target.configuration;
  const channel = chooseChannel(target.configuration, name);
  if (target.storeChannelAddress === null)
    throw new UsageError('The stack has no secret for channels yet: deploy it with this configuration first.');
  const [address = ''] = process.stdin.isTTY
    ? await askOnTerminal(`Address of the webhook of "${name}"`)
    : [variable('CHANNEL_ADDRESS', 'secret --channel, without a terminal, needs the address of the webhook.')];
  if (!isChannelAddress(address))
    throw new UsageError('Expected an https address of a public host, without user info: nothing was stored.');
  const posted = await postCard(address, createTestCard(channel.kind, mail.brand.name));
  const { outcome } = posted;
  const result = answers[outcome] ?? `The webhook took no card (${'refusal' in posted ? posted.refusal : outcome}).`;
  const isRefused = outcome === 'refused' || outcome === 'gone';
  if (isRefused || (outcome !== 'accepted' && !yes)) {
    const lines = [`${result} Nothing was stored.`];
    const untried = commandLine(['secret', '--channel', name, '--yes'], target.flags);
    if (!isRefused) lines.push(`To store the address all the same: ${untried}`);
    return failed({ channel: name, outcome, stored: false }, lines);
  }
  await recordOperation(target, serviceSubject, { what: 'store-secret', detail: `channel ${name}` });
  await target.storeChannelAddress(name, address);
  await turnChannelOn(target.table, name);
  return done({ channel: name, outcome, stored: true }, [`${result} The address is stored, and the channel is on.`]);
}

/** What is said of a card that the webhook took, or may have taken. */
const answers: Readonly<Record<string, string>> = {
  accepted: 'The webhook accepted a test card: see that it is in the channel.',
  unknown: 'The webhook did not answer, or with a fault of its own: see whether a test card is in the channel.',
};

/**
 * What is typed or pasted, a line for each question, of which nothing is shown: the terminal hands on each key without showing it,
 * and what readline would show goes nowhere. Throws a `UsageError` where Ctrl-C or Ctrl-D comes first.
 */
async function askOnTerminal(...questions: string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_shown, _encoding, written) => written() });
  using terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();
  const answers: string[] = [];
  for (const question of questions) {
    process.stderr.write(`${question} (not shown): `);
    const line = await lines.next();
    process.stderr.write('\n');
    if (line.done === true) throw new UsageError('It was not typed to its end: nothing was stored.');
    answers.push(line.value.trim());
  }
  return answers;
}

/** What the service says of the credentials, in a word and in a sentence. */
async function signIn({ configuration }: DeployedTarget, credentials: Credentials) {
  using progress = createProgress();
  progress.say(`Signing in at ${configuration.service.baseUrl} …`);
  const { tokens } = openService(configuration, chooseReport(configuration), credentials, progress.say);
  const token = await attempt(UnavailableError, attempt(CodedError, tokens.access()));
  if (token instanceof CodedError) return { service: 'refused', answer: token.message };
  if (typeof token === 'string') return { service: 'accepted', answer: 'The service accepts them.' };
  return { service: 'not asked', answer: `The service could not be asked: ${withAdvice(token)}` };
}
