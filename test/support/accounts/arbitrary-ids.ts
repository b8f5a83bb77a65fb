import fc from 'fast-check';
import type { Id } from './account.ts';

/** Forms of an identifier; each makes another of another place. */
const idForms: ReadonlyArray<(place: number) => Id> = [
  (place) => ({ text: `5b9e${place}c1d-0000-4000-8000-00000000000${place}` }),
  (place) => ({ text: String(700 + place) }),
  (place) => ({ text: String(800 + place), asNumber: true }),
  (place) => ({ text: `1234567890123456789${place}`, asNumber: true }),
  (place) => ({ text: `a/b ${place}?c=%2F#ü` }),
  (place) => ({ text: `=1+${place}, "x"` }),
  (place) => ({ text: ['__proto__', 'constructor', 'toString', 'valueOf'][place] ?? `hasOwnProperty${place}` }),
  (place) => ({ text: `\u{1f600}${place}` }),
];

/** Identifiers that no address can hold. */
const unaskableIds: ReadonlyArray<(place: number) => Id> = [
  (place) => ({ text: `\ud800${place}` }),
  (place) => ({ text: ['..', '.'][place] ?? `${place}\udfff` }),
];

/** A form of an identifier, mostly a usual one. */
export const idForm: fc.Arbitrary<(place: number) => Id> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...idForms.slice(0, 2)) },
  { weight: 7, arbitrary: fc.constantFrom(...idForms) },
  { weight: 1, arbitrary: fc.constantFrom(...unaskableIds) },
);
