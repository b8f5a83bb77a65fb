import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { storing } from '../local-error.ts';
import { writeWhole } from '../state-folder.ts';
import { parseJson } from './aws-protocol.ts';
import { serveOnLoopback } from '../loopback.ts';

/** The most bytes that Workflows takes (https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages). */
const mostBytes = 28_000;

const messages = {
  teams: v.looseObject({
    type: v.literal('message'),
    attachments: v.tuple([v.looseObject({ content: v.looseObject({ body: v.array(v.unknown()) }) })]),
  }),
  slack: v.looseObject({ text: v.string(), blocks: v.pipe(v.array(v.unknown()), v.maxLength(50)) }),
};

const path = /^\/(teams|slack)\/([\w-]+)$/;

/**
 * Starts the webhooks of a configuration's channels on loopback, and gives the address of each by its name. What the real
 * ones would refuse is a 400; an accepted card is in `outDir` before the answer, named by its time and its channel:
 * `<id>.<channel>.card.json`.
 */
export async function startWebhooks({ reports }: Pick<Configuration, 'reports'>, outDir: string) {
  const loopback = await serveOnLoopback(async ({ method, url, body }) => {
    const [, kind, channel = ''] = path.exec(url) ?? [];
    if (method !== 'POST' || (kind !== 'teams' && kind !== 'slack')) return { status: 404, body: 'no_service' };
    const card = v.safeParse(messages[kind], parseJson(body));
    if (!card.success || body.length > mostBytes) return { status: 400, body: 'invalid_payload' };
    const id = `${Date.now().toString(16).padStart(12, '0')}-${randomUUID().slice(0, 8)}`;
    await storing(outDir, async () => {
      await mkdir(outDir, { recursive: true });
      await writeWhole(join(outDir, `${id}.${channel}.card.json`), `${JSON.stringify(card.output, null, 2)}\n`);
    });
    return kind === 'teams' ? { status: 202, body: '' } : { status: 200, body: 'ok' };
  });
  const channels = reports.flatMap((report) => report.channels);
  const addresses = channels.map(({ name, kind }) => [name, `${loopback.url}/${kind}/${name}`]);
  return { ...loopback, addresses: Object.fromEntries(addresses) };
}
