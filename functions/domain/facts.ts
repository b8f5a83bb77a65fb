import * as v from 'valibot';
import { countsSchema } from './counts-by-word.ts';
import { unavailableSchema } from './reasons.ts';

/**
 * What observations left of the deliveries of an account: facts, and no conclusion. All instants are epoch milliseconds; those of
 * an observation are the instant at which it began, so that everything that one observation read has the same.
 */
const instantMs = v.pipe(v.number(), v.integer());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const minuteMs = 60_000;

/** Minutes of a step. The widest that the offsets of all configured zones are whole numbers of is taken. */
export const stepsInMinutes = [60, 30, 15] as const;
export type StepMinutes = (typeof stepsInMinutes)[number];

/** So many numbers a step: how many steps after the one before, and how many more had seen, had responded, had done both by its end. */
const numbersAStep = 4;

/**
 * When a list's people saw it and responded, as counts by the end of each step that had any, in the order of time. The first step
 * is counted from the epoch. No row can be told from it, save where a step had one person.
 */
const momentsSchema = v.object({
  stepMinutes: v.picklist(stepsInMinutes),
  deltas: v.custom<readonly number[]>(areDeltas, 'Expected four whole numbers for each step'),
});
export type Moments = v.InferOutput<typeof momentsSchema>;

function areDeltas(value: unknown): boolean {
  return Array.isArray(value) && value.length % numbersAStep === 0 && value.every(Number.isSafeInteger);
}

/** When a row was seen and responded to; `null` where it was not, or where that is not known. */
export interface RowMoments {
  seenAtMs: number | null;
  respondedAtMs: number | null;
}

/** How many had seen, had responded, and had done both. */
const engagedSchema = v.object({ seen: count, responded: count, answered: count });
export type EngagedBy = v.InferOutput<typeof engagedSchema>;

/** Counts the moments of the rows of a list, one row after the other. */
export function createMoments(stepMinutes: StepMinutes) {
  const steps = new Map<number, EngagedBy>();
  const add = (atMs: number | null, action: keyof EngagedBy): void => {
    if (atMs === null) return;
    const step = Math.floor(atMs / (stepMinutes * minuteMs));
    const counts = steps.get(step) ?? { seen: 0, responded: 0, answered: 0 };
    counts[action] += 1;
    steps.set(step, counts);
  };
  return {
    add: ({ seenAtMs, respondedAtMs }: RowMoments): void => {
      add(seenAtMs, 'seen');
      add(respondedAtMs, 'responded');
      if (seenAtMs !== null && respondedAtMs !== null) add(Math.max(seenAtMs, respondedAtMs), 'answered');
    },
    moments: (): Moments => {
      const inTime = [...steps].toSorted(([a], [b]) => a - b);
      const deltas = inTime.flatMap(([step, { seen, responded, answered }], place) => {
        const [before = 0] = inTime[place - 1] ?? [];
        return [step - before, seen, responded, answered];
      });
      return { stepMinutes, deltas };
    },
  };
}

/** What had been done by an instant: in all steps that had ended by then. */
export function countsAt({ stepMinutes, deltas }: Moments, endMs: number): EngagedBy {
  const endStep = Math.floor(endMs / (stepMinutes * minuteMs));
  const counts = { seen: 0, responded: 0, answered: 0 };
  let step = 0;
  for (let place = 0; place < deltas.length; place += numbersAStep) {
    step += deltas[place] ?? 0;
    if (step >= endStep) break;
    counts.seen += deltas[place + 1] ?? 0;
    counts.responded += deltas[place + 2] ?? 0;
    counts.answered += deltas[place + 3] ?? 0;
  }
  return counts;
}

/** When the first step began in which somebody did something; `null` where nobody did. */
export function firstMomentMs({ stepMinutes, deltas: [first] }: Moments): number | null {
  return first === undefined ? null : first * stepMinutes * minuteMs;
}

/** A list of recipients as an observation read it, whole. */
const listFactsSchema = v.object({
  /** The observation that read it. */
  readMs: instantMs,
  /** Rows, and those of people who had neither seen nor responded: only lists of an audience have them. */
  listed: count,
  untouched: count,
  /** Rows without a field for `seenAt`, for `respondedAt`, for either; absent where there are none. */
  lacking: v.exactOptional(
    v.object({
      seenAt: count,
      respondedAt: count,
      neither: count,
      /** Both fields occur in what was read with it: where one is absent, it is null. */
      areNamed: v.exactOptional(v.literal(true)),
    }),
  ),
  /** Dates that are set and cannot be read, or are a wrong clock's; and rows with both dates of which one is such. */
  undated: engagedSchema,
  /** A date has no time of day. */
  areDays: v.boolean(),
  moments: momentsSchema,
  /** How many had given each rating, by its decimal text, and ratings that cannot be read; absent where there are none. */
  ratings: v.exactOptional(countsSchema),
  unreadableRatings: v.exactOptional(count),
});
export type ListFacts = v.InferOutput<typeof listFactsSchema>;

/**
 * Why the last observation that tried could not read something, and since which one of those in a row that could not; absent where
 * it could.
 */
const unreadSchema = v.exactOptional(v.object({ sinceMs: instantMs, ...unavailableSchema.entries }));

const contentFactsSchema = v.object({
  id: v.string(),
  /** `null` where it was never read. */
  list: v.nullable(listFactsSchema),
  unread: unreadSchema,
  /** Why its ratings are not known although its list is. */
  ratingsUnavailable: v.exactOptional(unavailableSchema),
});
export type ContentFacts = v.InferOutput<typeof contentFactsSchema>;

const broadcastFactsSchema = v.object({
  /** Empty where the service gave none. */
  id: v.string(),
  name: v.nullable(v.string()),
  createdMs: v.nullable(instantMs),
  createdBy: v.nullable(v.string()),
  /** In the author's order; `null` where the broadcast was never read. */
  contents: v.nullable(v.array(v.object({ id: v.string(), type: v.string() }))),
  unread: unreadSchema,
});
export type BroadcastFacts = v.InferOutput<typeof broadcastFactsSchema>;

/** The facts of one delivery. What is first is written once; the rest is as of the last observation that read it. */
export const deliveryFactsSchema = v.object({
  id: v.string(),
  broadcast: broadcastFactsSchema,
  /** Each status that it was listed with, in its own word, and when first; in the order of time. */
  statuses: v.array(v.object({ status: v.string(), firstListedMs: instantMs })),
  /** The status that it was last listed with. */
  status: v.string(),
  firstListedMs: instantMs,
  lastListedMs: instantMs,
  /** The last observation of a whole list before it was first listed; `null` where that was the first of all. */
  unlistedMs: v.nullable(instantMs),
  /** Its earliest engagement that is no wrong clock's, and the observation that first read it. */
  firstSign: v.nullable(v.object({ atMs: instantMs, readMs: instantMs })),
  /** The last observation that asked for it, whether it could be read or not; absent where none did. */
  askedMs: v.exactOptional(instantMs),
  /** Its own list of recipients; `null` where it was never read. */
  list: v.nullable(listFactsSchema),
  unread: unreadSchema,
  /** Its content items as far as they were ever asked for. */
  contents: v.array(contentFactsSchema),
});
export type DeliveryFacts = v.InferOutput<typeof deliveryFactsSchema>;

/** What an observation says of the account as a whole. */
export const observationFactsSchema = v.object({
  /** When it began. */
  atMs: instantMs,
  /** From when on facts know everything that the list ever had. */
  coveredSinceMs: instantMs,
  /** Why the list of deliveries may lack some; absent where it was read whole. */
  unavailable: v.exactOptional(unavailableSchema),
  /** Exactly as long as before twice in a row, and more than a third new: it may hold the newest alone. */
  mayHoldOnlyNewest: v.boolean(),
});
export type ObservationFacts = v.InferOutput<typeof observationFactsSchema>;

/** The facts of an account, as of an observation. */
export interface AccountFacts {
  observation: ObservationFacts;
  deliveries: readonly DeliveryFacts[];
}
