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

/** The names by which AWS's services refuse something to a caller without the right to it. */
const refusals = new Set(['AccessDenied', 'AccessDeniedException', 'AuthorizationErrorException']);

/** Goes through checks. One that AWS does not allow the operator to make has no result, and says so. */
export async function runChecks<Asked>(checks: Checks<Asked>, asked: Asked, say: Say): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, says] of Object.entries(checks)) {
    say(`Examining: ${check} …`);
    try {
      for (const said of await Array.fromAsync(await says(asked))) findings.push({ check, ...said });
    } catch (error) {
      if (!(error instanceof Error && refusals.has(error.name))) throw error;
      const found = `This was not checked: AWS does not allow you to look at it (${error.name}).`;
      findings.push({ check, ...look(found) });
    }
  }
  return findings;
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

/** Findings for an operator. The exit code is 1 where something does not work, 2 where something is worth a look. */
export function presentFindings(findings: readonly Finding[]): CommandResult {
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
  const looks = findings.filter(({ verdict }) => verdict === 'look').length;
  return {
    json: { faults, looks, findings },
    lines: [...findings.flatMap(describe), `${count(faults, 'fault')}, ${count(looks, 'thing')} to look at.`],
    code: faults > 0 ? exitCodes.noDigest : looks > 0 ? exitCodes.incomplete : exitCodes.done,
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
