import type { DigestOptions } from '../../../functions/digest/deliveries.ts';
import { composeDigest } from '../../../functions/digest/compose.ts';
import type { Digest } from '../../../functions/digest/schema.ts';
import type { DeliveryFacts, ObservationFacts } from '../../../functions/domain/facts.ts';
import { dayMs, instantText, periodBefore, type Period, type PeriodKind } from '../../../functions/domain/period.ts';
import { dating } from '../dating.ts';
import { createObserver, on, type Sent, type Service } from './world.ts';

const timeZone = 'Europe/London';

/** What a weekly report has where nothing else is said. */
export const weekly: Omit<DigestOptions, 'period' | 'run'> = {
  name: 'weekly',
  statuses: ['delivered'],
  deliveryRecipients: 'auto',
  contentRecipients: 'auto',
  minimumGroup: 10,
  settleHours: 36,
  weekend: 'saturday-sunday',
  authors: 'named',
  dating,
};

/** How a world is observed and reported on. */
export interface Play {
  service?: Service;
  options?: Partial<DigestOptions>;
  /** Days after 2 November on which the report runs at 08:00; without it the Mondays of weeks 1 to `weeks`. */
  runs?: number[];
  weeks?: number;
  every?: PeriodKind;
  /** Day of the first daily observation at 04:00; without one only runs observe. */
  observedFrom?: number | null;
  /** What differs from the second run on. */
  later?: Partial<DigestOptions>;
  /** What the observations say beside when they were. */
  observation?: Partial<ObservationFacts>;
  /** What the facts are instead, before a digest is composed of them. */
  alter?: (deliveries: readonly DeliveryFacts[]) => readonly DeliveryFacts[];
}

/** What is changed of the facts of one delivery, as a service or an observation may leave them. */
export function changing(id: string, change: (facts: DeliveryFacts) => Partial<DeliveryFacts>): Play {
  return {
    alter: (deliveries) => deliveries.map((facts) => (facts.id === id ? Object.assign(facts, change(facts)) : facts)),
  };
}

const same = (deliveries: readonly DeliveryFacts[]): readonly DeliveryFacts[] => deliveries;

/** The digests that a report makes of a world, run after run, each after the one before. */
export function digestsOf(world: readonly Sent[], play: Play = {}): Digest[] {
  const { weeks = 1, every = 'week', observedFrom = 0, options = {}, later = {}, alter = same } = play;
  const runs = play.runs ?? Array.from({ length: weeks }, (_, week) => 7 * (week + 1));
  const digests: Digest[] = [];
  const observer = createObserver(world, play.service);
  let before: Digest | null = null;
  let day = observedFrom ?? Infinity;
  for (const run of runs) {
    for (; day <= run; day += 1) observer.observe(on(day, 4));
    const isWarning = options.warningOf !== undefined;
    const period = isWarning ? warningPeriod(run) : periodBefore(every, timeZone, instantText(on(run, 8), timeZone));
    const { observation, deliveries } = observer.observe(on(run, 8));
    const settings = {
      ...weekly,
      ...options,
      ...(digests.length > 0 ? later : {}),
      run: `weekly_${period.name}`,
      period,
    };
    before = composeDigest(
      { observation: { ...observation, ...play.observation }, deliveries: alter(deliveries) },
      settings,
      before,
    );
    digests.push(before);
  }
  return digests;
}

/** From the instant of the last day before that is no weekend to that of the run. */
function warningPeriod(run: number): Period {
  const endMs = on(run, 8);
  const days = new Date(endMs).getUTCDay() === 1 ? 3 : 1;
  const [start, end] = [instantText(endMs - days * dayMs, timeZone), instantText(endMs, timeZone)];
  const startDate = start.slice(0, 10);
  return { kind: 'day', start, end, timeZone, startDate, name: startDate };
}
