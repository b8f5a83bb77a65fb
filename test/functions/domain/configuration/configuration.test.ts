import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Configuration,
  parseConfiguration,
  type ReportConfiguration,
} from '../../../../functions/domain/configuration/configuration.ts';
import { ConfigurationError, type Fault } from '../../../../functions/domain/configuration/fault.ts';

const FACTS = { locales: ['de', 'en'], today: '2026-11-20' };

describe('parseConfiguration', () => {
  it('fills in every default', () => {
    expect(parseConfiguration(configuration(), FACTS)).toEqual({
      service: {
        baseUrl: 'https://reporting.example.com',
        deliveries: { path: '/v1/broadcasts/deliveries', query: {} },
        deliveryRecipients: 'auto',
        contentRecipients: 'auto',
        informingTypes: ['text', 'image', 'video', 'audio', 'file', 'document'],
        ratingFilter: { name: 'rating', values: ['1', '2', '3', '4', '5'] },
        notPaging: [],
        concurrency: 8,
        timeout: 20,
      },
      mail: {
        from: 'digest@example.com',
        identity: { of: 'address', setup: 'create' },
        brand: { name: 'Harbour Leisure', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } },
        footer: { why: 'You manage a site.', contact: 'Ask the team.' },
        csvAttachment: true,
        page: false,
        pageDays: 90,
        settleMinutes: 60,
      },
      ledger: { keepMonths: 26 },
      operations: { alarmAddresses: [] },
      reports: [
        {
          name: 'weekly',
          formerly: [],
          title: 'weekly',
          cron: '0 8 ? * MON *',
          timeZone: 'Europe/London',
          period: 'week',
          subscribers: ['ada@example.com'],
          locale: 'en',
          statuses: ['delivered'],
          settleHours: 48,
          whenEmpty: 'send',
          whenIncomplete: 'send',
          hold: 'never',
          graceHours: 6,
          holdHours: 24,
        },
      ],
    });
  });

  it('takes every setting', () => {
    const whole = {
      service: {
        baseUrl: 'http://127.0.0.1:4000/account',
        deliveries: { path: '/v2/deliveries', query: { limit: '500' } },
        deliveryRecipients: 'audience',
        contentRecipients: 'engaged',
        informingTypes: ['slide'],
        ratingFilter: 'off',
        notPaging: ['summary.total'],
        concurrency: 64,
        timeout: 120,
      },
      mail: {
        from: 'digest@example.com',
        logo: 'pictures/logo.png',
        csvAttachment: false,
        page: true,
        pageDays: 365,
        identity: { of: 'domain', setup: 'import' },
        replyTo: 'team@example.com',
        brand: { name: 'Harbour & Söhne', colours: { accent: '#AA0000', accentDark: '#ffAAAA' } },
        broadcastLink: 'https://app.example.com/broadcasts/{broadcastId}?tab=results',
        footer: { why: 'You manage a site.', contact: 'Ask the team.' },
        settleMinutes: 0,
      },
      ledger: { keepMonths: 120 },
      operations: { alarmAddresses: ['operators@example.com'] },
      reports: [
        {
          name: 'Site_7-daily',
          formerly: ['site_7-daily', 'Site-7'],
          title: 'Täglicher Überblick',
          cron: '30 7 * * ? *',
          timeZone: 'Asia/Kolkata',
          period: 'day',
          subscribers: [],
          locale: 'de',
          statuses: ['delivered', 'partially_delivered'],
          settleHours: 0,
          whenEmpty: 'skip',
          whenIncomplete: 'hold',
          hold: 'always',
          graceHours: 1,
          holdHours: 720,
          broadcastName: 'Site 7',
        },
      ],
    };
    expect(parseConfiguration(whole, FACTS)).toEqual(whole);
  });

  it('normalizes numbers, addresses, zones and crons', () => {
    const { service, reports } = parseConfiguration(
      configuration({
        service: { baseUrl: 'https://Reporting.example.com/eu/', ratingFilter: { values: [1, 2.5, 'top'] } },
        report: { cron: ' 0 8  ? * MON *', timeZone: 'europe/london' },
      }),
      FACTS,
    );
    expect([service.baseUrl, service.ratingFilter, reports[0]?.cron, reports[0]?.timeZone]).toEqual([
      'https://reporting.example.com/eu',
      { name: 'rating', values: ['1', '2.5', 'top'] },
      '0 8 ? * MON *',
      'Europe/London',
    ]);
  });

  it('names every fault at once, of fields, of unknown fields and between fields', () => {
    const input = {
      service: { baseUrl: 'http://reporting.example.com', concurency: 3, timeout: 0 },
      mail: { from: 'digest', brand: { name: 'a\nb' }, footer: { why: 'You manage a site.' } },
      reports: [
        { ...weekly, cron: '30 1 * * ? *', period: 'day', locale: 'fr' },
        {
          ...weekly,
          name: 'Weekly',
          timezone: 'Europe/London',
          period: 'fortnight',
          subscribers: ['A@x.com', 'a@X.com'],
        },
      ],
    };
    expect(faultsOf(input)).toEqual([
      {
        path: 'service.baseUrl',
        message:
          'Expected an https address (http on loopback only), with or without a path, without query, fragment and ' +
          'credentials, found http to another machine.',
      },
      { path: 'service.timeout', message: 'Expected a whole number from 1 to 120, found 0.' },
      { path: 'mail.from', message: 'Expected an address such as "name@example.com", found something else.' },
      {
        path: 'mail.brand.name',
        message:
          'Expected a text of 1 to 80 characters on one line, without spaces at its start or end, found "a\\nb".',
      },
      {
        path: 'mail.footer.contact',
        message:
          'Expected a text of 1 to 500 characters on one line, without spaces at its start or end, found nothing.',
      },
      { path: 'reports[1].period', message: 'Expected one of "day", "week", "month", "quarter", found "fortnight".' },
      { path: 'service.concurency', message: 'Unknown field. Did you mean "concurrency"?' },
      { path: 'reports[1].timezone', message: 'Unknown field. Did you mean "timeZone"?' },
      {
        path: 'reports[1].name',
        message: 'Expected a unique name, found that of reports[0]. Upper and lower case are the same.',
      },
      {
        path: 'reports[1].subscribers[1]',
        message: 'Expected each address once, found that of subscribers[0]. Upper and lower case are the same.',
      },
      { path: 'reports[0].locale', message: 'Expected one of the locales that exist ("de", "en"), found "fr".' },
      {
        path: 'reports[0].cron',
        message:
          'Expected times that exist: the clocks of Europe/London skip 2027-03-28 01:30, 2028-03-26 01:30, ' +
          '2029-03-25 01:30 and 2 more, and the report would not run then.',
      },
    ]);
  });

  it('lists all faults in one message', () => {
    const input = configuration({ mail: { settleMinutes: 1441 }, report: { hold: 'sometimes' } });
    expect(() => parseConfiguration(input, FACTS)).toThrow(
      new ConfigurationError([
        { path: 'mail.settleMinutes', message: 'Expected a whole number from 0 to 1440, found 1441.' },
        { path: 'reports[0].hold', message: 'Expected one of "never", "always", found "sometimes".' },
      ]),
    );
    expect(new ConfigurationError(faultsOf(input)).message).toBe(
      'Invalid configuration:\n' +
        '- mail.settleMinutes: Expected a whole number from 0 to 1440, found 1441.\n' +
        '- reports[0].hold: Expected one of "never", "always", found "sometimes".',
    );
  });

  it.each([[undefined], [null], ['digest'], [[]], [{}]])('refuses %j', (input) => {
    expect(faultsOf(input).length).toBeGreaterThan(0);
  });

  it.each([
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
    ['mail.pageDays', { mail: { pageDays: 1.5 } }],
    ['mail.brand.colours.accent', { mail: { brand: { name: 'a', colours: { accent: 'blue' } } } }],
    ['ledger.keepMonths', { ledger: { keepMonths: 2 } }],
    ['reports[0].name', { report: { name: 'a b' } }],
    ['reports[0].name', { report: { name: 'a'.repeat(54) } }],
    ['reports[0].statuses', { report: { statuses: [] } }],
    ['reports[0].settleHours', { report: { settleHours: 721 } }],
    ['reports[0].timeZone', { report: { timeZone: '+01:00' } }],
    ['reports[0].timeZone', { report: { timeZone: 'Europe/Londn' } }],
    ['reports[0].subscribers', { report: { subscribers: addresses(201) } }],
    ['reports[0].title', { report: { title: 'a\r\nBcc: b' } }],
  ])('finds the fault at %s of %j', (path, changes) => {
    expect(faultsOf(configuration(changes)).map((fault) => fault.path)).toEqual([path]);
  });

  it('takes 200 subscribers and a name of 53 characters', () => {
    const input = configuration({ report: { name: 'a'.repeat(53), subscribers: addresses(200) } });
    expect(parseConfiguration(input, FACTS).reports[0]?.subscribers).toHaveLength(200);
  });

  it('names the time zone that was probably meant', () => {
    expect(faultsOf(configuration({ report: { timeZone: 'Europe/Londn' } }))).toEqual([
      {
        path: 'reports[0].timeZone',
        message:
          'Expected an IANA time zone such as "Europe/London", found "Europe/Londn". Did you mean "Europe/London"?',
      },
    ]);
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
  ])('refuses the base address %s and says why without showing it', (baseUrl, found) => {
    const [fault, ...others] = faultsOf(configuration({ service: { baseUrl } }));
    expect(others).toEqual([]);
    expect(fault?.path).toBe('service.baseUrl');
    expect(fault?.message).toMatch(/^Expected an https address/);
    expect(fault?.message.endsWith(`credentials, found ${found}.`)).toBe(true);
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://x.example.com/a/b'])(
    'takes the base address %s',
    (baseUrl) => {
      expect(parseConfiguration(configuration({ service: { baseUrl } }), FACTS).service.baseUrl).toBe(baseUrl);
    },
  );

  it.each([
    'https://app.example.com/broadcasts',
    'http://app.example.com/{broadcastId}',
    'https://{broadcastId}.example.com/',
    'https://example.com{broadcastId}',
    'https://app.example.com/{broadcastId}/{deliveryId}',
    'https://app.example.com/{{broadcastId}}',
    'https://user:secret@app.example.com/{broadcastId}',
  ])('refuses the broadcast link %s', (broadcastLink) => {
    expect(faultsOf(configuration({ mail: { broadcastLink } })).map(({ path }) => path)).toEqual([
      'mail.broadcastLink',
    ]);
  });

  it.each([
    'canary',
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
  ])('refuses the subscriber %j without showing it', (subscriber) => {
    const faults = faultsOf(configuration({ report: { subscribers: ['ada@example.com', subscriber] } }));
    expect(faults).toEqual([
      {
        path: 'reports[0].subscribers[1]',
        message: 'Expected an address such as "name@example.com", found something else.',
      },
    ]);
  });

  it.each(["o'neil+news@mail.example.co.uk", 'a@b.de', 'x_y-z.9@xn--exmple-cua.com', 'name@example.xn--p1ai'])(
    'takes the subscriber %s',
    (subscriber) => {
      const input = configuration({ report: { subscribers: [subscriber] } });
      expect(parseConfiguration(input, FACTS).reports[0]?.subscribers).toEqual([subscriber]);
    },
  );

  it('shows no address in the wrong field, or used as a field’s name', () => {
    const input = configuration({
      service: { contentRecipients: 'canary@example.com', 'canary@example.com': 1 },
      report: { locale: 'canary@example.com', cron: 'canary@example.com', timeZone: 'canary@example.com' },
    });
    const faults = faultsOf(input);
    expect(faults.map(({ path }) => path)).toEqual([
      'service.contentRecipients',
      'reports[0].cron',
      'reports[0].timeZone',
      'service[…]',
      'reports[0].locale',
    ]);
    expect(JSON.stringify(faults)).not.toContain('canary');
  });
});

describe('the former names of a report', () => {
  it('may differ from its name, and from one another, by case alone', () => {
    const input = withReports(named('weekly', ['Weekly', 'WEEKLY', 'news']), named('daily', []));
    expect(parseConfiguration(input, FACTS).reports[0]?.formerly).toEqual(['Weekly', 'WEEKLY', 'news']);
  });

  it('are names that no report has, no other report had, and none of them twice: all faults are named at once', () => {
    const input = withReports(
      named('weekly', ['weekly', 'Daily', 'news', 'news', 'a b']),
      named('daily', ['NEWS', 'old']),
      named('monthly', ['OLD', 'WEEKLY']),
    );
    expect(faultsOf(input)).toEqual([
      {
        path: 'reports[0].formerly[4]',
        message: 'Expected 1 to 53 letters, digits, "-" and "_", found "a b".',
      },
      formerNameFault('reports[0].formerly[0]', 'reports[0].name'),
      formerNameFault('reports[0].formerly[1]', 'reports[1].name'),
      formerNameFault('reports[0].formerly[3]', 'reports[0].formerly[2]'),
      formerNameFault('reports[1].formerly[0]', 'reports[0].formerly[2]'),
      formerNameFault('reports[2].formerly[0]', 'reports[1].formerly[1]'),
      formerNameFault('reports[2].formerly[1]', 'reports[0].name'),
    ]);
  });

  it('are at most twenty', () => {
    const names = Array.from({ length: 21 }, (_, index) => `name-${index}`);
    expect(parseConfiguration(withReports(named('weekly', names.slice(1))), FACTS).reports).toHaveLength(1);
    expect(faultsOf(withReports(named('weekly', names)))).toMatchObject([{ path: 'reports[0].formerly' }]);
  });
});

describe('the schedule of a report', () => {
  it.each([
    [
      'day',
      '0 8,20 * * ? *',
      'fires at 2026-11-20 08:00 and at 2026-11-20 20:00 for the day that starts on 2026-11-19.',
    ],
    [
      'week',
      '0 8 ? * MON,FRI *',
      'fires at 2026-11-23 08:00 and at 2026-11-27 08:00 for the week that starts on 2026-11-16.',
    ],
    [
      'month',
      '0 8 ? * MON *',
      'fires at 2026-11-23 08:00 and at 2026-11-30 08:00 for the month that starts on 2026-10-01.',
    ],
    [
      'month',
      '0 8 1,28 2 ? *',
      'fires at 2027-02-01 08:00 and at 2027-02-28 08:00 for the month that starts on 2027-01-01.',
    ],
    [
      'quarter',
      '0 8 1 * ? *',
      'fires at 2027-01-01 08:00 and at 2027-02-01 08:00 for the quarter that starts on 2026-10-01.',
    ],
  ])('has at most one fire a %s: %s', (period, cron, end) => {
    expect(faultsOf(configuration({ report: { period, cron } }))).toEqual([
      {
        path: 'reports[0].cron',
        message: `Expected a cron that fires at most once for a ${period}, found "${cron}", which ${end}`,
      },
    ]);
  });

  it('may fire every minute without slowing the check down', () => {
    const faults = faultsOf(configuration({ report: { cron: '* * * * ? *' } }));
    expect(faults.map(({ message }) => message)).toEqual([
      'Expected a cron that fires at most once for a week, found "* * * * ? *", which fires at 2026-11-20 00:00 and ' +
        'at 2026-11-20 00:01 for the week that starts on 2026-11-09.',
      'Expected times that exist: the clocks of Europe/London skip 2027-03-28 01:00, 2027-03-28 01:01, ' +
        '2027-03-28 01:02 and 297 more, and the report would not run then.',
    ]);
  });

  it('may fire once a quarter', () => {
    const report = { period: 'quarter', cron: '0 8 1 1/3 ? *' };
    expect(parseConfiguration(configuration({ report }), FACTS).reports[0]?.period).toBe('quarter');
  });

  it('may leave periods out', () => {
    const report = { period: 'day', cron: '0 8 ? * MON-FRI *' };
    expect(parseConfiguration(configuration({ report }), FACTS).reports[0]?.period).toBe('day');
  });

  it('may be in an hour that a clock change repeats', () => {
    const report = { period: 'day', cron: '30 1 25 10 ? *' };
    expect(parseConfiguration(configuration({ report }), FACTS).reports[0]?.cron).toBe('30 1 25 10 ? *');
  });

  it('must name a date that comes', () => {
    expect(faultsOf(configuration({ report: { cron: '0 8 30 2 ? *' } }))).toEqual([
      {
        path: 'reports[0].cron',
        message: 'Expected a cron that fires within 5 years, found "0 8 30 2 ? *".',
      },
    ]);
  });

  it('says what is wrong with its cron', () => {
    expect(faultsOf(configuration({ report: { cron: '0 8 * * MON *' } }))).toEqual([
      {
        path: 'reports[0].cron',
        message: 'Expected "?" in exactly one of day-of-month and day-of-week, found "*" and "MON".',
      },
    ]);
  });

  it('is tried from today on', () => {
    const input = configuration({ report: { cron: '30 1 29 3 ? *' } });
    expect(faultsOf(input, { ...FACTS, today: '2026-11-20' })).toEqual([]);
    expect(faultsOf(input, { ...FACTS, today: '2026-03-28' }).map(({ message }) => message)).toEqual([
      'Expected times that exist: the clocks of Europe/London skip 2026-03-29 01:30, and the report would not run then.',
    ]);
  });
});

describe('the type Configuration', () => {
  it('is complete and exact', () => {
    expectTypeOf<Configuration['service']>().toEqualTypeOf<{
      baseUrl: string;
      deliveries: { path: string; query: Record<string, string> };
      deliveryRecipients: 'auto' | 'audience' | 'engaged';
      contentRecipients: 'auto' | 'audience' | 'engaged';
      informingTypes: string[];
      ratingFilter: 'off' | { name: string; values: string[] };
      notPaging: string[];
      concurrency: number;
      timeout: number;
    }>();
    expectTypeOf<Configuration['mail']>().toEqualTypeOf<{
      from: string;
      identity: { of: 'address' | 'domain'; setup: 'create' | 'import' };
      replyTo?: string;
      brand: { name: string; colours: { accent: string; accentDark: string } };
      broadcastLink?: string;
      footer: { why: string; contact: string };
      logo?: string;
      csvAttachment: boolean;
      page: boolean;
      pageDays: number;
      settleMinutes: number;
    }>();
    expectTypeOf<Configuration['ledger']>().toEqualTypeOf<{ keepMonths: number }>();
    expectTypeOf<ReportConfiguration>().branded.toEqualTypeOf<{
      name: string;
      formerly: string[];
      title: string;
      cron: string;
      timeZone: string;
      period: 'day' | 'week' | 'month' | 'quarter';
      subscribers: string[];
      locale: string;
      statuses: string[];
      settleHours: number;
      whenEmpty: 'send' | 'skip';
      whenIncomplete: 'send' | 'hold';
      hold: 'never' | 'always';
      graceHours: number;
      holdHours: number;
      broadcastName?: string;
    }>();
  });
});

const weekly = {
  name: 'weekly',
  cron: '0 8 ? * MON *',
  timeZone: 'Europe/London',
  period: 'week',
  subscribers: ['ada@example.com'],
};

/** The shortest configuration, with changes. */
function configuration(changes: { service?: object; mail?: object; ledger?: object; report?: object } = {}): object {
  return {
    service: { baseUrl: 'https://reporting.example.com', ...changes.service },
    mail: {
      from: 'digest@example.com',
      brand: { name: 'Harbour Leisure' },
      footer: { why: 'You manage a site.', contact: 'Ask the team.' },
      ...changes.mail,
    },
    ...(changes.ledger && { ledger: changes.ledger }),
    reports: [{ ...weekly, ...changes.report }],
  };
}

function faultsOf(input: unknown, facts = FACTS): readonly Fault[] {
  try {
    parseConfiguration(input, facts);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `subscriber${index}@example.com`);
}

const named = (name: string, formerly: unknown): object => ({ ...weekly, name, formerly });
const withReports = (...reports: object[]): object => ({ ...configuration(), reports });

/** The fault of a former name that another name is equal to. */
const formerNameFault = (path: string, of: string): object => ({
  path,
  message: `Expected a name that no report has or had, found that of ${of}.`,
});
