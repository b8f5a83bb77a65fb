import { afterEach, beforeEach, vi } from 'vitest';
import type { StubAnswer } from '../../support/http-stub.ts';

/**
 * Time that stands still until somebody sleeps or a test lets it pass, so that no test depends on the machine's pace. A test
 * file puts `timers` in place of `node:timers/promises`.
 */
let passed = 0;
const start = Date.parse('2026-11-16T08:00:00.600Z');
/** For what is under way: it would arrive before the end of any sleep. */
const arrivingMs = 30;

/** Lets time stand still in each test of a file. */
export function standStill(): void {
  beforeEach(() => {
    passed = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => passed);
    vi.spyOn(Date, 'now').mockImplementation(() => start + passed);
  });
  afterEach(() => void vi.restoreAllMocks());
}

/** Lets so many milliseconds pass. */
export function pass(ms: number): void {
  passed += ms;
}

/** The answer, after a time that passes for everybody. */
export function takes(ms: number, answer: StubAnswer): StubAnswer {
  return (response, request) => {
    pass(ms);
    return answer(response, request);
  };
}

export const timers = {
  setTimeout: async (ms: number): Promise<void> => {
    const end = passed + ms;
    await new Promise((resolve) => setTimeout(resolve, arrivingMs));
    passed = Math.max(passed, end);
  },
};
