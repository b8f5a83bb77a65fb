import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { deployTemplate } from '../support/aws/deployed-template.ts';
import { rightsOfRole } from '../support/aws/rights.ts';
import { templateOf } from '../support/aws/template.ts';
import { configurationWith } from '../support/configuration.ts';

const page = readFileSync('infra/docs/permissions.md', 'utf8');
const blocks: unknown[] = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = '']) => JSON.parse(json));
const policySchema = v.object({ Statement: v.array(v.object({ Action: v.any() })) });
const policies = blocks.filter((block) => v.is(policySchema, block));
const [, deployer = [], boundary = []] = policies.map(({ Statement }): string[] =>
  Statement.flatMap(({ Action }) => Action),
);

// With all that a configuration can add to a template.
const [weekly] = configurationWith().reports;
const reports = [{ ...weekly, channels: [{ name: 'managers', kind: 'teams' }] }];
const identity = { arn: 'arn:aws:ses:eu-west-1:111122223333:identity/example.com' };
const synthesized = templateOf(configurationWith({ reports, mail: { page: true, identity } })).toJSON();

test('the policy of who deploys has actions of each service whose resources the stack has, and is no longer than IAM takes', () => {
  const types = Object.values<{ Type: string }>(synthesized['Resources']).map(({ Type }) => Type);
  const services = types.map((type) => (type.split('::')[1] ?? '').toLowerCase().replace('apigatewayv2', 'apigateway'));
  const allowed = new Set(deployer.map((action) => action.split(':')[0]));
  expect([...new Set(services)].filter((service) => !allowed.has(service))).toEqual([]);
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  expect(JSON.stringify(policies[1]).length).toBeLessThan(6_144);
});

test('the boundary allows what the policies of the stack’s roles allow, and nothing else', () => {
  const template = deployTemplate(synthesized);
  const rights = template.resourcesOf('AWS::IAM::Role').flatMap((id) => rightsOfRole(template, id));
  expect(new Set(boundary)).toEqual(new Set(rights.flatMap(({ actions }) => actions)));
});
