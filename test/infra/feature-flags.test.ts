import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };

/** Flags of the CDK that are not set as it recommends, and why. */
const others: Record<string, { value: unknown; reason: string }> = {
  '@aws-cdk/aws-lambda:recognizeLayerVersion': {
    value: false,
    reason:
      'No function has a layer. It renames the version of a function that is deployed, and Lambda makes no second one.',
  },
  '@aws-cdk/core:target-partitions': { value: ['aws'], reason: 'The stack is made for the commercial regions.' },
};

it('every feature flag that the CDK recommends is set as it recommends, save a few', async () => {
  const { context }: { context: Record<string, unknown> } = JSON.parse(await readFile('cdk.json', 'utf8'));
  const set = Object.fromEntries(Object.entries(context).filter(([name]) => name.startsWith('@aws-cdk')));
  const exceptions = Object.fromEntries(Object.entries(others).map(([name, { value }]) => [name, value]));
  expect(set).toEqual({ ...recommended, ...exceptions });
});
