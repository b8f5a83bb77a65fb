import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveOnLoopback, type Loopback } from '../../../infra/local/emulators/loopback.ts';

let folder: string;
let cloudFormation: Loopback;
/** What CloudFormation knows: the stack, and the resources that are left of it. */
let stack: {
  status: string;
  isProtected: boolean;
  resources: Array<[type: string, status: string, name: string]>;
} | null;
/** Whether CloudFormation lets nobody do anything. */
let denies: boolean;
let asked: string[];

beforeEach(async () => {
  [stack, denies, asked] = [null, false, []];
  folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  cloudFormation = await serveOnLoopback(({ body }) => {
    const request = new URLSearchParams(body.toString());
    asked.push(`${request.get('Action')} ${request.get('StackName')}`);
    return answer(request);
  });
  // In place of the CDK: it leaves its arguments and its Node in files, and ends with the code that it is given.
  await writeFile(
    join(folder, 'cdk'),
    `#!/bin/sh\nnode -p 'process.version' > "${folder}/node"\nprintf '%s\\n' "$@" > "${folder}/arguments"\nexit "$CDK_ENDS_WITH"\n`,
  );
  await chmod(join(folder, 'cdk'), 0o755);
});
afterEach(async () => {
  await cloudFormation.close();
  await rm(folder, { recursive: true });
});

function answer(request: URLSearchParams) {
  if (denies) return xml(403, failure('AccessDenied', 'Not authorized.'));
  if (stack === null) return xml(400, failure('ValidationError', 'Stack does not exist'));
  const { status, isProtected, resources } = stack;
  const action = request.get('Action') ?? '';
  if (action === 'DescribeStacks') {
    const found = `<StackName>x</StackName><CreationTime>2026-11-20T08:00:00Z</CreationTime><StackStatus>${status}</StackStatus>`;
    const protection = `<EnableTerminationProtection>${isProtected}</EnableTerminationProtection>`;
    return xml(200, result(action, `<Stacks><member>${found}${protection}</member></Stacks>`));
  }
  if (action === 'ListStackResources') {
    const members = resources.map(
      ([type, state, name]) =>
        `<member><LogicalResourceId>x</LogicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>${state}</ResourceStatus>` +
        `<PhysicalResourceId>${name}</PhysicalResourceId><LastUpdatedTimestamp>2026-11-20T08:00:00Z</LastUpdatedTimestamp></member>`,
    );
    return xml(200, result(action, `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`));
  }
  stack.isProtected = request.get('EnableTerminationProtection') === 'true';
  return xml(200, result(action, ''));
}

const result = (action: string, inner: string): string =>
  `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>`;
const failure = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
const xml = (status: number, body: string) => ({ status, headers: { 'content-type': 'text/xml' }, body });

/** Calls what `npm run deploy` calls. */
const deploy = (...args: [flags: readonly string[], endsWith?: number, credentials?: Record<string, string>]) =>
  call('deploy', ...args);

/** Calls what `npm run deploy` or `npm run diff` calls, with the stand-in for the CDK first on the path. */
async function call(
  command: 'deploy' | 'diff',
  flags: readonly string[],
  endsWith = 0,
  credentials: Record<string, string> = { AWS_ACCESS_KEY_ID: 'somebody', AWS_SECRET_ACCESS_KEY: 'secret' },
): Promise<{ code: unknown; stderr: string }> {
  const binaries = resolve('node_modules/.bin');
  const child = spawn(join(binaries, 'node'), [`infra/deploy/${command}.ts`, ...flags], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      PATH: `${folder}:${binaries}:/usr/bin:/bin`,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      CDK_ENDS_WITH: String(endsWith),
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_REGION: 'eu-west-1',
      ...credentials,
    },
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, stderr };
}

const argumentsOfCdk = async (): Promise<string[]> =>
  (await readFile(join(folder, 'arguments'), 'utf8')).trim().split('\n');

describe('npm run deploy', () => {
  it('hands its flags to the CDK, on the Node that is pinned, and ends as the CDK does', async () => {
    expect(await deploy(['-c', 'env=staging', '--require-approval', 'never'])).toEqual({ code: 0, stderr: '' });
    expect(await argumentsOfCdk()).toEqual([
      'deploy',
      '-c',
      'deploying=true',
      '-c',
      'env=staging',
      '--require-approval',
      'never',
    ]);
    expect(await readFile(join(folder, 'node'), 'utf8')).toMatch(/^v24\./);
    expect((await deploy([], 3)).code).toBe(3);
  });

  it('says how to sign in where AWS does not know who asks, once the CDK has failed', async () => {
    const nobody = { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' };
    expect(await deploy([], 1, nobody)).toEqual({
      code: 1,
      stderr: 'AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE.\n',
    });
    expect((await deploy([], 0, nobody)).stderr).toBe('');
  });

  it.each([
    [[], 'BroadcastDigest'],
    [['-c', 'env=staging'], 'BroadcastDigest-staging'],
    [['--context', 'other=1', '--context=env=eu-2', '--all'], 'BroadcastDigest-eu-2'],
  ])('with %j looks for what a failed creation left of that stack', async (flags, name) => {
    await deploy(flags);
    expect(asked).toEqual([`DescribeStacks ${name}`]);
  });

  it('takes the protection off a stack that was never created, and names the table that stayed', async () => {
    stack = {
      status: 'ROLLBACK_COMPLETE',
      isProtected: true,
      resources: [
        ['AWS::DynamoDB::GlobalTable', 'DELETE_SKIPPED', 'BroadcastDigest-LedgerTable-1'],
        ['AWS::SecretsManager::Secret', 'DELETE_COMPLETE', 'secret-1'],
      ],
    };
    const { code, stderr } = await deploy([]);
    expect({ code, stderr, isProtected: stack.isProtected }).toEqual({
      code: 0,
      isProtected: false,
      stderr: [
        'The first deployment of BroadcastDigest failed: the CDK deletes what is left of the stack, and begins again.',
        'Its table stayed, and costs nothing while it is empty: BroadcastDigest-LedgerTable-1',
        '',
      ].join('\n'),
    });
    expect((await argumentsOfCdk())[0]).toBe('deploy');
  });

  it.each(['CREATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_ROLLBACK_FAILED', 'UPDATE_IN_PROGRESS'])(
    'leaves a stack in %s protected',
    async (status) => {
      stack = { status, isProtected: true, resources: [] };
      expect((await deploy([])).stderr).toBe('');
      expect(stack.isProtected).toBe(true);
    },
  );

  it('names the command that its caller has no right to only where the CDK fails', async () => {
    denies = true;
    expect(await deploy([])).toEqual({ code: 0, stderr: '' });
    expect((await deploy([], 1)).stderr).toMatch(
      /^If it says that the stack cannot be deleted, .*\naws cloudformation update-termination-protection /,
    );
  });

  it('says nothing of its own where the CDK fails for another reason', async () => {
    expect(await deploy([], 1)).toEqual({ code: 1, stderr: '' });
    await cloudFormation.close();
    expect(await deploy([], 1)).toEqual({ code: 1, stderr: '' });
  });
});

describe('npm run diff', () => {
  it('hands its flags to the CDK, ends as it does, and asks AWS nothing', async () => {
    expect(await call('diff', ['-c', 'env=staging'])).toEqual({ code: 0, stderr: '' });
    expect(await argumentsOfCdk()).toEqual(['diff', '-c', 'env=staging']);
    expect(await call('diff', [], 3)).toEqual({ code: 3, stderr: '' });
    expect(asked).toEqual([]);
  });

  it('says how to sign in where AWS does not know who asks, once the CDK has failed', async () => {
    const nobody = { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' };
    expect(await call('diff', [], 1, nobody)).toEqual({
      code: 1,
      stderr: 'AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE.\n',
    });
  });
});
