import { globSync, readFileSync } from 'node:fs';

/** The pages for people, by their paths in the repository. */
export const pages: ReadonlyMap<string, string> = new Map(
  globSync(['README.md', 'infra/CONTRIBUTING.md', 'infra/docs/*.md', 'templates/README.md']).map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]),
);

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

/** All pages, cut before each heading. */
export const parts = [...pages.values()].flatMap((page) => page.split(/^#+ /m));

/** The actions of commands whose names are not theirs. */
const renamed: Readonly<Record<string, string>> = {
  'logs:Tail': 'logs:FilterLogEvents',
  'lambda:Invoke': 'lambda:InvokeFunction',
  'dynamodb:Wait': 'dynamodb:DescribeTable',
};

/** The actions of the `aws` commands in a text: of `aws sqs receive-message` it is `sqs:ReceiveMessage`. */
export function awsActionsIn(text: string): string[] {
  return [...text.matchAll(/\baws (\w+) ([\w-]+)/g)].map(([, service = '', command = '']) => {
    const name = command.replaceAll(/(?:^|-)\w/g, (letter) => letter.slice(-1).toUpperCase());
    const action = `${service.replace('sesv2', 'ses')}:${name}`;
    return renamed[action] ?? action;
  });
}
