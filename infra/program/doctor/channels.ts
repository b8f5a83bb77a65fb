import { readChannelOff } from '../../../functions/ledger/channels.ts';
import { isChannelAddress, readChannelAddresses } from '../../../functions/run/send/channels.ts';
import { commandLine } from '../command-line/answer.ts';
import { fault, good, look, type Said } from './finding.ts';
import type { DeployedStack } from './stack.ts';

/** The hosts that webhooks have: of Workflows, and of Slack. */
const hosts = {
  teams: /\.(?:logic\.azure\.com|powerautomate\.com|powerplatform\.com|logic\.azure\.us)$/,
  slack: /^hooks\.slack(?:-gov)?\.com$/,
};

/** Whether each channel has an address, which leads where it should, and is on. It shows no address. */
export async function* examineChannels({
  configuration,
  table,
  secrets,
  outputs,
}: DeployedStack): AsyncGenerator<Said> {
  const channels = new Map(configuration.reports.flatMap((report) => report.channels.map((each) => [each.name, each])));
  if (channels.size === 0) return;
  const { channelsSecret } = outputs;
  if (channelsSecret === null) {
    yield fault('The stack has no secret for the addresses of channels: deploy.');
    return;
  }
  const addresses = await readChannelAddresses(secrets, channelsSecret);
  for (const { name, kind } of channels.values()) {
    const store = `"${commandLine(['secret', '--channel', name], [])}"`;
    const address = addresses[name];
    const off = await readChannelOff(table, name);
    if (address === undefined) yield fault(`Channel "${name}" has no address, and gets no card: ${store} stores one.`);
    else if (!isChannelAddress(address))
      yield fault(`The address of channel "${name}" is not https: store it by ${store}.`);
    else if (off !== null)
      yield fault(
        `Channel "${name}" is off: its webhook answered ${off.refusal} to run ${off.run}. ${store} turns it on.`,
      );
    else if (!hosts[kind].test(new URL(address).hostname))
      yield look(`The address of channel "${name}" is on no host of ${kind} that is known here.`);
    else yield good(`Channel "${name}" has an address of ${kind}.`);
  }
}
