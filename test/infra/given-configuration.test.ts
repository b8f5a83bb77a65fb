import { expect, test } from 'vitest';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import cdkJson from '../../cdk.json' with { type: 'json' };
import { createRenderer } from '../../functions/render/render.ts';
import { loadTemplates, templatesFolder } from '../../infra/build/load-templates.ts';
import { readSamples } from '../../infra/build/render-samples.ts';
import { environmentNames, loadConfiguration } from '../../infra/config.ts';
import fixture from '../fixtures/cdk.json' with { type: 'json' };
import { templateOf } from '../support/aws/template.ts';

// The one file that reads the repository's cdk.json, whatever stands in it. All other tests have a configuration of their own.

test.each([undefined, ...environmentNames()])(
  'the configuration in cdk.json (environment: %s) is valid, synthesizes, and its reports render',
  async (environment) => {
    const configuration = loadConfiguration(environment);
    const { mail, reports, service } = configuration;
    expect(Object.keys(templateOf(configuration).findResources('AWS::Scheduler::Schedule')).length).toBe(
      reports.length + (service.observe === 'daily' ? 2 : 1),
    );
    const render = createRenderer(await loadTemplates(templatesFolder, mail.logo));
    const digests = Object.values(await readSamples());
    for (const report of reports) {
      const page = mail.page ? 'https://pages.example.com' : null;
      const rendered = digests.map((digest) => render({ digest, report, mail, canUnsubscribe: true, page }));
      for (const { subject, html, text } of await Promise.all(rendered)) {
        expect([subject, html, text]).not.toContain('');
        expect(html).toContain(`lang="${report.locale}"`);
        expect(html.length).toBeLessThan(102_400);
      }
    }
  },
  60_000,
);

test.each([cdkJson, fixture])(
  'every feature flag that the CDK recommends is set as it recommends, save two',
  (json) => {
    const flags = Object.entries(json.context).filter(([name]) => name.startsWith('@aws-cdk'));
    expect(Object.fromEntries(flags)).toEqual({
      ...recommended,
      // No function has a layer. It renames the version of a function that is deployed, and Lambda makes no second one.
      '@aws-cdk/aws-lambda:recognizeLayerVersion': false,
      // The stack is made for the commercial regions.
      '@aws-cdk/core:target-partitions': ['aws'],
    });
  },
);
