import { spawnSync } from 'node:child_process';
import { environmentNames } from './config.ts';

// Synthesizes every environment of `cdk.json`, with no network: the CDK reads each template by CloudFormation's rules and
// cdk-nag's. What it says is shown of the one that fails.
for (const context of [[], ...environmentNames().map((name) => ['-c', `env=${name}`])]) {
  const flags = ['synth', '-q', '--no-notices', '--no-version-reporting', '-o', '.build/checked', ...context];
  const { status, stdout, stderr } = spawnSync('cdk', flags, { encoding: 'utf8' });
  if (status === 0) continue;
  process.stderr.write(`cdk ${flags.join(' ')}\n${stdout}${stderr}`);
  process.exitCode = 1;
  break;
}
