import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentNames } from '../config.ts';
import { stackName } from '../environment-name.ts';
import { lintTemplates } from './lint-templates.ts';

const buildFolder = fileURLToPath(new URL('../../.build/', import.meta.url));

/**
 * Synthesizes every environment of `cdk.json`, with no network, and has cfn-lint read the templates where it is installed.
 * What the CDK says is shown where it fails. Returns the exit code.
 */
async function checkTemplates(): Promise<number> {
  const templates: string[] = [];
  for (const environment of [undefined, ...environmentNames()]) {
    const stack = stackName(environment);
    const folder = join(buildFolder, `checked-${stack}`);
    const context = environment === undefined ? [] : ['-c', `env=${environment}`];
    const flags = ['synth', '-q', '--no-notices', '--no-version-reporting', '-o', folder, ...context];
    const { status, stdout, stderr } = spawnSync('cdk', flags, { encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`${stack} cannot be synthesized:\n${stdout}${stderr}`);
      return 1;
    }
    templates.push(join(folder, `${stack}.template.json`));
  }
  const findings = await lintTemplates(templates);
  if (findings === null) process.stdout.write('cfn-lint is not installed: it has not checked the templates.\n');
  for (const finding of findings ?? []) process.stderr.write(`${finding}\n`);
  return (findings ?? []).length === 0 ? 0 : 1;
}

process.exitCode = await checkTemplates();
