import { ConfigurationError, shown } from '../functions/domain/configuration/fault.ts';

const base = 'BroadcastDigest';

/**
 * The name of an environment's stack: its own, so that nothing of two environments in one account has the same name.
 * Without an environment, the name alone.
 *
 * @throws ConfigurationError for what cannot be part of a stack's name
 */
export function stackName(environment: unknown): string {
  if (environment === undefined) return base;
  if (typeof environment === 'string' && /^[a-z][a-z\d-]{0,30}$/i.test(environment)) return `${base}-${environment}`;
  throw new ConfigurationError([
    {
      path: 'env',
      message: `Expected letters, digits and "-", at most 31, a letter first, found ${shown(environment)}.`,
    },
  ]);
}

/** The environment of a stack of that name; `undefined` where it has none. */
export function environmentOf(stack: string): string | undefined {
  return stack.startsWith(`${base}-`) ? stack.slice(base.length + 1) : undefined;
}
