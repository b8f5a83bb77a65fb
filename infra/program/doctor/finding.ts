import { count } from '../../../functions/domain/wording.ts';
import { exitCodes, type CommandResult } from '../command-line/answer.ts';

/** What a check says of an answer. */
export interface Said {
  /** As expected, worth a look because the operator can do something about it, or not working. */
  verdict: 'good' | 'look' | 'fault';
  /** What was found, in a sentence. */
  found: string;
  /** The setting of `cdk.json` to change, with what to write there. */
  setting?: { name: string; value: string };
  /** An example of an answer, with personal data masked. */
  sample?: unknown;
}

/** What one check of the doctor found. */
export interface Finding extends Said {
  /** What was examined, in a few words. */
  check: string;
}

/** Checks of something that can be asked, each by what it examines: what it says, nothing where there is nothing to say. */
export type Checks<Asked> = Readonly<
  Record<string, (asked: Asked) => Iterable<Said> | AsyncIterable<Said> | Promise<Said[]>>
>;

/** Is told what is examined, for the operator who waits. */
export type Say = (text: string) => void;

/** Makes checks, all at the same time. What AWS does not answer is said, and is no reason not to say the rest. */
export async function runChecks<Asked>(checks: Checks<Asked>, asked: Asked, say: Say): Promise<Finding[]> {
  say(`Examining: ${Object.keys(checks).join(', ')} …`);
  const made = Object.entries(checks).map(async ([check, says]) => {
    const findings: Finding[] = [];
    try {
      for await (const said of await says(asked)) findings.push({ check, ...said });
    } catch (error) {
      findings.push({ check, ...sayUnanswered(error) });
    }
    return findings;
  });
  return (await Promise.all(made)).flat();
}

/** Says of an error of an AWS service that a check was not made. Throws any other error. */
function sayUnanswered(error: unknown): Said {
  if (error instanceof Error && '$metadata' in error) return look(`This was not checked: AWS answered ${error.name}.`);
  throw error;
}

/** The result of something that is asked for, or the error of that kind by which it fails. Throws any other error. */
export async function attempt<Result, Failure extends Error>(
  kind: new (...given: never) => Failure,
  ask: () => Promise<Result>,
): Promise<Result | Failure> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
}

export const good = saying('good');
/** Something that the operator can change or finish, with the setting where there is one. */
export const look = saying('look');
export const fault = saying('fault');

function saying(verdict: Said['verdict']) {
  return (found: string, setting?: Said['setting']): Said => ({ verdict, found, ...(setting && { setting }) });
}

/** Findings for an operator. The exit code is 1 where something does not work, and with `strict` 2 where something is worth a look. */
export function presentFindings(findings: readonly Finding[], { strict }: { strict: boolean }): CommandResult {
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
  const looks = findings.filter(({ verdict }) => verdict === 'look').length;
  return {
    json: { faults, looks, findings },
    lines: [...findings.flatMap(describe), `${count(faults, 'fault')}, ${count(looks, 'thing')} to look at.`],
    code: faults > 0 ? exitCodes.noDigest : strict && looks > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}

function describe({ check, verdict, found, setting, sample }: Finding): string[] {
  const mark = { good: 'ok   ', look: 'LOOK ', fault: 'FAULT' }[verdict];
  return [
    `${mark} ${check}: ${found}`,
    ...(setting === undefined ? [] : [`      -> set ${setting.name} in cdk.json to ${setting.value}`]),
    ...(sample === undefined ? [] : [`      such as ${JSON.stringify(sample)}`]),
  ];
}
