import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { functionNames } from '../../../infra/function-settings.ts';
import { DigestStack } from '../../../infra/stack.ts';
import cdkJson from '../../fixtures/cdk.json' with { type: 'json' };
import { configurationWith } from '../configuration.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** An app with the CDK's feature flags that the tests' configuration sets, which are the repository's, and with those of `-c`. */
export function createApp(outdir?: string, flags: Readonly<Record<string, string>> = {}): App {
  // By CloudFormation's rules, `npm run check` reads the templates, which takes longer than all else here.
  const builtinCloudFormationValidation = false;
  return new App({
    context: { ...cdkJson.context, ...flags },
    builtinCloudFormationValidation,
    ...(outdir === undefined ? {} : { outdir }),
  });
}

/**
 * The template of the tests' configuration, with an address for alarms. It is synthesized once for all the tests of
 * a worker.
 */
export function sampleTemplate(): Template {
  sample ??= templateOf(configurationWith({ operations: { alarmAddresses: ['operators@example.com'] } }));
  return sample;
}
let sample: Template | undefined;

/** The template of a stack whose bundles are empty: for what does not depend on code. */
export function templateOf(configuration: Configuration, stackName = 'BroadcastDigest', flags = {}): Template {
  const bundles = temporaryFolder();
  for (const name of functionNames) {
    mkdirSync(join(bundles, name));
    writeFileSync(join(bundles, name, 'index.cjs'), 'exports.handler = null;');
  }
  return Template.fromStack(new DigestStack(createApp(undefined, flags), stackName, { configuration, bundles }));
}
