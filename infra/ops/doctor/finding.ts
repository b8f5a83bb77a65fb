/** The result of a check: as expected, worth a look, or not working. */
type Verdict = 'good' | 'look' | 'fault';

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

/** Something that is worth a look, with the setting to change where there is one. */
export function look(check: string, found: string, setting?: Finding['setting']): Finding {
  return { check, verdict: 'look', found, ...(setting === undefined ? {} : { setting }) };
}

export function fault(check: string, found: string, setting?: Finding['setting']): Finding {
  return { check, verdict: 'fault', found, ...(setting === undefined ? {} : { setting }) };
}
