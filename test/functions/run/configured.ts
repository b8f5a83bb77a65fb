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
        schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
        subscribers: ['ada@example.com', 'grace@example.com', 'alan@example.com'],
        ...over.report,
      },
    ],
  };
  return parseConfiguration(input, ['en']);
}

/** The one report of such a configuration. */
export function reportOf(over: object = {}): ReportConfiguration {
  const [report] = configured({ report: over }).reports;
  if (report === undefined) throw new Error('There is no report.');
  return report;
}
