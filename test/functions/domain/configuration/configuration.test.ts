import { describe, expect, it } from 'vitest';
import configurations from '../../../fixtures/configurations.json' with { type: 'json' };
import { parseConfiguration } from '../../../../functions/domain/configuration/configuration.ts';
import { ConfigurationError, type Fault } from '../../../../functions/domain/configuration/fault.ts';

const locales = ['de', 'en'];

type Changes = Partial<Record<'service' | 'mail' | 'ledger' | 'report', object>>;

const { weekly } = configurations;

describe('a configuration', () => {
  it('has a default for every setting that may be left out', () => {
    expect(parseConfiguration(configuration(), locales)).toEqual(configurations.defaults);
  });

  it('takes every setting', () => {
    expect(parseConfiguration(configurations.whole, locales)).toEqual(configurations.whole);
  });

  it('has numbers, addresses and zones in one spelling', () => {
    const written = { baseUrl: 'https://Reporting.example.com/eu/', ratingFilter: { values: [1, 2.5, 'top'] } };
    const schedule = { ...weekly.schedule, timeZone: 'europe/london' };
    const { service, reports } = parseConfiguration(configuration({ service: written, report: { schedule } }), locales);
    expect([service.baseUrl, service.ratingFilter, reports[0]?.schedule.timeZone]).toEqual([
      'https://reporting.example.com/eu',
      { name: 'rating', values: ['1', '2.5', 'top'] },
      'Europe/London',
    ]);
  });

  it('gives a report that is like another one its settings, save for name, title, subscribers, channels and filters', () => {
    const { input, reports } = configurations.like;
    expect(parseConfiguration({ ...configuration(), reports: input }, locales).reports).toEqual(reports);
  });
});

const reportsWith = (report: object, mail = {}) => parseConfiguration(configuration({ report, mail }), locales).reports;

it('a report names authors as the mail’s settings say, unless it says so itself', () => {
  expect(reportsWith({}, { authors: 'unnamed' })).toMatchObject([{ authors: 'unnamed' }]);
  const warning = { at: '09:00', afterHours: 48, belowShare: 0.5 };
  expect(reportsWith({ authors: 'unnamed', warning })).toMatchObject([{ authors: 'unnamed' }, { authors: 'unnamed' }]);
});

describe('a warning', () => {
  const warning = { at: '09:00', afterHours: 48, belowShare: 0.5, subscribers: ['grace@example.com'] };

  it('is a report of every day with the settings of its own, and the subscribers of the report unless it has some', () => {
    const settings = { title: 'Digest', minimumGroup: 25, except: { broadcastName: 'Test' } };
    const channels = [{ name: 'managers', kind: 'teams' }];
    const others = { hold: 'always', whenEmpty: 'send', whenIncomplete: 'hold', channels };
    const [weekly, ofIt] = reportsWith({ ...settings, ...others, warning });
    const { subscribers, ...ofNobody } = warning;
    const [, without] = reportsWith({ warning: ofNobody });
    expect(weekly).toMatchObject({ name: 'weekly', warningReport: 'weekly_warning', hold: 'always' });
    expect(ofIt).toMatchObject({
      name: 'weekly_warning',
      ...settings,
      schedule: { every: 'day', at: '09:00', timeZone: 'Europe/London' },
      subscribers,
      whenEmpty: 'skip',
      whenIncomplete: 'send',
      hold: 'never',
      channels: [],
      warningOf: { report: 'weekly', every: 'week', afterHours: 48, belowShare: 0.5 },
    });
    expect(without?.subscribers).toEqual(weekly?.subscribers);
    expect(JSON.stringify([weekly?.warningReport, ofIt?.warningOf])).not.toContain('@');
  });

  it.each([
    [{ warning: { at: '09:00', afterHours: 48 } }, 'reports[0].warning'],
    [{ warning: { ...warning, afterHours: 36 } }, 'reports[0].warning.afterHours'],
    [{ warning: { ...warning, belowShare: 50 } }, 'reports[0].warning.belowShare'],
    [{ name: 'a'.repeat(46), warning }, 'reports[0]'],
    [{ name: 'weekly_Warning' }, 'reports[0].name'],
  ])('is refused as in %j', (report, path) => {
    expect(() => reportsWith(report)).toThrow(path);
  });
});

describe('the faults of a configuration', () => {
  it('are all named at once: of fields, of unknown fields and between fields', () => {
    const { input, faults } = configurations.faulty;
    expect(faultsOf(input)).toEqual(faults);
    for (const { path, message } of faults)
      expect(() => parseConfiguration(input, locales)).toThrow(`\n- ${path}: ${message}`);
  });

  it.each<Changes & { path: string; schedule?: object; message?: string }>([
    ...configurations.faults,
    { path: 'reports[0].name', report: { name: 'a'.repeat(54) } },
    {
      path: 'reports[0].subscribers',
      report: { subscribers: Array.from({ length: 201 }, (_, index) => `subscriber${index}@example.com`) },
      message: expect.stringContaining('subscribers REPORT import FILE.csv'),
    },
    { path: 'reports[0].schedule', report: { schedule: undefined } },
    { path: 'reports[0].schedule.every', schedule: { every: undefined } },
    { path: 'reports[0].schedule.on', schedule: { on: undefined } },
    { path: 'reports[0].schedule.from', schedule: { every: 'fortnight' } },
    { path: 'reports[0].schedule.from', schedule: { from: '2026-11-16' } },
    { path: 'reports[0].schedule.from', schedule: { every: 'fortnight', from: '2026-11-17' } },
  ])('are one of %j', ({ path, schedule, message, ...changes }) => {
    const report = { ...(schedule && { schedule: { ...weekly.schedule, ...schedule } }), ...changes.report };
    const faults = faultsOf(configuration({ ...changes, report }));
    expect(faults).toEqual([{ path, message: message ?? expect.any(String) }]);
  });

  it.each([
    ['EST', 'America/New_York'],
    ['mst', 'America/Denver'],
    ['Etc/GMT-1', 'Europe/Berlin'],
    ['GMT', 'Europe/London'],
    ['Etc/UTC', 'UTC'],
  ])('name a zone without summer time, %s, with that of a city beside it', (timeZone, city) => {
    const message = `Expected the time zone of a city, or "UTC", found "${timeZone}", which has no summer time. Did you mean "${city}"?`;
    const faults = faultsOf(configuration({ report: { schedule: { ...weekly.schedule, timeZone } } }));
    expect(faults).toEqual([{ path: 'reports[0].schedule.timeZone', message }]);
    for (const fine of ['UTC', 'Asia/Tokyo', 'CET'])
      expect(faultsOf(configuration({ service: { timeZone: fine } }))).toEqual([]);
  });

  it.each([...configurations.noBaseUrls, undefined])('name the base address %s without showing it', (baseUrl) => {
    const found = baseUrl === undefined ? 'nothing' : 'something else';
    const message = expect.stringMatching(new RegExp(`^Expected an https address.* credentials, found ${found}\\.$`));
    expect(faultsOf(configuration({ service: { baseUrl } }))).toEqual([{ path: 'service.baseUrl', message }]);
  });

  const noAddresses = [...configurations.noAddresses, `canary@${'example.'.repeat(40)}com`];
  it.each(noAddresses)('name the subscriber %j without showing it', (subscriber) => {
    const message = 'Expected an address such as "name@example.com", found something else.';
    const faults = faultsOf(configuration({ report: { subscribers: ['ada@example.com', subscriber] } }));
    expect(faults).toEqual([{ path: 'reports[0].subscribers[1]', message }]);
  });

  it('show no address in the wrong field, or used as a field’s name', () => {
    const canary = 'canary@example.com';
    const input = configuration({
      service: { contentRecipients: canary, [canary]: 1 },
      report: { locale: canary, schedule: { every: canary, on: canary, at: canary, timeZone: canary } },
    });
    const faults = faultsOf(input);
    const ofReport = ['schedule.every', 'schedule.on', 'schedule.at', 'schedule.timeZone', 'locale'];
    expect(faults.map(({ path }) => path)).toEqual([
      'service.contentRecipients',
      'service[…]',
      ...ofReport.map((field) => `reports[0].${field}`),
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

function faultsOf(input: unknown): readonly Fault[] {
  try {
    parseConfiguration(input, locales);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}
