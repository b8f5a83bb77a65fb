import { expect, test } from 'vitest';
import { addMembers, takeInstead } from '../../../../functions/ledger/persons/members.ts';
import { recordReportSeen } from '../../../../functions/ledger/reports.ts';
import { retireCommand } from '../../../../infra/program/commands/retire.ts';
import { subscribersCommand } from '../../../../infra/program/commands/subscribers.ts';
import { describeStanding, waysBack } from '../../../../infra/program/persons/known.ts';
import { requireReport } from '../../../../functions/run/find-run.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';
import { targetOf } from '../target.ts';

const at = '2026-11-01T08:00:00Z';
const ledger = await openLedger();
const target = targetOf(ledger);
const weekly = requireReport(target.configuration, 'weekly');
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

test('who took a report in place of another is counted before it is retired, and in the list of theirs once it is gone', async () => {
  const takers = weekly.subscribers.slice(0, 2).map(ledger.hashOf);
  await recordReportSeen(ledger.table, { name: 'monthly' }, at);
  for (const hash of takers) await takeInstead(ledger.table, hash, { report: 'weekly', instead: 'monthly', at });
  const reports = target.configuration.reports.filter(({ name }) => name !== 'monthly');
  const without = { ...target, configuration: { ...target.configuration, reports } };
  const { lines } = await subscribersCommand(without, weekly, 'list');
  expect(lines).toContain('2 persons took "monthly", which cdk.json no longer has: they get neither.');
  const retire = (yes: boolean) => retireCommand(without, 'monthly', { yes });
  await expect(retire(false)).rejects.toThrow('2 persons in place of "weekly": they get neither.');
  expect(await retire(true)).toMatchObject({ json: { retired: 'monthly', takenInsteadOf: { weekly: 2 } } });
});

test('an address that a spreadsheet would calculate is exported as text', async () => {
  const persons = ['+44@example.com', "=cmd|'/c calc'!a0@example.com"].map((address) => ({
    hash: ledger.hashOf(address),
    address,
  }));
  await addMembers(ledger.table, 'weekly', persons, { by: '=1+1', at });
  const { lines } = await subscribersCommand(target, weekly, 'export');
  expect(lines.filter((line) => line.includes('=1+1'))).toEqual([
    `" +44@example.com"," =1+1","${at}"`,
    `" =cmd|'/c calc'!a0@example.com"," =1+1","${at}"`,
  ]);
});

test('an address expires once it is removed from the last report that it was added to', async () => {
  const ledger = await openLedger();
  const target = targetOf(ledger);
  const reports = ['weekly', 'monthly'].map((name) => requireReport(target.configuration, name));
  const address = 'new@example.com';
  const expiry = async () => (await ledger.items(`PERSON#${ledger.hashOf(address)}`))[0]?.['expiresAt'];
  for (const report of reports) await subscribersCommand(target, report, 'add', [address]);
  const expiries = [];
  for (const report of reports) {
    await subscribersCommand(target, report, 'remove', [address]);
    expiries.push(await expiry());
  }
  expect(expiries).toEqual([undefined, expect.any(Number)]);
});
