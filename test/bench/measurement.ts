import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Event } from '@aws-sdk/client-lambda';
import * as v from 'valibot';

/** How much is measured. */
export interface Extent {
  /** Repetitions of each measurement, of which the median counts. */
  times: number;
  /** The short form proves that everything works, with small amounts; its figures say little. */
  short: boolean;
}

/**
 * Runs a program of this folder in a process of its own, so often one after the other, and gives what it measured each time:
 * the JSON it printed, by `schema`. Throws where the program fails.
 */
export async function measureTimes<Result>(
  times: number,
  program: string,
  input: unknown,
  schema: v.GenericSchema<unknown, Result>,
): Promise<Result[]> {
  const file = fileURLToPath(new URL(`${program}.ts`, import.meta.url));
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) {
    const child = spawn(process.execPath, [file, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const [code]: unknown[] = await once(child, 'close');
    if (code !== 0) throw new Error(`The measurement "${program}" ended with ${String(code)}.`);
    results.push(v.parse(schema, JSON.parse(printed)));
  }
  return results;
}

/** Starts a program of this folder in a process of its own, which ends with this one and answers one message after the other. */
export function launch(program: string) {
  const child = fork(fileURLToPath(new URL(`${program}.ts`, import.meta.url)));
  return {
    ask: async <Answer>(message: object | string, schema: v.GenericSchema<unknown, Answer>): Promise<Answer> => {
      const answered = once(child, 'message');
      child.send(message);
      const [answer]: unknown[] = await answered;
      return v.parse(schema, answer);
    },
    close: () => void child.kill(),
  };
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

/** Three digits that count. */
export function round(figure: number): string {
  return Math.abs(figure) >= 100 ? figure.toFixed(0) : String(Number(figure.toPrecision(3)));
}

/** A folder that is gone once it is disposed of. */
export const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'digest-bench-'));

/** When the operations of an execution began and ended, by their names, in the order they began: epoch milliseconds. */
export function operationTimes(history: readonly Event[]) {
  const times = new Map<string, { startedAt: number; endedAt: number }>();
  for (const { Name: name, EventType: type = '', EventTimestamp: at } of history) {
    if (name === undefined || at === undefined) continue;
    const instant = new Date(at).getTime();
    const known = times.get(name);
    if (known === undefined) times.set(name, { startedAt: instant, endedAt: instant });
    else if (!type.endsWith('Started')) known.endedAt = Math.max(known.endedAt, instant);
  }
  return times;
}
