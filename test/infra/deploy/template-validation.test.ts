import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CloudFormationValidatePlugin, type PolicyValidationPluginReport } from 'aws-cdk-lib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TemplateValidation } from '../../../infra/deploy/template-validation.ts';

const faultless = { Resources: { Topic: { Type: 'AWS::SNS::Topic' } } };
const faulty = { Resources: { Topic: { Type: 'AWS::SNS::Topic', Properties: { Colour: 'blue' } } } };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'validation-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Validates a template as the next synthesis would. */
async function validate(template: unknown, region = 'eu-west-1'): Promise<PolicyValidationPluginReport> {
  const templatePath = join(folder, 'Stack.template.json');
  await writeFile(templatePath, JSON.stringify(template));
  return new TemplateValidation(join(folder, 'remembered')).validate({
    templatePaths: [templatePath],
    stackTemplates: [{ stackConstructPath: 'Stack', templatePath, accountId: '123456789012', region }],
    appConstruct: new App(),
  });
}

/** The check of the CDK, which takes two seconds of a processor. */
const spyOnCheck = () => vi.spyOn(CloudFormationValidatePlugin.prototype, 'validate');
const noFault = { success: true, violations: [] };

test('a template without fault is checked once, and once more for another region', { timeout: 60_000 }, async () => {
  const checks = spyOnCheck();
  const reports = [await validate(faultless), await validate(faultless)];
  expect(reports).toMatchObject([
    { success: true, violations: [] },
    { success: true, violations: [] },
  ]);
  expect(checks).toHaveBeenCalledTimes(1);
  checks.mockReturnValueOnce(noFault);
  await validate(faultless, 'us-east-1');
  expect(checks).toHaveBeenCalledTimes(2);
});

test('a fault is found every time, also where the template had none before', { timeout: 60_000 }, async () => {
  spyOnCheck().mockReturnValueOnce(noFault);
  await validate(faultless);
  for (const { violations } of [await validate(faulty), await validate(faulty)]) {
    expect(violations.map(({ description }) => description)).toEqual([expect.stringContaining('Colour')]);
  }
});
