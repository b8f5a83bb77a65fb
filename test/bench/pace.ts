import * as v from 'valibot';
import { measureTimes, median } from './measurement.ts';

/**
 * What `measured/pace.ts` takes, two at once, on the two cores that the targets were set on. There `npm start` of commit
 * cec9852 took 5.2 s. Where this was reckoned it took 9.2 s, and the two 789 ms, in turns.
 */
const referencePaceMs = (789 * 5.2) / 9.2;

const schema = v.object({ ms: v.number() });

/**
 * How many times as long this machine takes for a fixed piece of work as the one that the targets were set on: the median of
 * so many measurements, and 1 where it is faster.
 */
export async function measurePace(times: number): Promise<number> {
  const both = await Promise.all([1, 2].map(() => measureTimes(times, 'pace', null, schema)));
  const slower = Array.from({ length: times }, (_, time) => Math.max(...both.map((runs) => runs[time]?.ms ?? 0)));
  return Math.max(1, median(slower) / referencePaceMs);
}
