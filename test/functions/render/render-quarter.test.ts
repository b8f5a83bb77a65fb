import { beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { createRenderer, type RenderedDigest, type RenderInput } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digest, input } from '../../support/digests/pieces.ts';
import { digestNamed } from '../../support/digests/corpus.ts';
import { visibleText } from '../run/send/read-mail.ts';

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
  const { subject, text, html } = mailOf(digestNamed('a quarter'), 'en');
  expect(subject).toBe('90 views (+10) – Quarterly digest, Jul 1 – Sep 30');
  expect(plain(visibleText(html))).toContain('July 1 – September 30, 2026');
  expect(plain(text)).toContain(`New this quarter · 1 broadcast
`);
  expect(plain(text)).toContain(`Views, quarter by quarter
  From            Views  Response rate
  Oct – Dec 2025     60           117%
  Jan – Mar 2026    100            70%
  Apr – Jun 2026     80            88%
  Jul – Sep 2026     90            78%
`);
});

describe.each([
  {
    locale: 'de',
    subject: '90 Aufrufe (+10) – Quarterly digest, 1. Juli – 30. Sept.',
    sentences: ['Neu in diesem Quartal · 1 Broadcast', 'Aufrufe, Quartal für Quartal', '  Juli–Sept. 2026       90'],
    nothing: 'Für dieses Quartal gibt es nichts zu berichten.',
  },
  {
    locale: 'fr',
    subject: '90 vues (+10) – Quarterly digest, 1 juil. – 30 sept.',
    sentences: ['Nouveau ce trimestre · 1 annonce', 'Vues, trimestre par trimestre', '  juil.–sept. 2026    90'],
    nothing: 'Rien à signaler pour ce trimestre.',
  },
])('a quarter in $locale', ({ locale, subject, sentences, nothing }) => {
  test('has the words of the language', () => {
    const mail = mailOf(digestNamed('a quarter'), locale);
    expect(mail.subject).toBe(subject);
    for (const sentence of sentences) expect(mail.text).toContain(sentence);
  });

  test('says where it is empty', () => {
    expect(mailOf(digest({ ...digestNamed('a quarter'), deliveries: [], broadcasts: [] }), locale).text).toContain(
      nothing,
    );
  });
});
