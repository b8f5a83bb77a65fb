import type { DigestBroadcast, Digest } from '../../../functions/domain/digest.ts';
import { mailLimits, type SectionInput } from '../../../functions/render/input.ts';
import { createLanguage, type Language } from '../../../functions/render/texts/language.ts';
import { delivery, digest, engaged, input } from '../../support/digests/pieces.ts';
import english from '../../../templates/locales/en.json' with { type: 'json' };

export const language: Language = createLanguage('en', english, 'Europe/London');

/** A new broadcast that asks something: 96 of 160 saw it, 72 responded. */
export function entry(over: Partial<DigestBroadcast> = {}): DigestBroadcast {
  const { seen = 96, responded = 72 } = over;
  return {
    id: '71',
    name: 'Friday Five',
    createdAt: '2026-11-09T09:30:00+00:00',
    createdBy: 'Priya Shah',
    kind: 'new',
    asks: true,
    audience: 160,
    seen,
    responded,
    answered: seen === null || responded === null ? null : engaged(seen, responded).answered,
    inPeriod: engaged(96, 72),
    firstSign: '2026-11-10T08:00:00+00:00',
    stillCounting: false,
    unseenSince: null,
    deliveries: ['501'],
    listedDeliveries: 1,
    contents: [
      { id: '1', type: 'text', seen: 96, responded: 0 },
      { id: '2', type: 'poll', seen: 80, responded: 60 },
    ],
    ...over,
  };
}

/** A broadcast that nobody has seen. */
export function unseen(over: Partial<DigestBroadcast> = {}): DigestBroadcast {
  const nothing = engaged(0, 0);
  return entry({ kind: 'silent', ...nothing, inPeriod: nothing, firstSign: null, audience: 68, ...over });
}

/** A digest of broadcasts whose deliveries are there, too. An only delivery has the figures of its broadcast. */
export function digestOfEntries(broadcasts: readonly DigestBroadcast[], over: Partial<Digest> = {}): Digest {
  const deliveries = broadcasts.flatMap(({ id, name, createdAt, createdBy, ...each }) => {
    const { kind, stillCounting, seen, responded, audience } = each;
    const reach = audience === null || seen === null ? null : seen / audience;
    const figures = each.deliveries.length === 1 ? { stillCounting, seen, responded, listed: audience, reach } : {};
    return each.deliveries.map((own) =>
      delivery({ id: own, kind, broadcast: { id, name, createdAt, createdBy }, ...figures }),
    );
  });
  return digest({ deliveries, broadcasts: [...broadcasts], ...over });
}

/** What the sections of a digest's mail are made from. */
export function sectionOf(of: Digest, over: Partial<SectionInput> = {}): SectionInput {
  const { report, mail } = input(of);
  return { digest: of, report, mail, ...language, limits: mailLimits, hasPage: false, hasFile: true, ...over };
}

/** The same without spaces that keep words together. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('\u00a0', ' '));
}
