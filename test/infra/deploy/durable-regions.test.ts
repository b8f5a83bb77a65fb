import { expect, it } from 'vitest';
import list from '../../../infra/deploy/durable-regions.json' with { type: 'json' };
import { regionWarning } from '../../../infra/deploy/durable-regions.ts';

it('the list has a date, and each region the address where it is named', () => {
  expect(list.asOf).toMatch(/^20\d\d-\d\d-\d\d$/);
  for (const [region, source] of Object.entries(list.regions)) {
    expect(region).toMatch(/^[a-z]+(?:-[a-z]+)+-\d$/);
    expect(source).toMatch(/^https:\/\/(?:aws\.amazon\.com|github\.com\/aws(?:-samples)?)\//);
  }
});

it('a region on the list is passed without a word', () => {
  expect(regionWarning('us-east-2')).toBeNull();
});

it.each(['xx-nowhere-1', 'toString'])('of region %s the list’s date and AWS’s own page are said', (region) => {
  expect(regionWarning(region)).toContain(
    `${region} is not on our list of regions with durable functions (of ${list.asOf}, not complete).`,
  );
  expect(regionWarning(region)).toContain(list.source);
});
