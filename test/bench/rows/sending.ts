import * as v from 'valibot';
import { measureTimes, median } from '../measurement.ts';
import { measurePace } from '../pace.ts';
import type { Extent, Row } from '../row.ts';
import { round } from '../table.ts';

const schema = v.object({
  ms: v.number(),
  throttled: v.number(),
  messageBytes: v.number(),
  peakMiB: v.number(),
  cpuMs: v.number(),
});

/** Messages a second that SES takes, for the machine that the target was set on. */
const referenceSendRate = 200;

/**
 * Sending to many subscribers, at the rate that SES takes. To a machine that is so many times slower SES is, too: what is
 * compared is waiting for SES with work for the processor.
 */
export async function sendingRows({ times, short }: Extent): Promise<Row[]> {
  const subscribers = short ? 100 : 5_000;
  const pace = short ? 1 : await measurePace(times);
  const sendRate = Math.round(referenceSendRate / pace);
  const runs = await measureTimes(times, 'send', { subscribers, sendRate, deliveries: 12 }, schema);
  const limitMs = (subscribers / sendRate) * 1000;
  const ms = median(runs.map(({ ms }) => ms));
  return [
    {
      what: `${subscribers} subscribers, claims and marking as sent included`,
      against: `an SES that takes ${referenceSendRate} / ${round(pace)} = ${sendRate} messages a second: ${round(limitMs / 1000)} s`,
      measured: `${round(ms / 1000)} s, ${median(runs.map(({ throttled }) => throttled))} refused for the rate`,
      figure: ms / limitMs,
      target: 'at most 1.05',
      met: ms / limitMs <= 1.05,
      note:
        `  ${round(median(runs.map(({ cpuMs }) => cpuMs)) / subscribers)} ms of a processor a message of ` +
        `${round(median(runs.map(({ messageBytes }) => messageBytes)) / 1000)} KB as SES gets it. ` +
        `This machine takes ${round(pace)} times as long as the one that the target was set on.`,
    },
  ];
}
