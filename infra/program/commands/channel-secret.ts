import { turnChannelOn } from '../../../functions/ledger/channels.ts';
import { serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import { createTestCard } from '../../../functions/render/cards/card.ts';
import { isChannelAddress, postCard } from '../../../functions/run/send/webhook.ts';
import { commandLine, done, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { UsageError } from '../command-line/flags.ts';
import type { DeployedTarget } from '../targets/deployed.ts';
import { recordOperation, type YesFlag } from '../targets/operate.ts';
import { variable } from '../targets/place.ts';
import { askOnTerminal } from './secret.ts';

/**
 * Asks for the address of a channel's webhook, posts a card that says so, stores the address, and turns the channel on. What the
 * webhook refuses is not stored; where nobody knows whether it came there, or it could not be reached from here, with `yes` alone.
 * The address is never printed.
 */
export async function channelSecretCommand(
  target: DeployedTarget,
  name: string,
  { yes }: YesFlag,
): Promise<CommandResult> {
  const { reports, mail } = target.configuration;
  const channel = reports.flatMap(({ channels }) => channels).find((each) => each.name === name);
  if (channel === undefined) throw new UsageError(`No report in cdk.json has a channel "${name}".`);
  if (target.storeChannelAddress === null)
    throw new UsageError('The stack has no secret for channels yet: deploy it with this configuration first.');
  const [address = ''] = process.stdin.isTTY
    ? await askOnTerminal(`Address of the webhook of "${name}"`)
    : [variable('CHANNEL_ADDRESS', 'secret --channel, without a terminal, needs the address of the webhook.')];
  if (!isChannelAddress(address)) throw new UsageError('Expected an https address: nothing was stored.');
  const posted = await postCard(address, createTestCard(channel.kind, mail.brand.name));
  const { outcome } = posted;
  const says = {
    accepted: 'The webhook accepted a test card: see that it is in the channel.',
    unknown: 'The webhook did not answer, or with a fault of its own: see whether a test card is in the channel.',
    other: `The webhook took no card (${'refusal' in posted ? posted.refusal : ''}).`,
  }[outcome === 'accepted' || outcome === 'unknown' ? outcome : 'other'];
  const isRefused = outcome === 'refused' || outcome === 'gone';
  if (isRefused || (outcome !== 'accepted' && !yes)) {
    const lines = [`${says} Nothing was stored.`];
    const untried = commandLine(['secret', '--channel', name, '--yes'], target.flags);
    if (!isRefused) lines.push(`To store the address all the same: ${untried}`);
    return { json: { channel: name, outcome, stored: false }, lines, code: exitCodes.noDigest };
  }
  await recordOperation(target, serviceSubject, { what: 'store-secret', detail: `channel ${name}` });
  await target.storeChannelAddress(name, address);
  await turnChannelOn(target.table, name);
  return done({ channel: name, outcome, stored: true }, [`${says} The address is stored, and the channel is on.`]);
}
