import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import { configurationOf, loadConfiguration } from '../../infra/config.ts';
import cdkJson from '../fixtures/cdk.json' with { type: 'json' };
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

/** A file of this text in place of `cdk.json`. */
function fileOf(text: string): string {
  const cdkJsonPath = join(folder, 'cdk.json.txt');
  writeFileSync(cdkJsonPath, text);
  return cdkJsonPath;
}

describe('loadConfiguration', () => {
  it('says that a file is missing', () => {
    const path = join(folder, 'missing');
    const missing = new ConfigurationError([{ path, message: 'Expected a file to read.' }]);
    expect(() => loadConfiguration(undefined, path)).toThrow(missing);
  });

  it('reads a file that begins with a byte order mark, as the CDK does', () => {
    expect(() => loadConfiguration(undefined, fileOf('\uFEFF{"context": {"digest": 5}}'))).toThrow('found 5.');
  });

  it.each([
    ['', 1, 1],
    ['{"context": canary@example.com}', 1, 13],
    ['{\n  "context": {\n    "digest": {},\n  }\n}', 3, 17],
  ])('names the line and column at which %s stops being JSON, and nothing of it', (text, line, column) => {
    const path = fileOf(text);
    const message = `Expected JSON, found a syntax error at line ${line}, column ${column}.`;
    expect(() => loadConfiguration(undefined, path)).toThrow(new ConfigurationError([{ path, message }]));
  });
});

describe('configurationOf', () => {
  const { digest } = cdkJson.context;
  const [weekly] = digest.reports;
  const mail = { from: 'staging@example.com', brand: { colours: { accent: '#00aa00' } } };
  const environments = { staging: { mail, reports: [{ ...weekly, name: 'rehearsal' }] }, odd: [1] };
  const context = { ...digest, environments };

  it.each([
    [undefined, ['digest@example.com', '#0b57a4', 'weekly daily monthly']],
    ['staging', ['staging@example.com', '#00aa00', 'rehearsal']],
  ])('overrides the rest by %j, objects field by field and lists as a whole', (environment, expected) => {
    const { mail, service, reports } = configurationOf(context, environment);
    const { accent, accentDark } = mail.brand.colours;
    expect([mail.from, accent, reports.map(({ name }) => name).join(' ')]).toEqual(expected);
    expect([accentDark, mail.brand.name, service.baseUrl]).toEqual([
      digest.mail.brand.colours.accentDark,
      'Harbour Leisure',
      'https://reporting.example.com',
    ]);
  });

  it.each([
    ['"environments": 5', undefined, 'environments: Expected an object, found 5.'],
    ['"x": 1', 'toString', 'environments: Expected one of staging, odd, asked for "toString".'],
    ['"environments": {}', 'prod', 'Expected no environment, since there are none, asked for "prod".'],
    ['"x": 1', 'odd', 'environments.odd: Expected an object, found a list of 1.'],
  ])('refuses a context that ends with %s, and %j', (field, environment, fault) => {
    const faulty: unknown = JSON.parse(JSON.stringify(context).replace(/}$/, `,${field}}`));
    expect(() => configurationOf(faulty, environment)).toThrow(fault);
  });

  it('knows the locales by their files', () => {
    expect(() => configurationOf({ ...digest, reports: [{ ...weekly, locale: 'xx' }] })).toThrow(
      /reports\[0\]\.locale: Expected one of the locales that exist \(.*"en".*\), found "xx"\./,
    );
  });
});
