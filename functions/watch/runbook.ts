/** The page for operators, with a heading for each notice and alarm: where it is in the repository. */
const page = 'infra/docs/runbook.md';

/** Where a notice or an alarm is explained: at a heading of the page, by the address that the page has for operators, if it is known. */
export function describeMore(heading: string, address: string | undefined): string {
  if (address === undefined) return `More: "${heading}" in ${page}`;
  return `More: ${address}#${heading.toLowerCase().replaceAll(' ', '-')}`;
}
