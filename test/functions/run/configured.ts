import {
  parseConfiguration,
  type Configuration,
  type ReportConfiguration,
} from '../../../functions/domain/configuration/configuration.ts';

/** A configuration with one weekly report for London; every setting that is not given has its default. */
export function configured(
  over: { report?: object; service?: object; mail?: object; ledger?: object } = {},
): Configuration {
  const input = {
    service: { baseUrl: 'https://reporting.example.com', ...over.service },
    mail: {
      from: 'digest@example.com',
      brand: { name: 'Harbour Leisure' },
      footer: { why: 'You manage a site.', contact: 'Ask the team.' },
      ...over.mail,
    },
    ledger: { keepMonths: 26, ...over.ledger },
    reports: [
      {
        name: 'weekly',
        cron: '0 8 ? * MON *',
        timeZone: 'Europe/London',
        period: 'week',
        subscribers: ['ada@example.com', 'grace@example.com', 'alan@example.com'],
        ...over.report,
      },
    ],
  };
  return parseConfiguration(input, { locales: ['en'], today: '2026-11-20' });
}

/** A configuration's schedules are tried for years: each report is read once. */
const reports = new Map<string, ReportConfiguration>();

/** The one report of such a configuration. */
export function reportOf(over: object = {}): ReportConfiguration {
  const key = JSON.stringify(over);
  const report = reports.get(key) ?? configured({ report: over }).reports[0];
  if (report === undefined) throw new Error('There is no report.');
  reports.set(key, report);
  return report;
}
