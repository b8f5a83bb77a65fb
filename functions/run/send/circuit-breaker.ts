import type { Handover } from './ses.ts';

/** So many answers lost one after the other mean that SES is out of order: each further one leaves another mail unknown. */
const mostLostInARow = 3;

/** What SES's answers to a run's messages say of SES, over all that are on their way at once. */
export interface CircuitBreaker {
  /** Takes into account what became of a message that was handed over. */
  record(outcome: Handover['outcome']): void;
  /** Whether SES has answered at all: before it has, one message at a time is risked. */
  hasAnswered(): boolean;
  /** Whether nothing more is to be handed over: too many answers were lost in a row. */
  isOpen(): boolean;
}

/** Counts from none: whatever SES accepts or surely refuses, it has answered; of what never reached it nothing is learnt. */
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
    isOpen: () => lostInARow >= mostLostInARow,
  };
}
