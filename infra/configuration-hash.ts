import { createHash } from 'node:crypto';
import type { Configuration } from '../functions/domain/configuration/configuration.ts';

/**
 * A hash of a configuration, 16 hexadecimal digits: the stack puts it out, so that the deployed configuration can be
 * compared with another one without being read. The fields are in the order of their schema, so their order in
 * `cdk.json` does not matter.
 */
export function hashConfiguration(configuration: Configuration): string {
  return createHash('sha256').update(JSON.stringify(configuration)).digest('hex').slice(0, 16);
}
