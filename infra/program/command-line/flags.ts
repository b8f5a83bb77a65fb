import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import * as v from 'valibot';
import { Address, BaseUrl, Instant } from '../../../functions/domain/configuration/fields.ts';
import { UsageError } from './result.ts';

/** A text without what may be an address: errors never repeat one. */
export function maskAddresses(text: string): string {
  return text.replaceAll(/[^\s'"=]*@(?:[^\s'"]*[^\s'".])?/g, '…');
}

// What the values of flags and the words of a call are read with. Each throws a `UsageError` that says what was expected.

/** What reads a value by a schema; without `expected` its fault is said in the schema's words. */
function valueOf<Value>(schema: v.GenericSchema<string, Value>, expected?: string) {
  return (text: string): Value => {
    const { success, output, issues } = v.safeParse(schema, text);
    if (success) return output;
    throw new UsageError(expected ?? issues[0].message);
  };
}

/** An instant, ISO 8601 with `Z` or an offset, as it was written. */
export const instant = valueOf(
  Instant,
  'Expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z. A day or a period: --period 2026-11-09.',
);

/** What stands between addresses that a mail program copied. A comma that follows no address is a name's: `King, Ada <…>`. */
const betweenAddresses = /;|(?<=@[^\s,;]*\s*),/;

/**
 * Addresses, each once regardless of case: the `others`, and those in a text, which may have them with names, as mail programs copy
 * them: `Ada King <ada@example.com>; Grace <grace@example.com>`.
 */
export function address(text: string, others: readonly string[] = []): string[] {
  const parts = text.split(betweenAddresses).flatMap((part) => part.trim() || []);
  const all = [...others];
  for (const part of parts.length === 0 ? [text] : parts) {
    const [, one = part] = /^[^<>]*<([^<>]*)>$/.exec(part) ?? [];
    if (!v.safeParse(Address, one).success) throw new UsageError(`"${one}" is not a valid email address.`);
    if (all.every((other) => other.toLowerCase() !== one.toLowerCase())) all.push(one);
  }
  return all;
}

/** The addresses that some words are, each once regardless of case. */
export function addresses(words: readonly string[]): string[] {
  return words.reduce<string[]>((others, word) => address(word, others), []);
}

/** The base address of a running service, without a slash at its end. */
export const serviceUrl = valueOf(BaseUrl);

/**
 * The address of an AWS emulator, without a slash at its end. AWS itself is refused by its name; where it has another one, it
 * refuses the credentials, which are made up.
 */
export function emulatorUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^\s\\?#@]+$/i.test(text))
    throw new UsageError('Expected the address of an AWS emulator, such as http://localhost:4566.');
  if (/(?:^|\.)(?:amazonaws|amazonwebservices)\.|\.aws\.?$/.test(url.hostname))
    throw new UsageError('This is AWS itself; only an emulator is accepted.');
  return text.replace(/\/+$/, '');
}

/** Messages a second, above 0 and at most 10,000. */
export const sendRate = valueOf(
  v.pipe(v.string(), v.toNumber(), v.gtValue(0), v.maxValue(10_000)),
  'Expected a number above 0, at most 10000.',
);

/** Refuses a folder that cannot be written, by the name of its flag. A missing one is made later: the nearest one above it counts. */
export function checkFolder(flag: string, path: string): void {
  if (path === '') throw new UsageError(`--${flag} needs a value.`);
  let folder = resolve(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    // Tried, because rights do not tell it: /proc has them, and there Node's own making of folders never ends.
    rmdirSync(mkdtempSync(join(folder, '.broadcast-digest-')));
  } catch {
    throw new UsageError(`--${flag}: "${folder}" is not a folder that you can write to.`);
  }
}

/** Flags that npm takes for an abbreviation of one of its own: it passes those on instead. */
const longerNames: Readonly<Record<string, string>> = { to: 'token_description', view: 'viewer' };

/**
 * Options that npm has too. They may come from a `.npmrc` or a CI variable and cannot be told apart; without them a command
 * asks, prints text or is refused, so nothing happens that nobody wanted.
 */
const alsoOptionsOfNpm = new Set(['all', 'help', 'json', 'yes']);

/** Flags of some commands by which nothing is sent: who types one to another command means that, too. */
const sendingNothing = ['--hold', '--dry-run', '--draft'].map((long) => new Option(long));

/**
 * Refuses a call whose flags npm kept for itself because they do not follow `--`: without --hold or --dry-run mail would be sent.
 * https://docs.npmjs.com/cli/v11/using-npm/config: npm passes its flags on as variables `npm_config_<flag>`, and the value of one
 * that it does not know among the words, wherever it stood. Of `--local` it passes on nothing: there it means `--no-global`.
 *
 * @param options the flags of the command that is called
 * @param words what npm passed on, without the name of its script
 * @throws {UsageError} with the command that was meant, as far as that can be known
 */
export function refuseFlagsOfNpm(options: readonly Option[], words: readonly string[], env: NodeJS.ProcessEnv): void {
  const byName = new Map([...options, ...sendingNothing].map((option) => [option.long, option]));
  const kept = [...byName.values()].flatMap((option) => readKept(option, env));
  if (kept.length === 0) return;
  const event = env['npm_lifecycle_event'] ?? 'start';
  const valueless = kept.filter(({ value }) => value === 'true').length;
  const typed = kept.map(({ long, value }) => `${long} ${value === 'true' ? words[0] : value}`.trim());
  // Start has no words: a single one is the value that a single flag lacks.
  const isOneMeant = event === 'start' && valueless === 1 && words.length === 1;
  const known = isOneMeant ? typed : valueless === 0 ? [...words, ...typed] : ['…'];
  const meant = ['npm', ...(event === 'start' ? [] : ['run']), event, '--', ...known].join(' ');
  const names = kept.map(({ long }) => long).join(' ');
  const dropped = event === 'start' ? '' : '. npm also drops --local: add it again if it was there';
  const said = `npm kept ${names} for itself. Put "--" before everything else: ${meant}${dropped}`;
  throw new UsageError(said.replaceAll(/[^\s]+@[^\s]+/g, '<ADDRESS>'));
}

/** A flag, if npm kept it, with its value: `true` where that is among the words, empty where the flag takes none. */
function readKept({ long = '', negate, required }: Option, env: NodeJS.ProcessEnv) {
  const word = long.replace(/^--(?:no-)?/, '');
  const names = alsoOptionsOfNpm.has(word) ? [] : [word.replaceAll('-', '_'), longerNames[word]];
  const value = names.map((name) => env[`npm_config_${name}`]).find((variable) => variable !== undefined);
  const isKept = value !== undefined && (!negate || /^(?:false)?$/.test(value));
  return isKept ? [{ long, value: required ? value : '' }] : [];
}
