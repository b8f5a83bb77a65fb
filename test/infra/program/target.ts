import type { RunTarget } from '../../../infra/program/targets/target.ts';
import type { Ledger } from '../../functions/ledger/open-ledger.ts';
import { configurationWith } from '../../support/configuration.ts';

/** A stack as CloudFormation describes it, by the outputs that differ from those that each has. */
export function stackWith(outputs: Readonly<Record<string, string>>) {
  const usual = { TableName: 'ledger', SecretName: 'the-secret', AlarmTopicArn: '-', PublicUrl: '-' };
  const all = Object.entries({ ...usual, RunFunctionAlias: 'run', ...outputs });
  return { Outputs: all.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })) };
}

/** What operators work on: a ledger, without a run function. */
export function targetOf({ table, scan }: Pick<Ledger, 'table' | 'scan'>, more: Partial<RunTarget> = {}): RunTarget {
  return {
    stack: null,
    configuration: configurationWith(),
    table,
    scan,
    operator: 'grace',
    flags: [],
    trigger: () => Promise.reject(new Error('This target has no run function.')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...more,
  };
}
