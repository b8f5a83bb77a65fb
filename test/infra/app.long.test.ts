import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudAssembly, SynthesisMessageLevel } from 'aws-cdk-lib/cx-api';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import cdkJson from '../fixtures/cdk.json' with { type: 'json' };
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Calls the app as the CDK does: by the command of `cdk.json`, with a context. Gives its exit code, which a finding of a check
 * makes 1, the warnings and errors that are printed of its stack, and the rule that refuses its template.
 */
async function synthesize(context: Record<string, unknown>) {
  const folder = temporaryFolder();
  // A Node that is older than the pinned one, and first on the path.
  await writeFile(join(folder, 'node'), '#!/bin/sh\necho "too old" >&2\nexit 9\n', { mode: 0o755 });
  const outdir = join(folder, 'cdk.out');
  const child = spawn('sh', ['-c', cdkJson.app], {
    stdio: 'ignore',
    env: {
      PATH: `${folder}:/usr/bin:/bin`,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...context }),
    },
  });
  const [code]: unknown[] = await once(child, 'close');
  const stack = new CloudAssembly(outdir).stacks[0];
  // With a stack go the links of all mails.
  expect(stack?.terminationProtection).toBe(true);
  const messages = (stack?.messages ?? []).filter(({ level }) => level !== SynthesisMessageLevel.INFO);
  const warnings = messages.map(({ level, entry }) => `${level}: ${v.parse(v.string(), entry.data)}`);
  return { code, warnings, rule: stack?.template.Rules?.Finished, stack };
}

it('the app runs on the pinned Node, warns of the sample’s placeholders, and has CloudFormation refuse them', async () => {
  const { code, warnings, rule } = await synthesize({ env: 'staging' });
  const warning = /^warning: (The configuration in cdk.json is not finished:\n- .*unfinished=allow\.) \[ack: .*\]$/s;
  expect([code, warnings]).toEqual([0, [expect.stringMatching(warning)]]);
  const AssertDescription = warning.exec(warnings[0] ?? '')?.[1];
  expect(rule.Assertions).toEqual([{ Assert: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, ''] }, AssertDescription }]);
});

it('the app lets placeholders through where they are allowed, finds no other fault with a ledger that was kept, and with a bucket is deployed by the caller’s own rights', async () => {
  const ledger = { table: 'kept', credentialsSecret: 'kept/credentials', linkSecret: 'kept/link' };
  const digest = { ...cdkJson.context.digest, ledger };
  const warning = /^warning: The configuration in cdk.json is not finished:\n((?!unfinished=allow).)*$/s;
  const { stack, ...synthesized } = await synthesize({ unfinished: 'allow', digest, assets: 'a-bucket' });
  expect(synthesized).toEqual({ code: 0, rule: undefined, warnings: [expect.stringMatching(warning)] });
  const { assumeRoleArn, cloudFormationExecutionRoleArn, template } = stack ?? {};
  expect(stack?.stackTemplateAssetObjectUrl).toMatch(/^s3:\/\/a-bucket\//);
  expect([assumeRoleArn, cloudFormationExecutionRoleArn, template.Rules]).toEqual([undefined, undefined, undefined]);
});
