import { clip } from '../texts/foreign-text.ts';
import type { Card, Part } from './parts.ts';

/** The most characters of a header and of a section's text; a field has 2,000 (https://docs.slack.dev/reference/block-kit/blocks). */
const longest = { header: 150, section: 3_000 };

/**
 * The message that an incoming webhook of Slack takes, in Block Kit. Its texts are plain, in which nothing is formatted, linked or
 * mentioned; what a notification shows of it, and the link, are mrkdwn and escaped.
 */
export function slackMessage({ parts, link }: Card): object {
  const blocks = parts.flatMap(blocksOf);
  if (link !== null) {
    const text = `<${escapeMarkup(link.link)}|${escapeMarkup(link.label)}>`;
    blocks.push({ type: 'section', text: { type: 'mrkdwn', text } });
  }
  const firstLines = parts.flatMap((part) => ('line' in part ? part.text : [])).slice(0, 3);
  return { text: escapeMarkup(firstLines.join(' – ')), blocks };
}

function blocksOf(part: Part): object[] {
  if ('rows' in part) return [{ type: 'divider' }, ...part.rows.map(section)];
  if ('figures' in part) return [{ type: 'section', fields: part.figures.map((figure) => plain(figure.join('\n'))) }];
  if (part.line === 'title') return [{ type: 'header', text: plain(part.text, longest.header) }];
  return part.line === 'quiet' ? [{ type: 'context', elements: [plain(part.text)] }] : [section([part.text])];
}

const section = (lines: readonly string[]): object => ({ type: 'section', text: plain(lines.join('\n')) });

/** A text in which Slack reads neither formatting nor mentions, nor the names of emoji. */
function plain(text: string, length = longest.section): object {
  return { type: 'plain_text', text: clip(text, length), emoji: false };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
