import type { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { ConfigurationError } from '../../../functions/domain/configuration/fault.ts';
import { loadConfiguration } from '../../config.ts';
import { chooseInstant, chooseReport, readServiceCredentials } from './choices.ts';
import type { Options } from './flags.ts';
import { faultsOfFolders } from './folder-flags.ts';
import { UsageError } from './usage-error.ts';

/** A call whose flags, configuration and credentials were checked before anything is started. */
export interface CheckedCall {
  options: Options;
  report: ReportConfiguration;
  at: string;
  /** `null`: the sample account. */
  service: { url: string; credentials: { id: string; secret: string } } | null;
}

/**
 * Checks flags, folders, configuration and credentials, before anything is asked or written.
 *
 * @throws {UsageError} which names all faults
 */
export function checkCall(options: Options, faultsOfFlags: readonly string[], now: Temporal.Instant): CheckedCall {
  const { state, out } = options;
  const faults = [...faultsOfFlags, ...faultsOfFolders({ state, out })];
  let invalid: ConfigurationError | null = null;
  const attempt = <T>(check: () => T): T | null => {
    try {
      return check();
    } catch (error) {
      if (error instanceof ConfigurationError) invalid = error;
      else if (error instanceof UsageError) faults.push(...error.faults);
      else throw error;
      return null;
    }
  };
  const configuration = attempt(() => loadConfiguration());
  const report = configuration === null ? null : attempt(() => chooseReport(configuration, options.report));
  const at = report === null ? null : attempt(() => chooseInstant(report, options.at, now));
  const { serviceUrl: url } = options;
  const credentials = url === undefined ? null : attempt(() => readServiceCredentials(process.env));
  if (report === null || at === null || faults.length > 0) throw new UsageError(faults, { configuration: invalid });
  const service = url === undefined || credentials === null ? null : { url, credentials };
  return { options, report, at, service };
}
