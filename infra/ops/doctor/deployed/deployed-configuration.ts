import { hashConfiguration } from '../../../configuration-hash.ts';
import { good, look, type Finding } from '../finding.ts';
import type { DeployedSide } from './deployed-side.ts';

/** Whether the stack has the configuration that this command reads, since every other check is made with that one. */
export function examineDeployedConfiguration({ outputs, configuration }: DeployedSide): Finding {
  const { configurationHash } = outputs;
  if (configurationHash === undefined)
    return look('configuration', 'The stack does not say which configuration it has: deploy this version.');
  return configurationHash === hashConfiguration(configuration)
    ? good('configuration', 'The stack has the configuration of cdk.json.')
    : look(
        'configuration',
        'The stack has a different configuration from cdk.json: deploy, or check out what was deployed.',
      );
}
