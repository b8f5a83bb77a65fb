import { expect, test } from 'vitest';
import { describeStanding, waysBack } from '../../../../infra/program/addresses/standing.ts';

const at = '2026-11-01T08:00:00Z';
const subscriber = { address: 'ada@example.com', member: null, leftAt: null, suppression: null };
const left = { ...subscriber, leftAt: at };
const bounced = { ...subscriber, suppression: { reason: 'bounce', at } } as const;
const forgotten = { ...subscriber, suppression: { reason: 'forgotten', at } } as const;
const removed = { ...subscriber, member: { state: 'removed', by: 'operator', at } } as const;

test('who gets no mail is said with every reason against it, and what helps with each, once', () => {
  const both = { ...left, ...bounced, member: removed.member, leftAt: at };
  expect(describeStanding(both, { isConfigured: true })).toEqual({
    gets: false,
    why: expect.stringMatching(/^unsubscribed since .*; suppressed by a bounce since .*; removed by operator, /),
  });
  const commandsOf = (...standings: Parameters<typeof waysBack>[0]) =>
    waysBack(standings).map((line) => line.match(/(?:addresses|subscribers)[ \w]* ADDRESS/g)?.join(' + '));
  const [lift, add] = ['addresses lift ADDRESS', 'subscribers REPORT add ADDRESS'];
  expect(commandsOf(subscriber, left, left)).toEqual([lift]);
  expect(commandsOf(both)).toEqual([lift, lift, add]);
  expect(commandsOf(forgotten, removed)).toEqual([`${lift} + ${add}`, add]);
});
