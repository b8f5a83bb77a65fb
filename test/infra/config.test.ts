import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import { configurationOf, loadConfiguration } from '../../infra/config.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(folder, 'en.json'), '{}');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the repository’s cdk.json', () => {
  it('is a configuration with three reports', () => {
    const { reports } = loadConfiguration();
    expect(reports.map(({ name, schedule }) => ({ name, schedule }))).toEqual([
      { name: 'weekly', schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' } },
      { name: 'daily', schedule: { every: 'day', at: '07:30', timeZone: 'Europe/London' } },
      { name: 'monthly', schedule: { every: 'month', on: 1, at: '09:00', timeZone: 'America/New_York' } },
    ]);
  });
});

describe('loadConfiguration', () => {
  it('reads the digest object of the file’s context', () => {
    const cdkJsonPath = join(folder, 'whole.json.txt');
    writeFileSync(cdkJsonPath, JSON.stringify({ app: 'x', context: { digest: digest(), '@aws-cdk/x': true } }));
    expect(loadConfiguration({ cdkJsonPath, localesPath: folder })).toEqual(
      configurationOf(digest(), { localesPath: folder }),
    );
  });

  it('says that a file is missing, and where it is no JSON', () => {
    const missing = join(folder, 'missing');
    const broken = join(folder, 'broken');
    writeFileSync(broken, '{"context": canary@example.com}');
    expect(() => loadConfiguration({ cdkJsonPath: missing })).toThrow(
      new ConfigurationError([{ path: missing, message: 'Expected a file to read.' }]),
    );
    expect(() => loadConfiguration({ cdkJsonPath: broken })).toThrow(
      new ConfigurationError([{ path: broken, message: 'Expected JSON, found a syntax error at line 1, column 13.' }]),
    );
  });

  it.each([
    { text: '', line: 1, column: 1 },
    { text: '{\n  "context": {\n    "digest": {},\n  }\n}', line: 3, column: 17 },
    { text: '{"a": [1 2]}', line: 1, column: 10 },
    { text: '{"a": "b\n"}', line: 1, column: 9 },
    { text: '{"a": {"b": [true, null, -1.5e3, "\\u00e9"]}, "c": nul}', line: 1, column: 51 },
  ])('names the line and column at which $text stops being JSON', ({ text, line, column }) => {
    const cdkJsonPath = join(folder, 'broken');
    writeFileSync(cdkJsonPath, text);
    expect(() => loadConfiguration({ cdkJsonPath })).toThrow(`found a syntax error at line ${line}, column ${column}.`);
  });

  it.each(['[]', '{}', '{"context": {}}', '{"context": {"digest": null}}'])('finds no configuration in %s', (text) => {
    const cdkJsonPath = join(folder, 'empty');
    writeFileSync(cdkJsonPath, text);
    expect(() => loadConfiguration({ cdkJsonPath })).toThrow('context.digest: Expected an object in cdk.json');
  });
});

describe('configurationOf', () => {
  it('leaves the environments out where none is named', () => {
    expect(configurationOf(digest(), { localesPath: folder }).mail).toEqual({
      from: 'digest@example.com',
      identity: { of: 'address', setup: 'create' },
      brand: { name: 'Harbour Leisure', colours: { accent: '#aa0000', accentDark: '#ffaaaa' } },
      footer: { why: 'You manage a site.', contact: 'Ask the team.' },
      csvAttachment: true,
      page: false,
      pageDays: 90,
      settleMinutes: 60,
    });
  });

  it('overrides the rest by an environment, objects field by field and lists as a whole', () => {
    const configuration = configurationOf(digest(), { environment: 'staging', localesPath: folder });
    expect(configuration.mail).toEqual({
      ...configurationOf(digest(), { localesPath: folder }).mail,
      from: 'staging@example.com',
      brand: { name: 'Harbour Leisure', colours: { accent: '#00aa00', accentDark: '#ffaaaa' } },
    });
    expect(configuration.reports.map(({ name, subscribers }) => ({ name, subscribers }))).toEqual([
      { name: 'rehearsal', subscribers: [] },
    ]);
  });

  it('overrides the environment by the overlay', () => {
    const overlay = {
      service: { baseUrl: 'http://127.0.0.1:4000' },
      mail: { from: 'local@example.com', settleMinutes: 0 },
    };
    const { service, mail } = configurationOf(digest(), {
      environment: 'staging',
      overlay,
      localesPath: folder,
    });
    expect([service.baseUrl, mail.from, mail.settleMinutes, mail.brand.colours.accent]).toEqual([
      'http://127.0.0.1:4000',
      'local@example.com',
      0,
      '#00aa00',
    ]);
  });

  it.each([
    ['"environments": 5', {}, 'environments: Expected an object, found 5.'],
    ['"x": 1', { environment: 'prod' }, 'environments: Expected one of staging, odd, asked for "prod".'],
    ['"x": 1', { environment: 'toString' }, 'environments: Expected one of staging, odd, asked for "toString".'],
    ['"environments": {}', { environment: 'prod' }, 'Expected no environment, since there are none, asked for "prod".'],
    ['"x": 1', { environment: 'odd' }, 'environments.odd: Expected an object, found a list of 1.'],
  ])('refuses a context that ends with %s, and %j', (field, options, fault) => {
    const context: unknown = JSON.parse(JSON.stringify(digest()).replace(/}$/, `,${field}}`));
    expect(() => configurationOf(context, { ...options, localesPath: folder })).toThrow(fault);
  });

  it('knows the locales by their files', () => {
    const overlay = { reports: [{ ...digest().reports[0], locale: 'fr' }] };
    expect(() => configurationOf(digest(), { overlay, localesPath: folder })).toThrow(
      'reports[0].locale: Expected one of the locales that exist ("en"), found "fr".',
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
