/**
 * What AWS bills, in US dollars, and how much of it is free in every month of every account: public prices of us-east-1 as
 * they were in November 2025, https://aws.amazon.com/cloudwatch/pricing/ and the like for each service. What is free for
 * a new account's first months alone is not counted as free. Check them before you rely on them.
 *
 * Free without end, and so not here: events of AWS's services on the default bus of EventBridge, and metrics that AWS
 * publishes of its own services.
 */
export const prices = {
  secretMonth: { dollars: 0.4, free: 0 },
  /** A customer key; each of the first two rotations of its material adds as much. */
  keyMonth: { dollars: 1, free: 0 },
  /** A metric that an alarm reads: an alarm of an expression costs as often as it reads one. */
  alarmMetricMonth: { dollars: 0.1, free: 10 },
  /** A custom metric, billed by the hours in which it is published, of which a month has 730. */
  metricMonth: { dollars: 0.3, free: 10 },
  gigabyteOfLogs: { dollars: 0.5, free: 5 },
  gigabyteSecond: { dollars: 0.0000133334, free: 400_000 },
  invocation: { dollars: 0.2 / 1e6, free: 1e6 },
  writeUnit: { dollars: 0.625 / 1e6, free: 0 },
  readUnit: { dollars: 0.125 / 1e6, free: 0 },
  /** A mail, without what its attachments and the way out of AWS cost; new accounts of SES are on the plan Essentials. */
  mail: { dollars: 0.1 / 1e3, free: 0 },
  mailOnEssentials: { dollars: 0.16 / 1e3, free: 0 },
  scheduledInvocation: { dollars: 1 / 1e6, free: 14e6 },
} as const;

type BilledUnit = keyof typeof prices;

/** How much of what AWS bills is used in a month. */
export type Usage = Partial<Record<BilledUnit, number>>;

/** What a month costs without the free tier, and with all of it. */
export interface Cost {
  full: number;
  beyondFree: number;
}

/** The cost of a month's usage, in US dollars. */
export function costOf(usage: Usage): Cost {
  const cost = { full: 0, beyondFree: 0 };
  for (const unit of unitsOf(usage)) {
    const { dollars, free } = prices[unit];
    const used = usage[unit] ?? 0;
    cost.full += used * dollars;
    cost.beyondFree += Math.max(0, used - free) * dollars;
  }
  return cost;
}

/** The usage of several things together. */
export function together(...usages: readonly Usage[]): Usage {
  const sum: Usage = {};
  for (const usage of usages) {
    for (const unit of unitsOf(usage)) sum[unit] = (sum[unit] ?? 0) + (usage[unit] ?? 0);
  }
  return sum;
}

function unitsOf(usage: Usage): BilledUnit[] {
  return Object.keys(usage).filter((name): name is BilledUnit => name in prices);
}
