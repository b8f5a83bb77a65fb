import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { loadConfiguration } from '../../config.ts';

/** The configuration in `cdk.json`, read before anything is opened so that wrong flags are found first. */
export function readTodaysConfiguration({ env }: { env?: string | undefined }): Configuration {
  return loadConfiguration({ today: Temporal.Now.plainDateISO('UTC').toString(), environment: env });
}
