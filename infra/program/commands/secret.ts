import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import { CredentialsError, type Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { commandLine, createProgress, done, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { UsageError } from '../command-line/flags.ts';
import { chooseReport } from '../command-line/choices.ts';
import { openService } from '../doctor/account.ts';
import type { DeployedTarget } from '../targets/deployed.ts';
import { recordOperation, type YesFlag } from '../targets/operate.ts';
import { credentialsOfEnvironment } from '../targets/place.ts';

/**
 * Asks for the credentials of the service, signs in with them once, says what it found, and stores them in the stack's secret.
 * What the service refuses is not stored. That it could not be asked from here says nothing about them, and the deployed worker
 * may well reach it: then they are stored with `yes` alone. They are never printed, or written to a file.
 */
export async function secretCommand(target: DeployedTarget, { yes }: YesFlag): Promise<CommandResult> {
  const [id = '', secret = ''] = process.stdin.isTTY ? await askOnTerminal('Client id', 'Client secret') : [];
  const credentials = process.stdin.isTTY ? { id, secret } : credentialsOfEnvironment('secret, without a terminal,');
  const { service, says } = await signIn(target, credentials);
  if (service === 'refused' || (service === 'not asked' && !yes)) {
    const lines = [`${says} Nothing was stored.`];
    if (service === 'not asked') lines.push(`To store them untried: ${commandLine(['secret', '--yes'], target.flags)}`);
    return { json: { service, stored: false }, lines, code: exitCodes.noDigest };
  }
  await recordOperation(target, serviceSubject, { what: 'store-secret', detail: service });
  await target.storeCredentials(credentials);
  return done({ service, stored: true }, [`${says} They are stored; nothing has to be deployed.`]);
}

/**
 * What is typed or pasted, a line for each question, of which nothing is shown: the terminal hands on each key without showing it,
 * and what readline would show goes nowhere. Throws a `UsageError` where Ctrl-C or Ctrl-D comes first.
 */
export async function askOnTerminal(...questions: string[]): Promise<string[]> {
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
  const progress = createProgress();
  progress.say(`Signing in at ${configuration.service.baseUrl} …`);
  try {
    await openService(configuration, chooseReport(configuration), credentials, progress.say).tokens.access();
    return { service: 'accepted', says: 'The service accepts them.' };
  } catch (error) {
    if (error instanceof CredentialsError) return { service: 'refused', says: error.message };
    if (!(error instanceof UnavailableError)) throw error;
    return { service: 'not asked', says: `The service could not be asked: ${error.message}.` };
  } finally {
    progress.end();
  }
}
