import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudAssembly, SynthesisMessageLevel, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { finishedSettings } from '../support/finished-settings.ts';

const cdkJsonSchema = v.object({
  app: v.string(),
  context: v.looseObject({ digest: v.looseObject({ mail: v.looseObject({}) }) }),
});

let folder: string;
let cdkJson: v.InferOutput<typeof cdkJsonSchema>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-'));
  cdkJson = v.parse(cdkJsonSchema, JSON.parse(await readFile('cdk.json', 'utf8')));
  // A Node that is older than the pinned one, and first on the path.
  await writeFile(join(folder, 'node'), '#!/bin/sh\necho "too old" >&2\nexit 9\n');
  await chmod(join(folder, 'node'), 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

/**
 * Calls the app as the CDK does: by the command of `cdk.json`, with a context and a region. Gives its stack, and what is
 * printed of it: the level, and the first line. Where that is an error, the app fails, and so it does where a check finds one.
 */
async function synthesize(
  context: Record<string, unknown>,
  region = 'us-east-1',
): Promise<{ code: unknown; stack: CloudFormationStackArtifact | undefined; said: string[] }> {
  const outdir = join(folder, 'cdk.out');
  const child = spawn('sh', ['-c', cdkJson.app], {
    stdio: 'ignore',
    env: {
      PATH: `${folder}:/usr/bin:/bin`,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...context }),
      CDK_DEFAULT_REGION: region,
    },
  });
  const [code]: unknown[] = await once(child, 'close');
  const [stack] = new CloudAssembly(outdir).stacks;
  const messages = (stack?.messages ?? []).filter(({ level }) => level !== SynthesisMessageLevel.INFO);
  return { code, stack, said: messages.map(({ level, entry }) => `${level}: ${firstLine(entry.data)}`) };
}

function firstLine(data: unknown): string {
  return v.parse(v.string(), data).split('\n')[0] ?? '';
}

/** The digest of `cdk.json` without placeholders. */
const finished = () => {
  const { digest } = cdkJson.context;
  return { ...digest, ...finishedSettings, mail: { ...digest.mail, ...finishedSettings.mail } };
};

describe('the app', () => {
  it('runs on the Node that is pinned, whichever is first on the path, and warns of the sample’s placeholders', async () => {
    const { code, said, stack } = await synthesize({});
    expect({ code, said }).toEqual({ code: 0, said: ['warning: The configuration in cdk.json is not finished:'] });
    expect(stack?.terminationProtection).toBe(true);
  });

  it('keeps placeholders from being deployed by `npm run deploy`, unless it is told to let them through', async () => {
    const refused = await synthesize({ deploying: 'true', env: 'staging' });
    expect(refused).toMatchObject({ code: 1, said: ['error: The configuration in cdk.json is not finished:'] });
    const texts = refused.stack?.messages.map(({ entry }) => v.parse(v.string(), entry.data)) ?? [];
    expect(texts.join('\n')).toMatch(/^To deploy it as it is: npm run deploy -- -c env=staging -c unfinished=allow$/m);
    expect(await synthesize({ deploying: 'true', unfinished: 'allow' })).toMatchObject({
      code: 0,
      said: ['warning: The configuration in cdk.json is not finished:'],
    });
  });

  it('finds no fault in a finished configuration, warns of a region that is not known to have durable functions, and lets it be deployed to', async () => {
    const digest = { ...finished(), mail: { ...finished().mail, identity: { of: 'domain' } } };
    expect(await synthesize({ digest, deploying: 'true' }, 'xx-nowhere-1')).toMatchObject({
      code: 0,
      said: [expect.stringMatching(/^warning: xx-nowhere-1 is not on our list .* \(of 20\d\d-\d\d-\d\d, /)],
    });
  });
});
