import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/address.ts';
import { BaseUrl } from '../../../functions/domain/configuration/fields.ts';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { faultOfAwsEndpoint } from './aws-endpoint.ts';
import { isInstant } from './choices.ts';
import { shorten } from './usage-error.ts';

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
  /** The address of an AWS emulator, without a slash at its end; `undefined`: the embedded parts. */
  awsEndpoint: string | undefined;
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
  'aws-endpoint': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'no-view': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The names of the flags, without dashes. */
export const flagNames = Object.keys(flags);

export const usage = `npm start -- [flags]    runs a report on embedded parts and shows the mail

  --report NAME        one of the reports in cdk.json (default: the first)
  --at INSTANT         the scheduled instant, ISO 8601 with Z or an offset (default: the report's latest)
  --service-url URL    a running service instead of the sample account;
                       credentials from SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET
  --to ADDRESS         only this subscriber instead of the configured ones (repeatable)
  --out DIR            where the mails, digest.json and receipt.json go (default: .local/outbox)
  --state DIR          contains a folder for each reporting service with its ledger (default: .local/state)
  --send-rate N        messages a second that the embedded SES accepts (default: no limit)
  --dry-run            collects again on a copy of the ledger and sends nothing: the messages are in DIR/planned/,
                       and its digest.json and receipt.json replace those of the last run
  --aws-endpoint URL   an AWS emulator for DynamoDB, Secrets Manager and SES in place of the embedded ones
  --json               only the receipt on standard output
  --no-view            end when the run has ended, without the browser view
  --help               this text

exit codes: 0 done; 2 something unavailable, held, failed or unknown; 1 no digest, or nothing could be sent;
            64 invalid flags, configuration, templates or credential variables
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
    if (token.kind === 'positional' && !isValue)
      faults.push(`unexpected argument "${shorten(token.value)}". See --help.`);
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
    awsEndpoint: text('aws-endpoint')?.replace(/\/+$/, ''),
    dryRun: values['dry-run'] === true,
    json: values.json === true,
    // The mails are in the emulator, where there is one.
    view: values['no-view'] !== true && values.json !== true && isTerminal && text('aws-endpoint') === undefined,
  };
  return { options, faults: [...faults, ...faultsOfValues(options)] };
}

function faultsOfValues({ at, serviceUrl, to, sendRate, awsEndpoint }: Options): string[] {
  const faults: string[] = [];
  if (at !== undefined && !isInstant(at)) {
    faults.push(`--at: expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z.`);
  }
  const url = serviceUrl === undefined ? null : v.safeParse(BaseUrl, serviceUrl);
  if (url?.success === false) faults.push(`--service-url: ${url.issues[0].message}`);
  const wrong = to.filter((address) => !v.is(Address, address));
  faults.push(...wrong.map((address) => `--to: "${shorten(address)}" is not a valid email address.`));
  if (sendRate !== undefined && !(sendRate > 0 && sendRate <= 10_000)) {
    faults.push('--send-rate: expected a number above 0, at most 10000.');
  }
  const endpoint = awsEndpoint === undefined ? null : faultOfAwsEndpoint(awsEndpoint);
  if (endpoint !== null) faults.push(`--aws-endpoint: ${endpoint}`);
  if (sendRate !== undefined && awsEndpoint !== undefined)
    faults.push('--send-rate is for the embedded SES: it cannot be combined with --aws-endpoint.');
  return faults;
}

function unknownFlags(args: readonly string[]): string[] {
  return args
    .filter((arg) => arg.startsWith('-') && arg !== '-h')
    .map((arg) => arg.replace(/^-+/, '').split('=')[0] ?? '')
    .filter((name) => !isKnown(name))
    .map((name) => {
      const meant = nearest(name, Object.keys(flags));
      return `unknown flag --${shorten(name)}.${meant === undefined ? ' See --help.' : ` Did you mean --${meant}?`}`;
    });
}

function isKnown(name: string): name is keyof typeof flags {
  return Object.hasOwn(flags, name);
}

/** Each address once, compared without case. */
function distinct(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
