import { Annotations, type Stack } from 'aws-cdk-lib';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { regionWarning } from './durable-regions.ts';
import { unfinishedSettings } from './unfinished.ts';

/** How a stack is deployed. */
interface Deployment {
  /** The name of the environment; `undefined` without one. */
  environment: string | undefined;
  configuration: Configuration;
  /** Where to, as far as the command line knows. */
  region: string | undefined;
  /** Whether settings that are not finished keep the stack from being deployed. */
  refuseUnfinished: boolean;
}

/** Adds what the one who deploys a stack should know before: warnings, or errors that keep it from being deployed. */
export function annotateDeployment(
  stack: Stack,
  { environment, configuration, region, refuseUnfinished }: Deployment,
): void {
  const annotations = Annotations.of(stack);
  const warning = region === undefined ? null : regionWarning(region);
  if (warning !== null) annotations.addWarningV2('broadcast-digest:region', warning);
  const unfinished = unfinishedSettings(configuration).map(({ path, message }) => `\n- ${path}: ${message}`);
  if (unfinished.length === 0) return;
  const text = `The configuration in cdk.json is not finished:${unfinished.join('')}`;
  const flags = [...(environment === undefined ? [] : [`-c env=${environment}`]), '-c unfinished=allow'].join(' ');
  if (refuseUnfinished) annotations.addError(`${text}\nTo deploy it as it is: npm run deploy -- ${flags}`);
  else annotations.addWarningV2('broadcast-digest:unfinished', text);
}
