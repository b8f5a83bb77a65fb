import { runInThisContext } from 'node:vm';
import * as v from 'valibot';
import { measureTimes, median, report } from './measurement.ts';

/**
 * What this program takes, two at once, on the two cores that the targets were set on. There `npm start` of commit
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

// A fixed piece of what a command does for most of its time: code that is compiled and run for the first time, objects that
// are made and dropped, text that is parsed.

/** Each has a source of its own, so that Node compiles each again. */
function sourceOf(index: number): string {
  const steps = Array.from(
    { length: 8 },
    (_, step) => `found.set('k${index}-' + (value + ${step}), { value, step: ${step} });`,
  );
  return `(function f${index}(value) {
    const found = new Map();
    ${steps.join('\n    ')}
    const text = JSON.stringify([...found.entries()]);
    return JSON.parse(text).filter(([key, each]) => key.endsWith('${index % 10}') && each.step > ${index % 7}).length;
  })`;
}

if (import.meta.main) {
  const begun = performance.now();
  let matched = 0;
  for (let index = 0; index < 3_000; index += 1) {
    const work: unknown = runInThisContext(sourceOf(index), { filename: `f${index}.js` });
    if (typeof work !== 'function') throw new TypeError('It is no function.');
    for (let value = 0; value < 3; value += 1) matched += Number(work(value));
  }
  report({ ms: performance.now() - begun, matched });
}
