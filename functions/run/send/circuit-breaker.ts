import type { Handover } from './ses.ts';

/** After this many lost answers in a row SES counts as out of order: every further one would leave another mail unknown. */
const maxLostInARow = 3;

/** Stops sending where SES does not answer, over all messages that are on their way at once. */
export interface CircuitBreaker {
  /** Records what became of a message that was handed over. */
  record(outcome: Handover['outcome']): void;
  /** Whether SES has answered at all. Until it has, only one message at a time is risked. */
  hasAnswered(): boolean;
  /** Whether to hand over nothing more, because too many answers were lost in a row. */
  isOpen(): boolean;
}

/** A closed circuit breaker. An acceptance or a refusal is an answer; a message that never reached SES says nothing. */
export function createCircuitBreaker(): CircuitBreaker {
  let answered = false;
  let lostInARow = 0;
  return {
    record: (outcome) => {
      if (outcome === 'unreached') return;
      answered ||= outcome !== 'unknown';
      lostInARow = outcome === 'unknown' ? lostInARow + 1 : 0;
    },
    hasAnswered: () => answered,
    isOpen: () => lostInARow >= maxLostInARow,
  };
}
