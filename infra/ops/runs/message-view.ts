import { readMessages, type MessageRow } from '../../../functions/ledger/runs/messages.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { sayInstant } from '../../local/output/instants.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';

/** A message of a receipt, with the instants (ISO 8601) at which SES reported what became of it after it was sent. */
interface MessageView extends Readonly<Receipt['messages'][number]> {
  delivered?: string;
  bounced?: string;
  complained?: string;
}

/** The messages of a run for an operator, with what SES's events say of them. They contain addresses. */
export async function viewMessages(table: Table, { run, messages }: Receipt): Promise<MessageView[]> {
  const rows = new Map<string, MessageRow>();
  for await (const row of readMessages(table, run)) if (row.messageId !== undefined) rows.set(row.messageId, row);
  return messages.map((message) => ({ ...message, ...eventsOf(rows.get(message.messageId ?? '')) }));
}

function eventsOf(row: MessageRow | undefined): Pick<MessageView, 'delivered' | 'bounced' | 'complained'> {
  const { deliveredAt, bouncedAt, complainedAt } = row ?? {};
  return {
    ...(deliveredAt === undefined ? {} : { delivered: deliveredAt }),
    ...(bouncedAt === undefined ? {} : { bounced: bouncedAt }),
    ...(complainedAt === undefined ? {} : { complained: complainedAt }),
  };
}

/** A message in one line: "ada@example.com  sent  <SES's id>  bounced 2026-11-16 08:00 Europe/London". */
export function describeMessage(message: MessageView, timeZone: string): string {
  const { to, outcome, messageId, refusal } = message;
  const events = (['delivered', 'bounced', 'complained'] as const).flatMap((name) => {
    const at = message[name];
    return at === undefined ? [] : [`${name} ${sayInstant(at, timeZone)}`];
  });
  const described = [to, outcome, messageId ?? '', refusal ?? ''].join('  ').trimEnd();
  return [described, ...events].join('  ');
}
