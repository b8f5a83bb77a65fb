import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/**
 * Runs a program of `measured/` in a process of its own and gives what it measured: the JSON it printed, by `schema`.
 * Throws where the program fails.
 */
export async function measure<Result>(
  program: string,
  input: unknown,
  schema: v.GenericSchema<unknown, Result>,
): Promise<Result> {
  const file = fileURLToPath(new URL(`measured/${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', file, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`The measurement "${program}" ended with ${code}.`);
  return v.parse(schema, JSON.parse(printed));
}

/** The same measurement several times over, one after the other. */
export async function measureTimes<Result>(
  times: number,
  program: string,
  input: unknown,
  schema: v.GenericSchema<unknown, Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) results.push(await measure(program, input, schema));
  return results;
}

/** The input that a program was started with, by `schema`. */
export function readInput<Input>(schema: v.GenericSchema<unknown, Input>): Input {
  return v.parse(schema, JSON.parse(process.argv[2] ?? 'null'));
}

/** Prints what a program measured, for `measure` to read. */
export function report(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** The median; the upper one of two. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError('There is no median of nothing.');
  return middle;
}
