import { CloudFormation, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetDurableExecutionCommand, InvokeCommand, Lambda, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { DeleteSuppressedDestinationCommand, NotFoundException, SESv2 } from '@aws-sdk/client-sesv2';
import { GetCallerIdentityCommand, STS } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readActions } from '../../../../functions/ledger/runs/actions.ts';
import { liftAddresses } from '../../../../infra/program/commands/addresses.ts';
import type { CommandResult } from '../../../../infra/program/command-line/result.ts';
import { chooseDue, chooseReport } from '../../../../infra/program/command-line/choices.ts';
import { releaseCommand } from '../../../../infra/program/commands/release.ts';
import { runCommand } from '../../../../infra/program/commands/run.ts';
import { openDeployed } from '../../../../infra/program/targets/deployed.ts';
import { defaultFolders } from '../../../../infra/program/targets/place.ts';
import type { RunTarget } from '../../../../infra/program/targets/target.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';
import { planKeptRun } from '../../../functions/run/kept-run.ts';
import { configurationWith } from '../../../support/configuration.ts';
import { typeOnTerminal } from '../../../support/terminal.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { stackWith } from '../target.ts';

// Polls come at once.
vi.mock('node:timers/promises', () => ({
  setTimeout: (_ms: number, value: unknown) => new Promise((resolve) => setImmediate(resolve, value)),
}));

const caller = 'arn:aws:sts::111122223333:assumed-role/Operators/grace';
const run = 'arn:aws:lambda:eu-west-1:111122223333:function:BroadcastDigest-Run:live';
const execution = `${run.replace(':live', ':7')}/durable-execution/x/y`;
const region = 'eu-west-1';
const cloudFormation = mockClient(CloudFormation);
const lambda = mockClient(Lambda);
const ses = mockClient(SESv2);
const sts = mockClient(STS);

const ledger = await openLedger();

beforeEach(() => {
  for (const mock of [cloudFormation, lambda, ses, sts]) mock.reset();
  const StackName = 'BroadcastDigest-staging';
  const described = { StackName, CreationTime: new Date(0), StackStatus: 'CREATE_COMPLETE' } as const;
  cloudFormation
    .on(DescribeStacksCommand, { StackName })
    .resolves({ Stacks: [{ ...described, ...stackWith({ RunFunctionAlias: run }) }] });
  sts.on(GetCallerIdentityCommand).resolves({ Arn: caller });
  lambda.on(InvokeCommand).resolves({ StatusCode: 202, DurableExecutionArn: execution });
});

async function open(): Promise<RunTarget> {
  return await openDeployed(
    { env: 'staging', local: false, ...defaultFolders, configuration: configurationWith() },
    {
      cloudFormation: new CloudFormation({ region }),
      // Not a mock: the ledger is a table in memory.
      dynamoDb: ledger.connect(),
      lambda: new Lambda({ region }),
      secrets: new SecretsManager({ region }),
      ses: new SESv2({ region }),
      sts: new STS({ region }),
    },
  );
}

/** Triggers the run of a Monday, as an operator who does not wait for its end. */
async function runWeekly(target: RunTarget, { yes = false } = {}): Promise<CommandResult> {
  const report = chooseReport(target.configuration, 'weekly');
  const options = { hold: false, follow: false, resendUnknown: false, yes };
  return await runCommand(target, report, chooseDue(report, { at: '2026-11-16T08:00:00Z' }), options);
}

test('a run is triggered by the alias of the outputs, once under its own name, and recorded with who triggered it', async () => {
  await expect(runWeekly(await open())).rejects.toThrow('Re-run with --yes to confirm.');
  const off = 'Report "weekly" is off: never switched on, so its schedule triggers nothing.';
  const triggered = { code: 0, json: { triggered: true }, lines: [expect.any(String), off] };
  expect(await runWeekly(await open(), { yes: true })).toMatchObject(triggered);
  const [call] = lambda.commandCalls(InvokeCommand);
  const { Payload, DurableExecutionName, ...invocation } = call?.args[0].input ?? {};
  expect(invocation).toEqual({ FunctionName: run, InvocationType: 'Event' });
  const order = { action: 'run', report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z' };
  expect(JSON.parse(typeof Payload === 'string' ? Payload : '')).toEqual({ ...order, operation: DurableExecutionName });
  expect(await readActions(ledger.table, 'weekly')).toEqual([
    { what: 'run', by: caller, at: expect.any(String), run: 'weekly_2026-W46' },
  ]);
  expect(lambda.commandCalls(GetDurableExecutionCommand)).toHaveLength(0);
});

test('on a terminal, what mails subscribers from a stack asks, and does nothing without a yes', async () => {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  const target = await open();
  typeOnTerminal('\n');
  const json = { run: 'weekly_2026-W46', triggered: false };
  expect(await runWeekly(target)).toEqual({ json, lines: ['Nothing was done.'], code: 0 });
  expect(printed.mock.calls.join('')).toBe(
    'weekly_2026-W46 has not begun: nobody has it. 3 subscribers would get it now.\n' +
      'It is sent from the stack BroadcastDigest-staging in eu-west-1. Go on? [y/N] ',
  );
  const weekBefore = periodBefore('week', 'Europe/London', '2026-11-02T08:00:00Z');
  const { run: held } = await planKeptRun(ledger.table, 1, weekBefore);
  typeOnTerminal('n\n');
  expect(await releaseCommand(target, held, { yes: false })).toMatchObject({ lines: ['Nothing was done.'], code: 0 });
  expect(lambda.commandCalls(InvokeCommand)).toHaveLength(0);
  typeOnTerminal('y\n');
  expect(await runWeekly(target)).toMatchObject({ json: { triggered: true } });
  expect(lambda.commandCalls(InvokeCommand)).toHaveLength(1);
});

test('an execution that Lambda does not know for a minute is one that is starting, then unknown', async () => {
  const missing = new ResourceNotFoundException({ message: 'No such execution.', $metadata: {} });
  const answer = lambda.on(GetDurableExecutionCommand, { DurableExecutionArn: execution });
  for (let poll = 0; poll < 30; poll += 1) answer.rejectsOnce(missing);
  answer.resolvesOnce({ Status: 'SUCCEEDED', Result: '{"state":"done"}' }).rejects(missing);
  const target = await open();
  const end = await target.trigger({ action: 'run' }, 'a-name');
  expect(await end()).toEqual({ failure: null, result: { state: 'done' } });
  await expect(end()).rejects.toThrow('No such execution.');
});

test("an address is lifted from SES's list of the account, too", async () => {
  const EmailAddress = 'ada@example.com';
  const lift = async () => (await liftAddresses(await open(), [EmailAddress], { yes: true })).json;
  ses.on(DeleteSuppressedDestinationCommand).rejects(new NotFoundException({ message: 'x', $metadata: {} }));
  expect(await lift()).toEqual({ lifted: 0, fromAccount: 0 });
  ses.on(DeleteSuppressedDestinationCommand, { EmailAddress }).resolves({});
  expect(await lift()).toEqual({ lifted: 0, fromAccount: 1 });
});
