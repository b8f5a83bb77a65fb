import { periodNamed, type NamedPeriod } from '../../functions/domain/period.ts';

/** The period of that name, such as `2026-W46`. */
export function named(name: string): NamedPeriod {
  const period = periodNamed(name);
  if (period === null) throw new Error(`No period is called "${name}".`);
  return period;
}
