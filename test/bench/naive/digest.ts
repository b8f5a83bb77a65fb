// What one would write instead of this product: one call after the other, MJML for every message, one message at a time.
import { SendRawEmailCommand, type SESClient } from '@aws-sdk/client-ses';
import mjml2html from 'mjml';
import MailComposer from 'nodemailer/lib/mail-composer';
import * as v from 'valibot';

const token = v.object({ token: v.string() });
const deliveries = v.array(
  v.object({
    delivery: v.object({
      id: v.string(),
      broadcast: v.object({ id: v.string(), name: v.string() }),
      status: v.string(),
    }),
  }),
);
const broadcast = v.object({ contents: v.array(v.object({ id: v.string(), type: v.string() })) });
const recipients = v.array(v.looseObject({ seenAt: v.nullable(v.string()), respondedAt: v.nullable(v.string()) }));

interface Line {
  name: string;
  seen: number;
  responded: number;
}

/** Mails the last week's figures; gives how many requests it made. */
export async function mailNaively(options: {
  url: string;
  credentials: { id: string; secret: string };
  ses: SESClient;
  from: string;
  subscribers: readonly string[];
  week: { start: number; end: number };
}): Promise<number> {
  const { url, credentials, ses, from, subscribers, week } = options;
  let requests = 0;
  const get = async <T>(path: string, schema: v.GenericSchema<unknown, T>, init?: RequestInit): Promise<T> => {
    requests += 1;
    return v.parse(schema, await (await fetch(`${url}${path}`, init)).json());
  };
  const { token: bearer } = await get('/v1/auth', token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const init = { headers: { authorization: `Bearer ${bearer}` } };
  const lines: Line[] = [];
  for (const { delivery } of await get('/v1/broadcasts/deliveries', deliveries, init)) {
    if (delivery.status !== 'delivered') continue;
    const path = `/v1/broadcasts/deliveries/${delivery.id}`;
    const rows = await get(`${path}/recipients`, recipients, init);
    if (!rows.some(({ seenAt }) => seenAt !== null && isWithin(seenAt, week))) continue;
    lines.push(lineOf(delivery.broadcast.name, rows));
    const { contents } = await get(`/v1/broadcasts/${delivery.broadcast.id}`, broadcast, init);
    for (const { id, type } of contents) {
      lines.push(lineOf(type, await get(`${path}/contents/${id}/recipients`, recipients, init)));
    }
  }
  for (const to of subscribers) {
    const raw = await composeMail(from, to, lines);
    await ses.send(new SendRawEmailCommand({ Source: from, Destinations: [to], RawMessage: { Data: raw } }));
  }
  return requests;
}

function isWithin(date: string, { start, end }: { start: number; end: number }): boolean {
  const instant = Date.parse(date);
  return instant >= start && instant < end;
}

function lineOf(name: string, rows: v.InferOutput<typeof recipients>): Line {
  const seen = rows.filter(({ seenAt }) => seenAt !== null).length;
  return { name, seen, responded: rows.filter(({ respondedAt }) => respondedAt !== null).length };
}

async function composeMail(from: string, to: string, lines: readonly Line[]): Promise<Buffer> {
  const rows = lines.map(
    ({ name, seen, responded }) =>
      `<mj-section><mj-column><mj-text>${escape(name)}</mj-text></mj-column>` +
      `<mj-column><mj-text>${seen}</mj-text></mj-column><mj-column><mj-text>${responded}</mj-text></mj-column></mj-section>`,
  );
  const { html } = await mjml2html(`<mjml><mj-body>${rows.join('')}</mj-body></mjml>`);
  return await new MailComposer({ from, to, subject: 'Weekly digest', html }).compile().build();
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
