import * as v from 'valibot';
import { escapeHtml } from './frame.ts';

/** What a card is made of, in Block Kit and in an Adaptive Card alike: a type, perhaps a text, and further parts. */
const partSchema = v.looseObject({
  type: v.optional(v.string(), ''),
  text: v.optional(v.unknown()),
  weight: v.optional(v.string()),
  size: v.optional(v.string()),
  style: v.optional(v.unknown()),
  title: v.optional(v.string()),
});

/** A card that was posted as html: its texts with their weights, and its boxes. */
export function drawCard(json: string): string {
  return `<div class="card">${draw(JSON.parse(json))}</div>`;
}

export const cardStyle = `.card{max-width:30rem;padding:1rem;border:1px solid #ccc;border-radius:8px}
.card p{margin:.3rem 0}.card .box{border-left:4px solid #d99a00;background:#fff6e0;padding:.3rem 1rem}`;

function draw(part: unknown): string {
  if (Array.isArray(part)) return part.map(draw).join('');
  const parsed = v.safeParse(partSchema, part);
  if (!parsed.success) return '';
  const { type, text, weight, size, style, title } = parsed.output;
  const inner = ['attachments', 'content', 'body', 'actions', 'blocks', 'elements', 'items', 'inlines']
    .map((name) => draw(parsed.output[name]))
    .join('');
  if (typeof text === 'string' && type !== '') {
    // A link of Slack is the one text with markup.
    const shown = escapeHtml(type === 'mrkdwn' ? text.replace(/^<[^|]*\|(.*)>$/, '$1') : text);
    const isBold = weight === 'Bolder' || v.is(v.looseObject({ bold: v.literal(true) }), style);
    const drawn = isBold ? `<b>${shown}</b>` : shown;
    return size === 'Small' || type === 'plain_text' ? `<small>${drawn}</small>` : drawn;
  }
  if (type === 'divider') return '<hr>';
  if (type === 'section') return `<p><a>${draw(text)}</a></p>`;
  if (title !== undefined) return `<p><a>${escapeHtml(title)}</a></p>`;
  if (type === 'Container') return `<div class="box">${inner}</div>`;
  return ['RichTextBlock', 'rich_text_section', 'context'].includes(type) ? `<p>${inner}</p>` : inner;
}
