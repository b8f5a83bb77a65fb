import { mailLimits, withoutAuthors } from '../input.ts';
import { type DigestView, type RenderInput, type Templates, viewDigest } from '../render.ts';
import { createLanguages } from '../texts/language.ts';
import { clip } from '../../domain/wording.ts';

/** What a card has room for: the mail and the page have the rest. */
const cardLimits = { ...mailLimits, needs: 3, broadcasts: 0 };

const messages = { teams: teamsMessage, slack: slackMessage };

export interface CardInput extends Pick<RenderInput, 'digest' | 'report' | 'mail' | 'page'> {
  kind: keyof typeof messages;
}

/**
 * A renderer of cards: what a webhook of Teams or Slack takes as JSON, below 20 KB, with the words and figures of the mail's head.
 * A whole channel reads it, so it names no person. It throws a `TypeError` where there are
 * no messages for the report's locale.
 */
export function createCardRenderer({ locales }: Pick<Templates, 'locales'>): (input: CardInput) => object {
  const languageOf = createLanguages(locales);
  return ({ digest: named, report, mail, page, kind }) => {
    const language = languageOf(report.locale, named.period.timeZone);
    const { wording } = language;
    const digest = withoutAuthors(named, wording);
    const input = { digest, report, mail, page, ...language, limits: cardLimits, files: 'none' } as const;
    const view = viewDigest(input, { logo: null, canUnsubscribe: false, test: false });
    return messages[kind]({ locale: report.locale, parts: partsOf(view), link: view.report });
  };
}

/** A card by which operators see that a channel's address is right. */
export function createTestCard(kind: CardInput['kind'], brand: string): object {
  const parts = [...lines('title', brand), ...lines('plain', 'This is a test. The digest will be posted here.')];
  return messages[kind]({ locale: 'en', parts, link: null });
}

function partsOf(view: DigestView): Part[] {
  const { brand, title, period, filter, nothing, incomplete, verdict, note, needs, tiles } = view;
  // Both webhooks refuse a text that is empty.
  const parts = [...lines('title', title || brand || period), ...lines('quiet', period, filter)];
  if (nothing !== null) return [...parts, ...lines('plain', nothing, note)];
  if (incomplete !== null) {
    const reasons = incomplete.reasons.map(({ reason, things }) => `${reason} ${things}`);
    parts.push({ ground: 'warning', rows: [[incomplete.heading, ...reasons, ...incomplete.notes]] });
  }
  parts.push(...lines('strong', verdict?.first), ...lines('plain', verdict?.others, note));
  const figures = tiles?.tiles.map(({ label, value, change, note }) =>
    [label, value, change?.said ?? note ?? ''].filter(Boolean),
  );
  if (figures !== undefined) parts.push({ figures });
  if (needs !== null) {
    const rows = needs.needs.map(({ name, part, seen, advice }) => {
      return [name, `${seen}${part === null ? '' : ` (${part})`}. ${advice}`];
    });
    parts.push({ ground: rows.length === 0 ? 'good' : 'warning', rows: [[needs.heading], ...rows] });
    parts.push(...lines('quiet', needs.more));
  }
  return parts;
}

function lines(line: Extract<Part, { line: string }>['line'], ...texts: Array<string | null | undefined>): Part[] {
  return texts.flatMap((text) => (text ? { line, text } : []));
}

/** A part of a card: a line, figures side by side, or rows on a ground of their own, of which each begins in bold. */
type Part =
  | { line: 'title' | 'strong' | 'plain' | 'quiet'; text: string }
  | { figures: string[][] }
  | { ground: 'good' | 'warning'; rows: string[][] };

/** A whole card: its parts from the top, and the link below them. */
interface Card {
  locale: string;
  parts: Part[];
  link: { label: string; link: string } | null;
}

const styles = {
  title: { size: 'Large', weight: 'Bolder' },
  strong: { weight: 'Bolder' },
  plain: {},
  quiet: { size: 'Small', isSubtle: true },
};

/**
 * The message that a webhook of Teams' Workflows takes: one Adaptive Card. Its texts are TextRuns, which know no Markdown, where
 * those of a TextBlock or a Fact would be formatted (https://adaptivecards.io/explorer/TextRun.html).
 */
function teamsMessage({ locale, parts, link }: Card): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    lang: locale,
    msteams: { width: 'Full' },
    body: parts.map(elementOf),
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: link.label, url: link.link }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

function elementOf(part: Part): object {
  if ('line' in part) return text(part.text, part.line);
  if ('figures' in part) {
    // A label, the figure, and how it changed.
    const columns = part.figures.map((texts) => ({
      type: 'Column',
      width: 'stretch',
      items: texts.map((shown, index) => text(shown, index === 1 ? 'title' : 'quiet')),
    }));
    return { type: 'ColumnSet', columns };
  }
  const items = part.rows.flatMap((row) => row.map((line, index) => text(line, index === 0 ? 'strong' : 'plain')));
  return { type: 'Container', style: part.ground, items };
}

/** A text alone. Two braces would begin a date that is formatted (https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features). */
function text(shown: string, style: keyof typeof styles): object {
  const run = { type: 'TextRun', text: shown.replaceAll(/(?<=\{)(?=\{)/g, '\u2060'), ...styles[style] };
  return { type: 'RichTextBlock', inlines: [run] };
}

/** The most characters of a header and of a section's text; a field has 2,000 (https://docs.slack.dev/reference/block-kit/blocks). */
const longest = { header: 150, section: 3_000 };

/**
 * The message that an incoming webhook of Slack takes, in Block Kit. Its texts are plain, in which nothing is formatted, linked or
 * mentioned; what a notification shows of it, and the link, are mrkdwn and escaped.
 */
function slackMessage({ parts, link }: Card): object {
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
