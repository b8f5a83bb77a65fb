import * as v from 'valibot';
import { expect, it } from 'vitest';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { drawCard } from '../../../infra/local/viewer/card-drawing.ts';
import { cardSchemas } from '../../support/card-schemas.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { accounts, digestNamed, hostileTexts, languages, pageLink } from '../../support/digests/corpus.ts';
import { delivery, digest, input } from '../../support/digests/pieces.ts';
import { sectionOf } from './sections.ts';

const { locales } = await loadTemplates('templates');
const render = createCardRenderer({ locales });
const kinds = ['teams', 'slack'] as const;

/** Every text of a card, in its order. */
function textsOf(card: unknown): string[] {
  if (typeof card !== 'object' || card === null) return [];
  return Object.entries(card).flatMap(([key, value]) =>
    typeof value === 'string' ? (key === 'text' ? [value] : []) : textsOf(value),
  );
}

it.each(kinds.flatMap((kind) => languages.map((locale) => [kind, locale] as const)))(
  'every card for %s in %s is what its webhook takes, below 20 KB, and names nobody who made a broadcast',
  (kind, locale) => {
    for (const [account, sample] of Object.entries(accounts)) {
      const named = sample.digest.broadcasts.map((each) => ({ ...each, createdBy: 'Zebedee Quill' }));
      const report = { ...sample.report, locale };
      const noted = { note: { text: 'Please remind your teams.' }, only: { createdBy: 'Zebedee Quill' } };
      const shown = { ...sample.digest, ...noted, broadcasts: named };
      const card = render({ ...sample, digest: shown, report, page: pageLink, kind });
      expect(v.safeParse(cardSchemas[kind], card).issues, account).toBeUndefined();
      const json = JSON.stringify(card);
      expect(Buffer.byteLength(json), account).toBeLessThan(20_000);
      expect(json, account).not.toContain('Quill');
      if (named.length > 0) expect(json, account).toContain('Please remind your teams.');
    }
  },
);

it.each(kinds)(
  'a card for %s has the figures of the digest, three needs and no link unless there is a page',
  (kind) => {
    const week = digestNamed('needs and gaps of every sort');
    const { report, mail } = input(week);
    const card = render({ digest: week, report, mail, page: null, kind });
    const said = textsOf(card).join('\n');
    for (const { value } of viewTiles(sectionOf(week))?.tiles ?? []) expect(said).toContain(value);
    expect(said.match(/Ask its author/g)?.length).toBeLessThanOrEqual(3);
    expect(JSON.stringify(card)).not.toContain('https://');
    expect(drawCard(card)).toContain('Needs you');
    expect(JSON.stringify(render({ digest: week, report, mail, page: pageLink, kind }))).toContain(pageLink);
  },
);

it('says who is to be asked without a name, in three languages', () => {
  const silent = delivery({ kind: 'silent', seen: 0, responded: 0, inPeriod: { seen: 0, responded: 0 } });
  const sample = input(digest({ deliveries: [silent] }));
  const saidIn = (locale: string) =>
    textsOf(render({ ...sample, report: { ...sample.report, locale }, page: null, kind: 'teams' })).join('\n');
  expect(saidIn('en')).toContain('Ask its author whether it went out.');
  expect(saidIn('de')).toContain('Fragen Sie die Person, die ihn erstellt hat, ob der Broadcast verschickt wurde.');
  expect(saidIn('fr')).toContain('Demandez à la personne qui l’a créée si l’annonce est bien partie.');
});

it.each([
  ...hostileTexts,
  '*bold* _x_ ~y~ `z` :smile: <!channel> [a](https://b)',
  '{{DATE(2020-01-01T00:00:00Z)}} & <b>',
])('a text of the service is text in both cards: %j', (title) => {
  const sample = input(digest());
  const report = { ...sample.report, title: title.slice(0, 90) };
  const [teams, slack] = kinds.map((kind) => render({ ...sample, report, page: null, kind }));
  // Neither has an element in which markup would be read, but for the escaped text of a notification.
  expect(v.is(cardSchemas.teams, teams) && v.is(cardSchemas.slack, slack)).toBe(true);
  expect(textsOf(teams).join('\n')).not.toContain('{{');
});
