import { globSync, readFileSync } from 'node:fs';

/** The pages for people, by their paths in the repository. */
export const pages: ReadonlyMap<string, string> = new Map(
  globSync(['README.md', 'infra/CONTRIBUTING.md', 'infra/docs/*.md', 'templates/README.md']).map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]),
);

/** The pages that `npm run pages` writes. */
export const generatedPages = ['infra/docs/configuration.md', 'infra/docs/commands.md'];

/** A heading's anchor, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The headings of a text, of so many `#`. */
export function headingsOf(text: string, level = '#+'): string[] {
  return [...text.matchAll(new RegExp(`^${level} (.*)$`, 'gm'))].map(([, heading = '']) => heading);
}
