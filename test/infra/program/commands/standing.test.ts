import { expect, test } from 'vitest';
import { describeStanding, waysBack } from '../../../../infra/program/commands/subscribers.ts';

const at = '2026-11-01T08:00:00Z';
const left = {
  address: 'ada@example.com',
  member: null,
  leftAt: at,
  instead: null,
  suppression: null,
  forgottenAt: null,
};
const more = { suppression: { reason: 'bounce', at }, member: { state: 'removed', by: 'operator', at } } as const;

test('who gets no mail is said with every reason against it, and what helps with each, once', () => {
  const bounced = { ...left, ...more };
  const { why } = describeStanding(bounced, { isConfigured: true });
  expect(why).toMatch(/^unsubscribed since .*; suppressed by a bounce since .*; removed by operator, /);
  const commands = waysBack([left, left, bounced]).map((line) => line.slice(line.indexOf(': ') + 2));
  expect(commands).toEqual([
    'addresses rejoin REPORT ADDRESS',
    'addresses lift ADDRESS',
    'subscribers REPORT add ADDRESS',
  ]);
});
