import { expect, it } from 'vitest';
import { matchesPattern } from '../../../../../infra/local/emulators/lambda/event-pattern.ts';

const pattern = { source: ['aws.ses'], detail: { tags: { set: ['a', 'b'] } } };

it.each([
  [{ source: 'aws.ses', detail: { tags: { set: ['b'], other: ['x'] } } }, true],
  [{ source: 'aws.ses', detail: { tags: { set: 'a' } }, more: 1 }, true],
  [{ source: 'aws.ses', detail: { tags: { set: ['c'] } } }, false],
  [{ source: 'aws.ses', detail: { tags: {} } }, false],
  [{ source: 'aws.s3', detail: { tags: { set: ['a'] } } }, false],
  [{ source: 'aws.ses', detail: 'a' }, false],
])('an event such as %j matches: %s', (event, matches) => {
  expect(matchesPattern(pattern, event)).toBe(matches);
});

it('a pattern with an operator is refused, not taken for one without', () => {
  expect(() => matchesPattern({ source: [{ prefix: 'aws.' }] }, { source: 'aws.ses' })).toThrow('exact values only');
  expect(() => matchesPattern({ source: 'aws.ses' }, { source: 'aws.ses' })).toThrow('objects and lists');
});
