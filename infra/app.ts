import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, App, CliCredentialsStackSynthesizer, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { ConfigurationError } from '../functions/domain/configuration/fault.ts';
import { buildBundles } from './build/bundles.ts';
import { TemplateError, unfinishedLanguages } from './build/locales.ts';
import { configurationOf, environmentOf, stackName } from './config.ts';
import { DigestStack } from './stack.ts';
import { refuseUnfinished } from './unfinished-settings.ts';

const app = new App();
using folder = mkdtempDisposableSync(join(tmpdir(), 'broadcast-digest-'));
try {
  // `-c env=staging` lays that environment's settings over the configuration, and names the stack after it.
  const name = stackName(app.node.tryGetContext('env'));
  const configuration = configurationOf(app.node.tryGetContext('digest'), environmentOf(name));
  // `-c assets=BUCKET` deploys by the caller's own rights, where nobody has bootstrapped the account.
  const fileAssetsBucketName = app.node.tryGetContext('assets');
  // Its type is no stack's under exactOptionalPropertyTypes.
  const synthesizer = fileAssetsBucketName && Object(new CliCredentialsStackSynthesizer({ fileAssetsBucketName }));
  await buildBundles(configuration, folder.path);
  const stack = new DigestStack(app, name, { configuration, bundles: folder.path, synthesizer });
  for (const line of unfinishedLanguages(configuration.reports.map(({ locale }) => locale)))
    Annotations.of(stack).addWarningV2('broadcast-digest:language', line);
  refuseUnfinished(stack, configuration, app.node.tryGetContext('unfinished') === 'allow');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof TemplateError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
