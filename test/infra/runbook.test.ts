import { expect, it } from 'vitest';
import * as v from 'valibot';
import { matterKinds } from '../../functions/ledger/notices.ts';
import type { Matter } from '../../functions/watch/matters.ts';
import { beginText } from '../../functions/watch/notice-text.ts';
import { runOf, runsWith } from '../functions/watch/inspected-samples.ts';
import { alarmSchema } from '../support/aws/alarms.ts';
import { sampleTemplate } from '../support/aws/template.ts';
import { anchorOf, headingsOf, pages } from '../support/pages.ts';

const [watched] = runsWith(runOf());
if (watched === undefined) throw new RangeError('There is no run.');
const about = { subject: watched.name, watched, isRecent: true };
const suppressed = { ...about, kind: 'suppressed', count: 2, complaints: 0 } as const;
const matters: Matter[] = [
  ...matterKinds.flatMap((kind) => (kind === 'suppressed' ? [] : [{ ...about, kind }])),
  { ...suppressed, softBounces: 0 },
  { ...suppressed, softBounces: 2 },
];
const runbook = 'https://git.example.com/digest/runbook.md';

it('every notice and alarm leads to its heading of the runbook, and every heading there has one', () => {
  const [explained = ''] = (pages.get('infra/docs/runbook.md') ?? '').split('## A manager says');
  const notices = matters.map((matter) => {
    const { subject, body } = beginText(matter, { environment: undefined, flags: [], runbook });
    const [, anchor = ''] = body.trimEnd().split(`More: ${runbook}#`);
    if (matter.kind !== 'suppressed') expect(anchor).toBe(anchorOf(subject.split(':')[0] ?? ''));
    return anchor;
  });
  const alarms = Object.values(sampleTemplate().findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => {
    const description = JSON.stringify(v.parse(alarmSchema, Properties).AlarmDescription);
    return anchorOf(/More: \\"(.*)\\" in/.exec(description)?.[1] ?? '');
  });
  expect([...notices, ...alarms].toSorted()).toEqual(headingsOf(explained, '###').map(anchorOf).toSorted());
});
