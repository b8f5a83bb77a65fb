import { count } from '../../../functions/domain/wording.ts';
import { exitCodes, type CommandResult } from '../command-line/answer.ts';

/** What a check says of an answer. */
export interface Said {
  /** As expected, worth knowing, worth a look because the operator can do something about it, or not working. */
  verdict: 'good' | 'info' | 'look' | 'fault';
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

/** A row of a table of checks of something that can be asked. */
export interface Check<Asked> {
  check: string;
  /** What it asks about: the end of "Asking …". */
  asks: string;
  /** What it says of the answer: nothing where there is nothing to say. */
  says: (asked: Asked) => Said[] | Promise<Said[]>;
  /** Nothing else can be asked where this is at fault. */
  isVital?: boolean;
}

/** Goes through a table of checks, and tells `say` what is asked. */
export async function runChecks<Asked>(
  checks: ReadonlyArray<Check<Asked>>,
  asked: Asked,
  say: (text: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { check, asks, says, isVital = false } of checks) {
    say(`Asking ${asks} …`);
    const said = await says(asked);
    findings.push(...said.map((one) => ({ check, ...one })));
    if (isVital && said.some(({ verdict }) => verdict === 'fault')) break;
  }
  return findings;
}

export function good(found: string, sample?: unknown): Said {
  return { verdict: 'good', found, ...(sample === undefined ? {} : { sample }) };
}

/** Something that differs from the usual and that nobody needs to do anything about. */
export function info(found: string): Said {
  return { verdict: 'info', found };
}

/** Something that the operator can change or finish, with the setting where there is one. */
export function look(found: string, setting?: Said['setting']): Said {
  return { verdict: 'look', found, ...(setting === undefined ? {} : { setting }) };
}

export function fault(found: string, setting?: Said['setting']): Said {
  return { verdict: 'fault', found, ...(setting === undefined ? {} : { setting }) };
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
  const mark = { good: 'ok   ', info: 'info ', look: 'LOOK ', fault: 'FAULT' }[verdict];
  return [
    `${mark} ${check}: ${found}`,
    ...(setting === undefined ? [] : [`      -> set ${setting.name} in cdk.json to ${setting.value}`]),
    ...(sample === undefined ? [] : [`      such as ${JSON.stringify(sample)}`]),
  ];
}
