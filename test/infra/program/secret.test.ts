import { afterEach, describe, expect, test, vi } from 'vitest';
import { readActions, serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import { readChannelOff, turnChannelOff } from '../../../functions/ledger/channels.ts';
import { resumeChannel } from '../../../infra/program/commands/resume.ts';
import { channelSecretCommand, secretCommand } from '../../../infra/program/commands/secret.ts';
import { openLedger } from '../../functions/ledger/open-ledger.ts';
import { json, startHttpStub, status, text, type StubAnswer } from '../../support/http-stub.ts';
import { configurationWith } from '../../support/configuration.ts';
import { typeOnTerminal } from '../../support/terminal.ts';
import { targetOf } from './target.ts';

const service = await startHttpStub();
const configuration = configurationWith({ service: { baseUrl: service.url } });

afterEach(() => void vi.restoreAllMocks().unstubAllEnvs());

/** What the command answers to these keys on a terminal, or without one; and what is then stored and recorded. */
async function store(keys: string | null, answer: StubAnswer, yes = false) {
  service.answer('/v1/auth', answer);
  typeOnTerminal(keys);
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ledger = await openLedger();
  const stored: unknown[] = [];
  const storeCredentials = (credentials: unknown) => Promise.resolve(void stored.push(credentials));
  const { code, lines } = await secretCommand(
    { ...targetOf(ledger, { configuration }), storeCredentials, storeChannelAddress: null },
    { yes },
  );
  const recorded = await readActions(ledger.table, serviceSubject);
  expect(shown.mock.calls.flat().join('') + JSON.stringify([lines, recorded])).not.toContain('canary');
  expect(recorded.map(({ what, by }) => `${what} by ${by}`)).toEqual(stored.map(() => 'store-secret by grace'));
  return { code, stored, says: lines.join(' ') };
}

const good = json({ token: 'a-token' });
const typed = 'canary-id\n canary-secret \n';
const stored = [{ id: 'canary-id', secret: 'canary-secret' }];
const accepted = { code: 0, stored, says: 'The service accepts them. They are stored; nothing has to be deployed.' };

test.each([
  ['that the service accepts are stored, which is recorded', good, false, accepted],
  ['that it refuses are not, whatever was confirmed', status(401), true, { code: 1, stored: [], says: 'refused' }],
  ['are not stored untried', status(404), false, { code: 1, stored: [], says: 'npm run ops -- secret --yes' }],
  ['are stored untried after a yes', status(404), true, { code: 0, stored, says: '[POST] /v1/auth: 404. They are' }],
])('credentials that are typed, or pasted at once, and shown nowhere, %s', async (_, answer, yes, expected) => {
  const says = expect.stringContaining(expected.says);
  expect(await store(typed, answer, yes)).toEqual({ ...expected, says });
  expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toEqual(stored[0]);
});

test('Ctrl-C stores nothing, and a script has them in its environment', async () => {
  await expect(store('canary-id\n\u0003', good)).rejects.toThrow('nothing was stored');
  await expect(store(null, good)).rejects.toThrow('SERVICE_CLIENT_ID is not set, or not exported: secret, without');
  vi.stubEnv('SERVICE_CLIENT_ID', 'canary-id').stubEnv('SERVICE_CLIENT_SECRET', 'canary-secret');
  expect(await store(null, good)).toEqual(accepted);
});

describe('the address of a channel', () => {
  const [weekly] = configurationWith().reports;
  const reports = [{ ...weekly, channels: [{ name: 'managers', kind: 'slack' }] }];
  const off = { channel: 'managers', offSince: '2026-11-16T08:00:00Z', run: 'weekly_2026-W46', refusal: 'HTTP 404' };

  /** What the command answers to an address in the environment, what is then stored, and whether the channel is on. */
  async function storeChannel(address: string, { yes = false, name = 'managers', isDeployed = true } = {}) {
    typeOnTerminal(null);
    vi.stubEnv('CHANNEL_ADDRESS', address).stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', service.url);
    const ledger = await openLedger();
    await turnChannelOff(ledger.table, off);
    const stored: string[] = [];
    const store = (...values: string[]) => Promise.resolve(void stored.push(values.join(' ')));
    const storing = { storeCredentials: () => Promise.reject(), storeChannelAddress: isDeployed ? store : null };
    const target = { ...targetOf(ledger, { configuration: configurationWith({ reports }) }), ...storing };
    const { code, lines } = await channelSecretCommand(target, name, { yes });
    const actions = await readActions(ledger.table, serviceSubject);
    expect(JSON.stringify([lines, actions])).not.toContain('canary');
    const isOn = (await readChannelOff(ledger.table, 'managers')) === null;
    return { code, stored, isOn, recorded: actions.length, says: lines.join(' ') };
  }

  const hook = `${service.url}/canary`;
  const stored = { code: 0, stored: [`managers ${hook}`], isOn: true, recorded: 1 };
  const notStored = { code: 1, stored: [], isOn: false, recorded: 0 };

  test.each([
    ['that takes a test card is stored, and the channel is on', text('ok'), false, stored],
    ['that refuses is not, whatever was confirmed', status(404), true, notStored],
    ['that is a page, and no webhook, is not', text('<html>Sign in</html>'), true, notStored],
    ['that gives no sure answer is not stored untried', status(500), false, notStored],
    ['that gives none is stored after a yes', status(500), true, stored],
  ])('%s', async (_, answer, yes, expected) => {
    service.answer('/canary', answer);
    expect(await storeChannel(hook, { yes })).toMatchObject(expected);
    expect(service.requests.at(-1)?.body).toContain('This is a test.');
  });

  test('that answers again is kept: the channel is switched on by its name, which is recorded once', async () => {
    const ledger = await openLedger();
    await turnChannelOff(ledger.table, off);
    const target = targetOf(ledger, { configuration: configurationWith({ reports }) });
    for (const resumed of [true, false])
      expect((await resumeChannel(target, 'managers')).json).toMatchObject({ resumed });
    expect(await readActions(ledger.table, serviceSubject)).toMatchObject([{ what: 'resume' }]);
  });
});
