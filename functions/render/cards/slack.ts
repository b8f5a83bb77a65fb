import { clip } from '../texts/foreign-text.ts';
import type { CardView } from './card.ts';

/** The most characters of a header's text, and of a section's or a context's (https://docs.slack.dev/reference/block-kit/blocks). */
const longest = { header: 150, section: 3_000, field: 2_000 };

/**
 * The message that an incoming webhook of Slack takes, in Block Kit. Its texts are plain, in which nothing is formatted, linked or
 * mentioned; what a notification shows of it, and the link, are mrkdwn and escaped.
 */
export function slackMessage(view: CardView): object {
  const { title, about, incomplete, verdict } = view;
  const said = incomplete === null ? verdict.slice(0, 1) : [incomplete.heading];
  return { text: escapeMarkup([title, ...about, ...said].join(' – ')), blocks: blocksOf(view) };
}

function blocksOf({ title, about, incomplete, verdict, tiles, needs, late, link }: CardView): object[] {
  const blocks: object[] = [{ type: 'header', text: plain(title, longest.header) }];
  if (about.length > 0) blocks.push(context(...about));
  if (incomplete !== null) blocks.push(section(incomplete.heading, ...incomplete.lines));
  if (verdict.length > 0) blocks.push(section(...verdict));
  if (tiles.length > 0) {
    const fields = tiles.map(({ label, value, change }) =>
      plain([label, value, ...(change === null ? [] : [change])].join('\n'), longest.field),
    );
    blocks.push({ type: 'section', fields });
  }
  if (needs !== null) {
    blocks.push({ type: 'divider' }, section(needs.heading));
    for (const { name, said } of needs.needs) blocks.push(section(name, said));
    if (needs.more !== null) blocks.push(context(needs.more));
  }
  if (late !== null) blocks.push(context(late));
  if (link !== null) {
    const text = `<${escapeMarkup(link.link)}|${escapeMarkup(link.label)}>`;
    blocks.push({ type: 'section', text: { type: 'mrkdwn', text } });
  }
  return blocks;
}

/** A text in which Slack reads neither formatting nor mentions, nor the names of emoji. */
function plain(text: string, length: number): object {
  return { type: 'plain_text', text: clip(text, length), emoji: false };
}

const section = (...lines: string[]): object => ({ type: 'section', text: plain(lines.join('\n'), longest.section) });
const context = (...lines: string[]): object => ({
  type: 'context',
  elements: lines.map((line) => plain(line, longest.section)),
});

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
