import leven from 'leven';
import type { BaseIssue } from 'valibot';

/** One thing that is wrong with a configuration. */
export interface Fault {
  /** Where: `reports[0].schedule`; empty for the whole. */
  path: string;
  /** What was expected and what was found, in sentences. Never contains an address, or a value that may hold a secret. */
  message: string;
}

/** The configuration cannot be used. The message has a line for each fault, with its path. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ path, message }) => `\n- ${path === '' ? 'the configuration' : path}: ${message}`);
    super(`Invalid configuration:${lines.join('')}`);
    this.faults = faults;
  }
}

/** The fault behind an issue of a schema that `fields` made. */
export function faultOf({ type, path, message }: BaseIssue<unknown>): Fault {
  const keys = path?.map(({ key }) => key) ?? [];
  if (type !== 'never') return { path: pathText(keys), message };
  // An unknown field: the message names those that there are.
  const near = nearest(String(keys.at(-1)), message.split(', '));
  const meant = near === undefined ? `Expected ${message}.` : `Did you mean "${near}"?`;
  return { path: pathText(keys), message: `Unknown field. ${meant}` };
}

/** The path to a value as written in code: `reports[0].schedule`. A key that may be an address is left out. */
export function pathText(keys: readonly unknown[]): string {
  return keys.map(keyText).join('').replace(/^\./, '');
}

function keyText(key: unknown): string {
  if (typeof key === 'number') return `[${key}]`;
  if (typeof key !== 'string' || key.includes('@')) return '[…]';
  return /^[\w-]{1,60}$/.test(key) ? `.${key}` : `[${shown(key)}]`;
}

/** A found value as shown in a message: short, and never a text that may hold an address or credentials. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
  if (value.includes('@')) return 'a text with "@"';
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

/** The message of a fault in a field whose values may be shown. */
export function expected(description: string): (issue: { input: unknown }) => string {
  return (issue) => `Expected ${description}, found ${shown(issue.input)}.`;
}

/** The message of a fault in a field whose values are addresses, or may hold credentials. */
export function expectedUnseen(description: string): (issue: { input: unknown }) => string {
  return (issue) => `Expected ${description}, found ${issue.input === undefined ? 'nothing' : 'something else'}.`;
}

/**
 * The candidate that a word was probably meant to be, ignoring case, or nothing where none is close: about a third of
 * the word's letters may have to be added, dropped or exchanged.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.round(word.length / 3));
  const distances = candidates.map((text) => ({ text, distance: leven(word.toLowerCase(), text.toLowerCase()) }));
  return distances.toSorted((a, b) => a.distance - b.distance).find(({ distance }) => distance <= most)?.text;
}
