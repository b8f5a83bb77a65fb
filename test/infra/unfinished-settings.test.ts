import { expect, it } from 'vitest';
import { unfinishedSettings } from '../../infra/unfinished-settings.ts';
import cdkJson from '../fixtures/cdk.json' with { type: 'json' };
import { configurationWith } from '../support/configuration.ts';
import { times } from '../support/facts/world.ts';

/** Settings that leave nothing of the sample to be put in. */
const { service, mail, reports }: typeof cdkJson.context.digest = JSON.parse(
  JSON.stringify(cdkJson.context.digest)
    .replaceAll('example.com', 'harbour-leisure.net')
    .replaceAll('Harbour Leisure', 'Harbour Group'),
);
const finishedSettings = { service, mail, reports, operations: { alarmAddresses: ['operators@harbour-leisure.net'] } };

/** What is left to be done where some settings are laid over finished ones. */
function unfinishedIn(settings: Record<string, unknown>): string[] {
  const faults = unfinishedSettings(configurationWith({ ...finishedSettings, ...settings }));
  return faults.map(({ path, message }) => `${path}: ${message}`);
}

it('every placeholder of the sample is named, without an address', () => {
  expect(unfinishedSettings(configurationWith()).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'service.baseUrl: "reporting.example.com" is a placeholder.',
    'mail.from: "example.com" is a placeholder.',
    'mail.brand.name: "Harbour Leisure" is a placeholder.',
    'mail.footer.why: "Harbour Leisure" is a placeholder.',
    'mail.footer.contact: "example.com" is a placeholder.',
    ...[3, 2, 1].flatMap((subscribers, report) =>
      times(subscribers, (place) => `reports[${report}].subscribers[${place}]: "example.com" is a placeholder.`),
    ),
    'operations.alarmAddresses: It is empty: nobody would be notified of a failed run.',
  ]);
});

it('reports are counted as the file does, whatever warnings they have', () => {
  const [report] = reports;
  const warning = { at: '09:00', afterHours: 48, belowShare: 0.5 };
  const subscribers = ['ada@example.com'];
  const warned = [
    { ...report, warning },
    { ...report, name: 'second', subscribers, warning },
    { ...report, name: 'third', subscribers: [], warning: { ...warning, subscribers } },
  ];
  expect(unfinishedIn({ reports: warned })).toEqual([
    'reports[1].subscribers[0]: "example.com" is a placeholder.',
    'reports[2].warning.subscribers[0]: "example.com" is a placeholder.',
    expect.stringMatching(/^reports\[2\]\.subscribers: Report "third" has none: /),
  ]);
});

it('a placeholder is at a name that is reserved, whatever its case, and nothing else is', () => {
  const reserved = 'example.com mail.example.org EXAMPLE.NET company.example nowhere.invalid unit.test'.split(' ');
  const real = 'ops@counterexample.com ops@example.com.au ops@test.harbour.net unit.test@harbour.net'.split(' ');
  const alarmAddresses = [...real, ...reserved.map((domain) => `ops@${domain}`)];
  expect(unfinishedIn({ operations: { alarmAddresses } })).toEqual(
    reserved.map((name, index) => `operations.alarmAddresses[${index + 4}]: "${name}" is a placeholder.`),
  );
});

it('in a sentence a reserved top-level domain is that of a host alone: "Tom.Test" may be somebody', () => {
  const footer = { why: 'Ask Tom.Test.', contact: 'Ask Tom.Test or bo@unit.test, or see https://unit.test.' };
  const found = ['mail.footer.contact: "unit.test" is a placeholder.'];
  expect(unfinishedIn({ mail: { ...mail, footer } })).toEqual(found);
});
