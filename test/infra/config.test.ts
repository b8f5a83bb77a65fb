import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import { configurationOf, loadConfiguration } from '../../infra/config.ts';
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
  const baseUrl = 'https://reporting.example.com';

  it.each([
    [undefined, ['digest@example.com', '#aa0000', baseUrl, 'weekly second']],
    ['staging', ['staging@example.com', '#00aa00', baseUrl, 'rehearsal']],
  ])('overrides the rest by %j, objects field by field and lists as a whole', (environment, expected) => {
    const { mail, service, reports } = configurationOf(digest(), environment);
    const { accent, accentDark } = mail.brand.colours;
    const names = reports.map(({ name }) => name).join(' ');
    expect([mail.from, accent, service.baseUrl, names]).toEqual(expected);
    expect([accentDark, mail.brand.name]).toEqual(['#ffaaaa', 'Harbour Leisure']);
  });

  it.each([
    ['"environments": 5', undefined, 'environments: Expected an object, found 5.'],
    ['"x": 1', 'toString', 'environments: Expected one of staging, odd, asked for "toString".'],
    ['"environments": {}', 'prod', 'Expected no environment, since there are none, asked for "prod".'],
    ['"x": 1', 'odd', 'environments.odd: Expected an object, found a list of 1.'],
  ])('refuses a context that ends with %s, and %j', (field, environment, fault) => {
    const context: unknown = JSON.parse(JSON.stringify(digest()).replace(/}$/, `,${field}}`));
    expect(() => configurationOf(context, environment)).toThrow(fault);
  });

  it('knows the locales by their files', () => {
    const foreign = { ...digest(), reports: [{ ...report('weekly', []), locale: 'xx' }] };
    expect(() => configurationOf(foreign)).toThrow(
      /reports\[0\]\.locale: Expected one of the locales that exist \(.*"en".*\), found "xx"\./,
    );
  });
});

function digest() {
  return {
    service: { baseUrl: 'https://reporting.example.com' },
    mail: {
      from: 'digest@example.com',
      brand: { name: 'Harbour Leisure', colours: { accent: '#aa0000', accentDark: '#ffaaaa' } },
      footer: { why: 'You manage a site.', contact: 'Ask the team.' },
    },
    reports: [report('weekly', ['ada@example.com']), report('second', [])],
    environments: {
      staging: {
        mail: { from: 'staging@example.com', brand: { colours: { accent: '#00aa00' } } },
        reports: [report('rehearsal', [])],
      },
      odd: [1],
    },
  };
}

function report(name: string, subscribers: string[]) {
  return { name, schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' }, subscribers };
}
