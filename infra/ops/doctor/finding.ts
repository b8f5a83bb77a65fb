/** The result of a check: as expected, worth knowing, worth a look because the operator can do something about it, or not working. */
type Verdict = 'good' | 'info' | 'look' | 'fault';

/** What one check of the doctor found. */
export interface Finding {
  /** What was examined, in a few words. */
  check: string;
  verdict: Verdict;
  /** What was found, in a sentence. */
  found: string;
  /** The setting of `cdk.json` to change, with what to write there. */
  setting?: { name: string; value: string };
  /** An example of an answer, with personal data masked. */
  sample?: unknown;
}

export function good(check: string, found: string): Finding {
  return { check, verdict: 'good', found };
}

/** Something that differs from the usual and that nobody needs to do anything about. */
export function info(check: string, found: string): Finding {
  return { check, verdict: 'info', found };
}

/** Something that the operator can change or finish, with the setting where there is one. */
export function look(check: string, found: string, setting?: Finding['setting']): Finding {
  return { check, verdict: 'look', found, ...(setting === undefined ? {} : { setting }) };
}

export function fault(check: string, found: string, setting?: Finding['setting']): Finding {
  return { check, verdict: 'fault', found, ...(setting === undefined ? {} : { setting }) };
}
