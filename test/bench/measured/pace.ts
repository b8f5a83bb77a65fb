import { runInThisContext } from 'node:vm';
import { report } from '../measurement.ts';

// A fixed piece of what a command does for most of its time: code that is compiled and run for the first time, objects that
// are made and dropped, text that is parsed.

/** Each has a source of its own, so that Node compiles each anew. */
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

const begun = performance.now();
let matched = 0;
for (let index = 0; index < 3_000; index += 1) {
  const work: unknown = runInThisContext(sourceOf(index), { filename: `f${index}.js` });
  if (typeof work !== 'function') throw new TypeError('It is no function.');
  for (let value = 0; value < 3; value += 1) matched += Number(work(value));
}
report({ ms: performance.now() - begun, matched });
