import { beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../../../functions/domain/digest.ts';
import { createRenderer, type RenderedDigest, type RenderInput } from '../../../../functions/run/render/render.ts';
import { loadTemplates } from '../../../../infra/build/load-templates.ts';
import { digest, input, quarterDigest } from '../../../../infra/local/viewer/samples.ts';
import { visibleText } from '../send/read-mail.ts';

let render: (input: RenderInput) => RenderedDigest;

beforeAll(async () => {
  render = createRenderer(await loadTemplates('templates'));
});

const plain = (said: string): string => said.replaceAll('\u00a0', ' ');

/** The mail of a quarterly report in one language. */
function mailOf(of: Digest, locale: string): RenderedDigest {
  const report = { title: 'Quarterly digest', locale, settleHours: 48, statuses: ['delivered'] };
  return render(input(of, { report }));
}

test('a quarter is named by its dates, and in the trend by its months', () => {
  const { subject, text, html } = mailOf(quarterDigest(), 'en');
  expect(subject).toBe('Quarterly digest, Jul 1 – Sep 30, 2026: 90 views (+10)');
  expect(plain(visibleText(html))).toContain('July 1 – September 30, 2026 · Europe/London');
  expect(plain(text)).toBe(`Harbour Leisure
Quarterly digest
July 1 – September 30, 2026 · Europe/London

The period in figures
  New deliveries: 1 · −1 (was 2)
  Views: 90 · +10 (was 80)
  Responses: 70 · unchanged (was 70)
  Response rate: 77.8% · −9.7 pts (was 87.5%)
Changes are against the quarter before.

What worked
  Best answered: “Friday Five”, 75% to date (96 views).

Views, quarter by quarter
  Oct – Dec 2025: 60
  Jan – Mar 2026: 100
  Apr – Jun 2026: 80
  Jul – Sep 2026: 90

----------------------------------------
New · 1
First views or responses came in the period.

Friday Five
  https://reporting.example.com/broadcasts/71
  by Priya Shah · created Jul 20, 2026
  To date: Seen 96 · Responded 72 · Rate 75%
  In the quarter: Seen 90 · Responded 70
  Half responded within 5 minutes.

The attached file quarterly_2026-07-01.csv has every delivery and content item
with all figures, for a spreadsheet.

----------------------------------------
About these figures
  Views and responses are counted by delivery: somebody who saw two deliveries
  counts twice.
  Data as of Oct 1, 2026, 8:00 AM GMT+1.

You get this digest because you manage a team at Harbour Leisure.
Questions? Ask the internal communications team, comms@example.com.
`);
});

describe.each([
  {
    locale: 'de',
    subject: 'Quarterly digest, 1. Juli – 30. Sept. 2026: 90 Aufrufe (+10)',
    sentences: ['Änderungen gegenüber dem Quartal davor.', 'Aufrufe, Quartal für Quartal', '  Juli–Sept. 2026: 90'],
    nothing: 'Für dieses Quartal gibt es nichts zu berichten.',
  },
  {
    locale: 'fr',
    subject: 'Quarterly digest, 1 juil. – 30 sept. 2026 : 90 vues (+10)',
    sentences: ['par rapport au trimestre précédent.', 'Vues, trimestre par trimestre', '  juil.–sept. 2026: 90'],
    nothing: 'Rien à signaler pour ce trimestre.',
  },
])('a quarter in $locale', ({ locale, subject, sentences, nothing }) => {
  test('has the words of the language', () => {
    const mail = mailOf(quarterDigest(), locale);
    expect(mail.subject).toBe(subject);
    for (const sentence of sentences) expect(mail.text).toContain(sentence);
  });

  test('says where it is empty', () => {
    expect(mailOf(digest({ ...quarterDigest(), deliveries: [] }), locale).text).toContain(nothing);
  });
});
