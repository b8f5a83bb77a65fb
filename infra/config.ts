import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Configuration, parseConfiguration } from '../functions/domain/configuration/configuration.ts';
import { ConfigurationError, shown } from '../functions/domain/configuration/fault.ts';
import { isObject, type JsonObject } from '../functions/json-object.ts';

const repository = new URL('../', import.meta.url);

/**
 * The configuration of an `environment` in a `cdk.json`, by default the repository's.
 *
 * @throws ConfigurationError that names every fault, also where the file is missing or holds no JSON
 */
export function loadConfiguration(environment?: string, cdkJsonPath?: string): Configuration {
  return configurationOf(readDigest(cdkJsonPath), environment);
}

/**
 * The names of the environments in the repository's `cdk.json`.
 *
 * @throws ConfigurationError where the file is missing or holds no JSON
 */
export function environmentNames(): string[] {
  const digest = readDigest();
  return isObject(digest) && isObject(digest['environments']) ? Object.keys(digest['environments']) : [];
}

function readDigest(path = fileURLToPath(new URL('cdk.json', repository))): unknown {
  if (!existsSync(path)) throw faultAt(path, 'Expected a file to read.');
  const json = parseJson(readText(path), ({ line, column }) =>
    faultAt(path, `Expected JSON, found a syntax error at line ${line}, column ${column}.`),
  );
  return Object(json).context?.digest;
}

/**
 * The configuration in the `digest` object of a context that the CDK has already read. The settings of an `environment` override the
 * rest: objects are merged field by field; anything else, lists included, replaces what was there.
 *
 * @throws ConfigurationError that names every fault
 */
export function configurationOf(digest: unknown, environment?: string): Configuration {
  if (!isObject(digest)) {
    throw faultAt('context.digest', `Expected an object in cdk.json, found ${shown(digest)}.`);
  }
  const { environments = {}, ...base } = digest;
  const settings = objectAt('environments', environments);
  const chosen = environment === undefined ? {} : settingsOf(settings, environment);
  const locales = localesIn(fileURLToPath(new URL('templates/locales/', repository)));
  return parseConfiguration(merged(base, chosen), locales);
}

function settingsOf(environments: JsonObject, name: string): JsonObject {
  const existing = Object.keys(environments);
  if (existing.includes(name)) return objectAt(`environments.${name}`, environments[name]);
  const expected = existing.length === 0 ? 'no environment, since there are none' : `one of ${existing.join(', ')}`;
  throw faultAt('environments', `Expected ${expected}, asked for ${shown(name)}.`);
}

function objectAt(path: string, value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw faultAt(path, `Expected an object, found ${shown(value)}.`);
}

function merged(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const entries = Object.entries(over).map(([key, value]) => [key, merged(base[key], value)]);
  return { ...base, ...Object.fromEntries(entries) };
}

/** The locales whose `<locale>.json` is in a folder, sorted. */
export function localesIn(path: string): string[] {
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}

function faultAt(path: string, message: string): ConfigurationError {
  return new ConfigurationError([{ path, message }]);
}

/** The text of a file in UTF-8, without the byte order mark with which some editors begin it. */
export function readText(path: string | URL): string {
  return new TextDecoder().decode(readFileSync(path));
}

/**
 * Parses JSON; throws what `refusal` makes of the place where a text stops being JSON (line and column count from 1). The place
 * is esbuild's: the message of `JSON.parse` has none for some faults, and quotes the text, addresses included.
 */
export function parseJson(text: string, refusal: (place: { line: number; column: number }) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Loaded here: faults are rare.
    const { transformSync }: typeof import('esbuild') = createRequire(import.meta.url)('esbuild');
    try {
      transformSync(text, { loader: 'json', logLevel: 'silent' });
    } catch (error) {
      const { line = 1, column = 0 } = Object(error).errors?.[0]?.location ?? {};
      throw refusal({ line, column: column + 1 });
    }
    throw refusal({ line: 1, column: 1 });
  }
}

const nameOfStack = 'BroadcastDigest';

/**
 * The name of an environment's stack: its own, so that nothing of two environments in one account has the same name.
 * Without an environment, the name alone.
 *
 * @throws ConfigurationError for what cannot be part of a stack's name
 */
export function stackName(environment: unknown): string {
  if (environment === undefined) return nameOfStack;
  if (typeof environment === 'string' && /^[a-z][a-z\d-]{0,30}$/i.test(environment))
    return `${nameOfStack}-${environment}`;
  throw faultAt('env', `Expected letters, digits and "-", at most 31, a letter first, found ${shown(environment)}.`);
}

/** The environment of a stack of that name; `undefined` where it has none. */
export function environmentOf(stack: string): string | undefined {
  return stack.startsWith(`${nameOfStack}-`) ? stack.slice(nameOfStack.length + 1) : undefined;
}
