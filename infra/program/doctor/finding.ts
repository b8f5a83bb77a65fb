import { count } from '../../../functions/domain/wording.ts';
import { exitCodes, type CommandResult } from '../command-line/answer.ts';

/** What a check says of something that it examined. */
export interface Remark {
  /** As expected, worth a look because the operator can do something about it, or not working. */
  verdict: 'good' | 'look' | 'fault';
  sentence: string;
  /** The setting of `cdk.json` to change, with what to write there. */
  setting?: { name: string; value: string } | undefined;
}

/** What one check of the doctor says. */
export interface Finding extends Remark {
  /** What was examined, in a few words. */
  check: string;
}

/** Checks of one subject, each by what it examines: it says nothing where there is nothing to say. */
export type Checks<Subject> = Readonly<
  Record<string, (subject: Subject) => Iterable<Remark> | AsyncIterable<Remark> | Promise<Remark[]>>
>;

/** Is told what is examined, for the operator who waits. */
export type Say = (text: string) => void;

/** Makes checks, all at the same time. What AWS does not answer is said, and is no reason not to say the rest. */
export async function runChecks<Subject>(checks: Checks<Subject>, subject: Subject, say: Say): Promise<Finding[]> {
  say(`Examining: ${Object.keys(checks).join(', ')} …`);
  const made = Object.entries(checks).map(async ([check, examine]) => {
    const findings: Finding[] = [];
    try {
      for await (const remark of await examine(subject)) findings.push({ check, ...remark });
    } catch (error) {
      if (!(error instanceof Error) || !('$metadata' in error)) throw error;
      findings.push({ check, ...look(`This was not checked: AWS answered ${error.name}.`) });
    }
    return findings;
  });
  return (await Promise.all(made)).flat();
}

/** The result of something that is asked for, or the error of that kind by which it fails. Throws any other error. */
export async function attempt<Result, Failure extends Error>(
  kind: new (...parameters: never) => Failure,
  ask: () => Promise<Result>,
): Promise<Result | Failure> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
}

export const good = remarkOf('good');
/** Something that the operator can change or finish, with the setting where there is one. */
export const look = remarkOf('look');
export const fault = remarkOf('fault');

function remarkOf(verdict: Remark['verdict']) {
  return (sentence: string, setting?: Remark['setting']): Remark => ({ verdict, sentence, setting });
}

/** Findings for an operator. The exit code is 1 where something does not work, and with `strict` 2 where something is worth a look. */
export function presentFindings(findings: readonly Finding[], { strict }: { strict: boolean }): CommandResult {
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
  const looks = findings.filter(({ verdict }) => verdict === 'look').length;
  return {
    json: { faults, looks, findings: findings.map(({ sentence, ...finding }) => ({ ...finding, found: sentence })) },
    lines: [...findings.flatMap(describe), `${count(faults, 'fault')}, ${count(looks, 'thing')} to look at.`],
    code: faults > 0 ? exitCodes.noDigest : strict && looks > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}

function describe({ check, verdict, sentence, setting }: Finding): string[] {
  const mark = { good: 'ok   ', look: 'LOOK ', fault: 'FAULT' }[verdict];
  return [
    `${mark} ${check}: ${sentence}`,
    ...(setting === undefined ? [] : [`      -> set ${setting.name} in cdk.json to ${setting.value}`]),
  ];
}
