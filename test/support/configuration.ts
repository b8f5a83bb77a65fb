import { resolve } from 'node:path';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { loadConfiguration } from '../../infra/config.ts';

/** The `cdk.json` that tests have, whatever the repository's says. */
export const cdkJsonPath = resolve('test/fixtures/cdk.json');

/** The tests' configuration, with some settings of a test's own laid over it. */
export function configurationWith(overlay: Record<string, unknown> = {}): Configuration {
  return loadConfiguration({ cdkJsonPath, overlay });
}
