import { tmpdir } from 'node:os';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Temporal } from 'temporal-polyfill';
import { ConfigurationError } from '../functions/configuration/fault.ts';
import { buildBundles } from './build/bundles.ts';
import { configurationOf } from './config.ts';
import { DigestStack } from './stack.ts';

const app = new App();
try {
  const configuration = configurationOf(app.node.tryGetContext('digest'), {
    today: Temporal.Now.plainDateISO('UTC').toString(),
  });
  const bundles = await buildBundles(configuration, mkdtempSync(join(tmpdir(), 'broadcast-digest-')));
  new DigestStack(app, 'BroadcastDigest', { configuration, bundles });
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
