/**
 * Public prices of us-east-1 in US dollars, as they were in November 2025, free tiers not taken off:
 * https://aws.amazon.com/lambda/pricing/ and the like for each service. Check them before you rely on them.
 */
export const prices = {
  lambda: { gigabyteSecond: 0.0000133334, request: 0.2 / 1e6 },
  durable: { operation: 8 / 1e6, gigabyteWritten: 0.25 },
  dynamoDb: { writeUnit: 0.625 / 1e6, readUnit: 0.125 / 1e6, gigabyteMonth: 0.25 },
  ses: { message: 0.1 / 1e3 },
  scheduler: { invocation: 1 / 1e6 },
  eventBridge: { event: 1 / 1e6 },
  secretsManager: { secretMonth: 0.4, call: 0.05 / 1e4 },
  cloudWatch: { gigabyteOfLogs: 0.5, metricMonth: 0.3, alarmMonth: 0.1 },
  kms: { keyMonth: 1 },
} as const;
