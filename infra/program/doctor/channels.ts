import { readChannelOff } from '../../../functions/ledger/channels.ts';
import { isChannelAddress, readChannelAddresses } from '../../../functions/run/send/webhook.ts';
import { fault, good, look, type Said } from './finding.ts';
import type { DeployedStack } from './stack.ts';

/** The hosts that webhooks have: of Workflows, and of Slack. */
const hosts = {
  teams: /\.(?:logic\.azure\.com|powerautomate\.com|powerplatform\.com|logic\.azure\.us)$/,
  slack: /^hooks\.slack(?:-gov)?\.com$/,
};

/** Whether each channel has an address, which leads where it should, and is on. It shows no address. */
export async function* examineChannels(stack: DeployedStack): AsyncGenerator<Said> {
  const { configuration, table, secrets, outputs } = stack;
  const channels = new Map(configuration.reports.flatMap((report) => report.channels.map((each) => [each.name, each])));
  const { channelsSecret } = outputs;
  const addresses = channelsSecret === null ? {} : await readChannelAddresses(secrets, channelsSecret);
  for (const { name, kind } of channels.values()) {
    const store = `"npm run ops -- secret --channel ${name}"`;
    const address = addresses[name] ?? '';
    const off = await readChannelOff(table, name);
    if (!isChannelAddress(address)) yield fault(`Channel "${name}" has no https address, and gets no card: ${store}.`);
    else if (off !== null) yield fault(`Channel "${name}" is off since run ${off.run} (${off.refusal}): ${store}.`);
    else if (hosts[kind].test(new URL(address).hostname)) yield good(`Channel "${name}" has an address of ${kind}.`);
    else yield look(`The address of channel "${name}" is on no host of ${kind} that is known here.`);
  }
}
