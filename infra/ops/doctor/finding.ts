/** How a check went: as expected; worth a look; or not working. */
export type Verdict = 'good' | 'look' | 'fault';

/** What one check of the doctor found. */
export interface Finding {
  /** What was looked at, in few words. */
  check: string;
  verdict: Verdict;
  /** What was met, in a sentence. */
  found: string;
  /** The setting of `cdk.json` to change, with what to write there. */
  setting?: { name: string; value: string };
  /** What an answer looks like, personal data masked. */
  sample?: unknown;
}

export function good(check: string, found: string): Finding {
  return { check, verdict: 'good', found };
}

/** Something to look at, with the setting to change where there is one. */
export function look(check: string, found: string, setting?: Finding['setting']): Finding {
  return { check, verdict: 'look', found, ...(setting === undefined ? {} : { setting }) };
}

export function fault(check: string, found: string, setting?: Finding['setting']): Finding {
  return { check, verdict: 'fault', found, ...(setting === undefined ? {} : { setting }) };
}
