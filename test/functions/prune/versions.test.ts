import { describe, expect, it } from 'vitest';
import { versionsToPrune } from '../../../functions/prune/versions.ts';

const day = (text: string): number => Date.parse(`2026-11-${text}T08:00:00Z`);
const now = day('20');

describe('versionsToPrune', () => {
  it('is those that were replaced for longer than a run can last', () => {
    const versions = [
      { version: '9', publishedAt: day('01') },
      { version: '10', publishedAt: day('10') },
      { version: '11', publishedAt: day('18') },
      { version: '12', publishedAt: day('20') },
    ];
    expect(versionsToPrune(versions, { keepHours: 72, now })).toEqual(['9']);
    expect(versionsToPrune(versions.toReversed(), { keepHours: 47, now })).toEqual(['9', '10']);
  });

  it('is never the latest, however old', () => {
    expect(versionsToPrune([{ version: '1', publishedAt: 0 }], { keepHours: 72, now })).toEqual([]);
    expect(versionsToPrune([], { keepHours: 72, now })).toEqual([]);
  });

  it('keeps a version that was replaced exactly as long ago as it is kept', () => {
    const versions = [
      { version: '1', publishedAt: day('01') },
      { version: '2', publishedAt: day('17') },
    ];
    expect(versionsToPrune(versions, { keepHours: 72, now })).toEqual([]);
  });
});
