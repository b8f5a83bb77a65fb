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

/** What a check says: nothing where there is nothing to say. */
type Said = Remark | Iterable<Remark> | AsyncIterable<Remark> | null;

/** Checks of one subject, each by what it examines. */
export type Checks<Subject> = Readonly<Record<string, (subject: Subject) => Said | Promise<Said>>>;

/** Is told what is examined, for the operator who waits. */
export type Say = (text: string) => void;

/** Makes checks, all at the same time. What AWS does not answer is said, and is no reason not to say the rest. */
export async function runChecks<Subject>(checks: Checks<Subject>, subject: Subject, say: Say): Promise<Finding[]> {
  say(`Examining: ${Object.keys(checks).join(', ')} …`);
  const made = Object.entries(checks).map(async ([check, examine]) => {
    const findings: Finding[] = [];
    try {
      const said = (await examine(subject)) ?? [];
      for await (const remark of 'verdict' in said ? [said] : said) findings.push({ check, ...remark });
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
  asking: Promise<Result>,
): Promise<Result | Failure> {
  return await asking.catch((error: unknown) => {
    if (error instanceof kind) return error;
    throw error;
  });
}

export const good = remarkOf('good');
/** Something that the operator can change or finish, with the setting where there is one. */
export const look = remarkOf('look');
export const fault = remarkOf('fault');

function remarkOf(verdict: Remark['verdict']) {
  return (sentence: string, setting?: string, value = ''): Remark => {
    return { verdict, sentence, setting: setting === undefined ? undefined : { name: setting, value } };
  };
}
