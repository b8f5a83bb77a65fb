import * as v from 'valibot';
import { reportsPartition } from './reports.ts';
import type { Key, Table } from './table.ts';

const offSchema = v.object({
  channel: v.string(),
  /** Since when, ISO 8601, and the second run in a row whose card was refused for good, with what the webhook answered. */
  offSince: v.string(),
  run: v.string(),
  refusal: v.string(),
});

/** That a channel is off: no run posts to it until an operator stores its address anew, or switches it on. */
type ChannelOff = v.InferOutput<typeof offSchema>;

/** Beside the reports: whoever may see which of them are paused sees these, too. No report can be called `@…`. */
const channelKey = (channel: string): Key => ({ pk: reportsPartition, sk: `@channel#${channel}` });

export async function turnChannelOff(table: Table, off: ChannelOff): Promise<void> {
  await table.update(channelKey(off.channel), { set: off });
}

export async function turnChannelOn(table: Table, channel: string): Promise<void> {
  await table.remove(channelKey(channel));
}

/** Since when and why a channel is off; `null` where it is on. */
export async function readChannelOff(table: Table, channel: string): Promise<ChannelOff | null> {
  return v.parse(v.nullable(offSchema), await table.get(channelKey(channel)));
}
