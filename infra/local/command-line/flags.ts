import { parseArgs } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { Address } from '../../../functions/domain/configuration/address.ts';
import { BaseUrl } from '../../../functions/domain/configuration/fields.ts';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { reportByName } from '../../../functions/domain/report-names.ts';
import { dueAt, latestDue } from '../../../functions/domain/due.ts';
import { isUnderWay } from '../../../functions/run/period-over.ts';

/** Everything that is wrong with a call, in one error: nothing was asked and nothing written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `${faults.length === 1 ? 'The call has a fault' : `The call has ${faults.length} faults`}:\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

/** The settings that `npm start --` runs with, read from its flags. */
export interface Options {
  help: boolean;
  report: string | undefined;
  at: string | undefined;
  serviceUrl: string | undefined;
  /** Addresses, each once; empty: the configured subscribers. */
  to: string[];
  out: string;
  state: string;
  sendRate: number | undefined;
  dryRun: boolean;
  json: boolean;
  view: boolean;
}

const flags = {
  report: { type: 'string' },
  at: { type: 'string' },
  'service-url': { type: 'string' },
  to: { type: 'string', multiple: true },
  out: { type: 'string', default: '.local/outbox' },
  state: { type: 'string', default: '.local/state' },
  'send-rate': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'no-view': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export const usage = `npm start -- [flags]    runs a report on embedded parts and shows the mail

  --report NAME        one of the reports in cdk.json (default: the first)
  --at INSTANT         the scheduled instant, ISO 8601 with Z or an offset (default: the report's latest)
  --service-url URL    a running service instead of the sample account;
                       credentials from SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET
  --to ADDRESS         this subscriber instead of the configured ones (repeatable)
  --out DIR            where the mails, digest.json and receipt.json go (default: .local/outbox)
  --state DIR          below it, a folder for each reporting service: its ledger between runs (default: .local/state)
  --send-rate N        messages a second that the embedded SES accepts (default: no limit)
  --dry-run            all but sending: messages are written to DIR/planned/
  --json               the receipt alone on standard output
  --no-view            end when the run has ended, without the browser view
  --help               this text

exit codes: 0 done; 2 something unavailable, held, failed or unknown; 1 no digest, or nothing could be sent;
            64 a fault in flags, configuration or credential variables
`;

/** Reads the flags. Gives what is wrong with them beside them, a sentence each, so that all faults are named at once. */
export function parseFlags(args: readonly string[], isTerminal: boolean): { options: Options; faults: string[] } {
  const faults = unknownFlags(args);
  const { values, tokens } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Map<string, number>();
  for (const [place, token] of tokens.entries()) {
    // The word after a flag that there is not was meant as its value: one fault is enough.
    const before = tokens[place - 1];
    const isValue = before?.kind === 'option' && !isKnown(before.name);
    if (token.kind === 'positional' && !isValue) faults.push(`"${shorten(token.value)}" is no flag. See --help.`);
    if (token.kind !== 'option') continue;
    given.set(token.name, (given.get(token.name) ?? 0) + 1);
    const takesValue = isKnown(token.name) && flags[token.name].type === 'string';
    if (takesValue && (token.value === undefined || token.value === '')) faults.push(`--${token.name} needs a value.`);
    if (!takesValue && token.value !== undefined) faults.push(`--${token.name} takes no value.`);
  }
  for (const [name, count] of given) if (count > 1 && name !== 'to') faults.push(`--${name} is given ${count} times.`);
  const text = (name: keyof typeof values): string | undefined => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const options: Options = {
    help: values.help === true,
    report: text('report'),
    at: text('at'),
    serviceUrl: text('service-url'),
    to: Array.isArray(values.to) ? distinct(values.to.filter((to) => typeof to === 'string')) : [],
    out: text('out') ?? flags.out.default,
    state: text('state') ?? flags.state.default,
    sendRate: text('send-rate') === undefined ? undefined : Number(text('send-rate')),
    dryRun: values['dry-run'] === true,
    json: values.json === true,
    view: values['no-view'] !== true && values.json !== true && isTerminal,
  };
  return { options, faults: [...faults, ...faultsOfValues(options)] };
}

function faultsOfValues({ at, serviceUrl, to, sendRate }: Options): string[] {
  const faults: string[] = [];
  if (at !== undefined && !isInstant(at)) {
    faults.push(`--at: expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z.`);
  }
  const url = serviceUrl === undefined ? null : v.safeParse(BaseUrl, serviceUrl);
  if (url?.success === false) faults.push(`--service-url: ${url.issues[0].message}`);
  const wrong = to.filter((address) => !v.is(Address, address)).length;
  if (wrong > 0)
    faults.push(
      `--to: ${wrong} of ${to.length} ${to.length === 1 ? 'is' : 'are'} no address such as name@example.com.`,
    );
  if (sendRate !== undefined && !(sendRate > 0 && sendRate <= 10_000)) {
    faults.push('--send-rate: expected a number above 0, at most 10000.');
  }
  return faults;
}

function unknownFlags(args: readonly string[]): string[] {
  return args
    .filter((arg) => arg.startsWith('-') && arg !== '-h')
    .map((arg) => arg.replace(/^-+/, '').split('=')[0] ?? '')
    .filter((name) => !isKnown(name))
    .map((name) => {
      const meant = nearest(name, Object.keys(flags));
      return `--${shorten(name)} is no flag.${meant === undefined ? ' See --help.' : ` Did you mean --${meant}?`}`;
    });
}

function isKnown(name: string): name is keyof typeof flags {
  return Object.hasOwn(flags, name);
}

/** Each address once, compared without case. */
function distinct(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}

/** A word of the call for a message; never one that may be an address. */
export function shorten(word: string): string {
  return word.includes('@') ? '…' : word.slice(0, 60);
}

/** Reads the credentials of a running service. Throws a `UsageError` that names the variables that are missing. */
export function readServiceCredentials(environment: NodeJS.ProcessEnv): { id: string; secret: string } {
  const { SERVICE_CLIENT_ID: id = '', SERVICE_CLIENT_SECRET: secret = '' } = environment;
  refuseMissing({ SERVICE_CLIENT_ID: id, SERVICE_CLIENT_SECRET: secret });
  return { id, secret };
}

/** Reads the client id of a running service. Throws a `UsageError` where it is missing. */
export function readClientId({ SERVICE_CLIENT_ID: id = '' }: NodeJS.ProcessEnv): string {
  refuseMissing({ SERVICE_CLIENT_ID: id });
  return id;
}

function refuseMissing(variables: Readonly<Record<string, string>>): void {
  const missing = Object.keys(variables).filter((name) => variables[name] === '');
  if (missing.length === 0) return;
  throw new UsageError(
    missing.map((name) => `${name} is not set: --service-url needs the client id and secret of the service.`),
  );
}

/** The report that is meant: the first one by default. Throws a `UsageError` that names the nearest. */
export function chooseReport(configuration: Configuration, name: string | undefined): Configuration['reports'][number] {
  const names = configuration.reports.map((report) => report.name);
  const report = configuration.reports.find((configured) => name === undefined || configured.name === name);
  if (report !== undefined) return report;
  const renamed = reportByName(configuration.reports, name ?? '');
  if (renamed !== undefined) throw new UsageError([`--report: report "${name}" is now called "${renamed.name}".`]);
  const meant = nearest(name ?? '', names);
  const hint = meant === undefined ? `The reports are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new UsageError([`--report: there is no report "${shorten(name ?? '')}". ${hint}`]);
}

/**
 * The scheduled instant that is meant: the report's latest by default. Throws a `UsageError` where it was never due, and
 * where the period that it closes is not over.
 */
export function chooseInstant(
  report: Configuration['reports'][number],
  at: string | undefined,
  now: Temporal.Instant,
): string {
  // What is no instant has a fault of its own.
  if (at !== undefined && !isInstant(at)) return at;
  const due = at === undefined ? latestDue(report, now) : dueAt(report, at);
  if (due === null) throw new UsageError([`--at: report "${report.name}" was never due yet; give an instant.`]);
  if (isUnderWay(due.period, now)) {
    const latest = `The latest ${report.period} that is over is the default.`;
    throw new UsageError([`--at: the ${report.period} that begins on ${due.period.startDate} is not over. ${latest}`]);
  }
  return at ?? due.scheduledTime;
}
