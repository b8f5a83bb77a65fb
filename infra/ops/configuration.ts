import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { loadConfiguration } from '../config.ts';

/** What `cdk.json` says: whatever can be wrong with a call is found before anything is opened. */
export function configurationOf({ env }: { env?: string | undefined }): Configuration {
  return loadConfiguration({ today: Temporal.Now.plainDateISO('UTC').toString(), environment: env });
}
