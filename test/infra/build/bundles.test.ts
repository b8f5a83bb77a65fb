import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { buildBundles } from '../../../infra/build/bundles.ts';
import { functionNames, type FunctionName } from '../../../infra/function-settings.ts';
import { configurationWith } from '../../support/configuration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A configuration with an address of its own wherever one is possible. */
const addressed = {
  mail: {
    from: 'sender@digest.example',
    replyTo: 'answers@digest.example',
    footer: { why: 'You manage a site.', contact: 'Write to contact@digest.example.' },
  },
  operations: { alarmAddresses: ['alarms@digest.example'] },
  reports: ['weekly', 'daily'].map((name) => ({
    name,
    schedule: { every: 'day', at: '07:30', timeZone: 'Europe/London' },
    subscribers: [`${name}@digest.example`],
  })),
};

const folder = temporaryFolder();
beforeAll(() => buildBundles(configurationWith(addressed), folder));

const addresses = ['alarms', 'answers', 'contact', 'daily', 'sender', 'weekly'].map((who) => `${who}@digest.example`);
const shown: Partial<Record<FunctionName, string[]>> = { run: addresses, page: ['contact@digest.example'] };
const inRepository = /^(?:functions|node_modules)\/(?!\.cache\/)|^templates:/;

test.each(functionNames)(
  'the bundle of %s holds no address but those that it sends or shows, and maps to sources by their paths in the repository',
  async (name) => {
    const files = await readdir(`${folder}/${name}`);
    const texts = await Promise.all(files.map((file) => readFile(`${folder}/${name}/${file}`, 'utf8')));
    const shownAddresses = texts.flatMap((text) => text.match(/\w+@digest\.example/g) ?? []);
    expect([...new Set(shownAddresses)].toSorted()).toEqual(shown[name] ?? []);
    const { sources }: { sources: string[] } = JSON.parse(texts[files.indexOf('index.cjs.map')] ?? '');
    expect(sources).toContain(`functions/${name}/handler.ts`);
    expect(sources.filter((source) => !inRepository.test(source))).toEqual([]);
  },
);
