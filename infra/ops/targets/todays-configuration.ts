import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { loadConfiguration, type ConfigurationOptions } from '../../config.ts';

/** The configuration in `cdk.json`, its schedules checked from today on. Throws a `ConfigurationError` as `loadConfiguration` does. */
export function readTodaysConfiguration(options: Pick<ConfigurationOptions, 'environment' | 'overlay'>): Configuration {
  return loadConfiguration({ ...options, today: Temporal.Now.plainDateISO('UTC').toString() });
}
