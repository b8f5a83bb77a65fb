import { resolve } from 'node:path';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { configurationOf } from '../../infra/config.ts';
import cdkJson from '../fixtures/cdk.json' with { type: 'json' };

/** The `cdk.json` that tests have, whatever the repository's says. */
export const cdkJsonPath = resolve('test/fixtures/cdk.json');

/** The tests' configuration, with some settings of a test's own laid over it. */
export function configurationWith(overlay: Record<string, unknown> = {}): Configuration {
  return configurationOf({ ...cdkJson.context.digest, environments: { test: overlay } }, 'test');
}
