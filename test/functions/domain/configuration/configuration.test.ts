import { describe, expect, it } from 'vitest';
import configurations from '../../../fixtures/configurations.json' with { type: 'json' };
import { parseConfiguration } from '../../../../functions/domain/configuration/configuration.ts';
import { ConfigurationError, type Fault } from '../../../../functions/domain/configuration/fault.ts';

const LOCALES = ['de', 'en'];

interface Changes {
  service?: object;
  mail?: object;
  ledger?: object;
  report?: object;
}

const { weekly } = configurations;

describe('a configuration', () => {
  it('has a default for every setting that may be left out', () => {
    expect(parseConfiguration(configuration(), LOCALES)).toEqual(configurations.defaults);
  });

  it('takes every setting', () => {
    expect(parseConfiguration(configurations.whole, LOCALES)).toEqual(configurations.whole);
  });

  it('has numbers, addresses and zones in one spelling', () => {
    const { service, reports } = parseConfiguration(
      configuration({
        service: { baseUrl: 'https://Reporting.example.com/eu/', ratingFilter: { values: [1, 2.5, 'top'] } },
        report: { schedule: { ...weekly.schedule, timeZone: 'europe/london' } },
      }),
      LOCALES,
    );
    expect([service.baseUrl, service.ratingFilter, reports[0]?.schedule.timeZone]).toEqual([
      'https://reporting.example.com/eu',
      { name: 'rating', values: ['1', '2.5', 'top'] },
      'Europe/London',
    ]);
  });

  it.each<Changes>([
    ...['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://x.example.com/a/b'].map(
      (baseUrl) => ({ service: { baseUrl } }),
    ),
    ...["o'neil+news@mail.example.co.uk", 'a@b.de', 'x_y-z.9@xn--exmple-cua.com', 'name@example.xn--p1ai'].map(
      (address) => ({ report: { subscribers: [address] } }),
    ),
    { report: { name: 'a'.repeat(53), subscribers: addresses(200) } },
    { report: { schedule: { every: 'month', on: 28, at: '21:59', timeZone: 'UTC' } } },
    { report: { schedule: { every: 'quarter', on: 1, at: '04:00', timeZone: 'Pacific/Apia' } } },
  ])('may have %j', (changes) => {
    const { service, reports } = parseConfiguration(configuration(changes), LOCALES);
    expect(service).toMatchObject(changes.service ?? {});
    expect(reports).toMatchObject([changes.report ?? {}]);
  });
});

describe('the faults of a configuration', () => {
  it('are all named at once: of fields, of unknown fields and between fields', () => {
    const { input, faults } = configurations.faulty;
    expect(faultsOf(input)).toEqual(faults);
    const lines = faults.map(({ path, message }) => `\n- ${path}: ${message}`);
    expect(() => parseConfiguration(input, LOCALES)).toThrow(`Invalid configuration:${lines.join('')}`);
  });

  it('are one for a schedule as it was written before, among all others', () => {
    const { schedule: _, ...before } = { ...weekly, cron: '0 8 ? * MON *', timeZone: 'Mars', period: 'week' };
    const both = { ...weekly, name: 'both', period: 'week', hold: 'sometimes' };
    const message =
      'Expected "schedule": {"every": "week", "on": "monday", "at": "08:00", "timeZone": "Europe/London"} ' +
      'or the like in place of cron, timeZone and period.';
    expect(faultsOf({ ...configuration(), reports: [before, both] })).toEqual([
      { path: 'reports[1].hold', message: 'Expected one of "never", "always", found "sometimes".' },
      { path: 'reports[0].schedule', message },
      { path: 'reports[1].schedule', message },
    ]);
  });

  it.each([[undefined], [null], ['digest'], [[]], [{}]])('are found in %j', (input) => {
    expect(faultsOf(input).length).toBeGreaterThan(0);
  });

  const badLink = 'mail.broadcastLink';
  it.each<[path: string, changes: Changes, message?: string]>([
    ['service.deliveries', { service: { deliveries: [] } }],
    ['service.deliveries.path', { service: { deliveries: { path: '//other.example.com/list' } } }],
    ['service.deliveries.path', { service: { deliveries: { path: '/v1/../admin' } } }],
    ['service.deliveries.path', { service: { deliveries: { path: '/v1/%2E%2e' } } }],
    ['service.deliveries.path', { service: { deliveries: { path: '/v1?x=1' } } }],
    ['service.deliveries.query.limit', { service: { deliveries: { query: { limit: 5 } } } }],
    ['service.ratingFilter', { service: { ratingFilter: 'on' } }],
    ['service.ratingFilter.values', { service: { ratingFilter: { values: [] } } }],
    ['service.concurrency', { service: { concurrency: 65 } }],
    ['service.concurrency', { service: { concurrency: 1.5 } }],
    ['mail.page', { mail: { page: 'yes' } }],
    ['mail.pageDays', { mail: { pageDays: 0 } }],
    ['mail.pageDays', { mail: { pageDays: 366 } }],
    ['mail.brand.colours.accent', { mail: { brand: { name: 'a', colours: { accent: 'blue' } } } }],
    [badLink, { mail: { broadcastLink: 'https://app.example.com/broadcasts' } }],
    [badLink, { mail: { broadcastLink: 'http://app.example.com/{broadcastId}' } }],
    [badLink, { mail: { broadcastLink: 'https://{broadcastId}.example.com/' } }],
    [badLink, { mail: { broadcastLink: 'https://example.com{broadcastId}' } }],
    [badLink, { mail: { broadcastLink: 'https://app.example.com/{broadcastId}/{deliveryId}' } }],
    [badLink, { mail: { broadcastLink: 'https://app.example.com/{{broadcastId}}' } }],
    [badLink, { mail: { broadcastLink: 'https://user:secret@app.example.com/{broadcastId}' } }],
    ['ledger.keepMonths', { ledger: { keepMonths: 2 } }],
    ['reports[0].name', { report: { name: 'a b' } }],
    ['reports[0].name', { report: { name: 'a'.repeat(54) } }],
    ['reports[0].statuses', { report: { statuses: [] } }],
    ['reports[0].settleHours', { report: { settleHours: 721 } }],
    ['reports[0].subscribers', { report: { subscribers: addresses(201) } }],
    ['reports[0].title', { report: { title: 'a\r\nBcc: b' } }],
    ['reports[0].schedule', { report: { schedule: undefined } }],
    ['reports[0].schedule.every', scheduled({ every: undefined })],
    ['reports[0].schedule.at', scheduled({ at: '03:59' })],
    ['reports[0].schedule.at', scheduled({ at: '22:00' })],
    ['reports[0].schedule.at', scheduled({ at: '08:60' })],
    ['reports[0].schedule.on', scheduled({ on: 'Monday' })],
    ['reports[0].schedule.on', scheduled({ on: undefined })],
    ['reports[0].schedule.on', scheduled({ every: 'month', on: 29 })],
    ['reports[0].schedule.on', scheduled({ every: 'quarter', on: 'monday' })],
    [
      'reports[0].schedule.on',
      scheduled({ every: 'day' }),
      'Expected nothing, as a report of every day has no "on", found "monday".',
    ],
    ['reports[0].schedule.timeZone', scheduled({ timeZone: '+01:00' })],
    [
      'reports[0].schedule.timeZone',
      scheduled({ timeZone: 'Europe/Londn' }),
      'Expected an IANA time zone such as "Europe/London", found "Europe/Londn". Did you mean "Europe/London"?',
    ],
  ])('are one at %s of %j', (path, changes, message) => {
    const faults = faultsOf(configuration(changes));
    expect(faults).toEqual([{ path, message: message ?? expect.any(String) }]);
  });

  it.each([
    [5, '5'],
    [undefined, 'nothing'],
    ['http://reporting.example.com', 'http to another machine'],
    ['ftp://reporting.example.com', 'a text that does not begin with "https://"'],
    ['https://user:canary@reporting.example.com', 'credentials'],
    ['https://reporting.example.com/?token=canary', 'a query'],
    ['https://reporting.example.com/#canary', 'a fragment'],
    ['https:reporting.example.com', 'a text that does not begin with "https://"'],
    ['https://reporting.example.com\\canary', 'a space or a backslash'],
    ['https://reporting.example.com:canary', 'an address that is not valid'],
    ['http://127.0.0.1.example.com', 'http to another machine'],
    ['reporting.example.com', 'a text that does not begin with "https://"'],
  ])('say why the base address %s is none, without showing it', (baseUrl, found) => {
    expect(faultsOf(configuration({ service: { baseUrl } }))).toEqual([
      {
        path: 'service.baseUrl',
        message: expect.stringMatching(new RegExp(`^Expected an https address.* credentials, found ${found}\\.$`)),
      },
    ]);
  });

  it.each([
    'canary',
    'canary@',
    'canary@example',
    '@example.com',
    'canary@@example.com',
    'can ary@example.com',
    'Canary <canary@example.com>',
    'canary@example.com, other@example.com',
    'canary@example.com\nBcc: other@example.com',
    '.canary@example.com',
    'can..ary@example.com',
    'canary@-example.com',
    'canary@exämple.com',
    `canary@${'example.'.repeat(40)}com`,
  ])('name the subscriber %j without showing it', (subscriber) => {
    expect(faultsOf(configuration({ report: { subscribers: ['ada@example.com', subscriber] } }))).toEqual([
      {
        path: 'reports[0].subscribers[1]',
        message: 'Expected an address such as "name@example.com", found something else.',
      },
    ]);
  });

  it('show no address in the wrong field, or used as a field’s name', () => {
    const canary = 'canary@example.com';
    const input = configuration({
      service: { contentRecipients: canary, [canary]: 1 },
      report: { locale: canary, schedule: { every: canary, on: canary, at: canary, timeZone: canary } },
    });
    const faults = faultsOf(input);
    expect(faults.map(({ path }) => path)).toEqual([
      'service.contentRecipients',
      'service[…]',
      'reports[0].schedule.every',
      'reports[0].schedule.on',
      'reports[0].schedule.at',
      'reports[0].schedule.timeZone',
      'reports[0].locale',
    ]);
    expect(JSON.stringify(faults)).not.toContain('canary');
  });
});

/** The shortest configuration, with changes. */
function configuration({ service, mail, ledger, report }: Changes = {}): object {
  const { shortest } = configurations;
  return {
    service: { ...shortest.service, ...service },
    mail: { ...shortest.mail, ...mail },
    ...(ledger && { ledger }),
    reports: [{ ...weekly, ...report }],
  };
}

function scheduled(changes: object): { report: object } {
  return { report: { schedule: { ...weekly.schedule, ...changes } } };
}

function faultsOf(input: unknown): readonly Fault[] {
  try {
    parseConfiguration(input, LOCALES);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `subscriber${index}@example.com`);
}
