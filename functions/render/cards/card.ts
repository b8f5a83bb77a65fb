import { clip } from '../../domain/wording.ts';
import { mailLimits } from '../limits.ts';
import { type DigestView, type RenderInput, type Templates, viewDigest } from '../render.ts';
import { sayNeeds } from '../subject.ts';
import { createLanguages } from '../texts/language.ts';

const messages = { teams: teamsMessage, slack: slackMessage };

export interface CardInput extends Pick<RenderInput, 'digest' | 'report' | 'mail' | 'page'> {
  kind: keyof typeof messages;
}

/**
 * A renderer of cards: what a webhook of Teams or Slack takes as JSON, below 20 KB, with the verdict, the answers and the needs of
 * the mail. A whole channel reads it, and it names no person. It throws a `TypeError` where there are no messages for the report's
 * locale.
 */
export function createCardRenderer({ locales }: Pick<Templates, 'locales'>): (input: CardInput) => object {
  const languageOf = createLanguages(locales);
  return ({ digest, report, mail, page, kind }) => {
    const language = languageOf(report.locale, digest.period.timeZone);
    const input = { digest, report, mail, page, ...language, limits: mailLimits, files: 'none' } as const;
    const view = viewDigest(input);
    const notification = [...sayNeeds(input), view.verdict].join(' – ');
    return messages[kind]({ locale: report.locale, notification, parts: partsOf(view), link: view.button });
  };
}

/** A card by which operators see that a channel's address is right. */
export function createTestCard(kind: CardInput['kind'], brand: string): object {
  const text = 'This is a test. The digest will be posted here.';
  return messages[kind]({
    locale: 'en',
    notification: text,
    parts: [...linesOf('title', brand), ...linesOf('plain', text)],
    link: null,
  });
}

/** A run of text, which may be bold. */
interface Run {
  text: string;
  strong?: boolean;
}

/** A part of a card: a line, or lines of runs on a ground of their own. */
type Part = { line: keyof typeof styles; text: string } | { ground: 'warning' | 'default' | 'good'; lines: Run[][] };

// Both webhooks refuse a text that is empty.
const linesOf = (line: keyof typeof styles, ...texts: Array<string | null>): Part[] =>
  texts.flatMap((text) => (text ? { line, text } : []));

function partsOf({ brand, title, period, verdict, answers, note, incomplete, good, needs, since }: DigestView): Part[] {
  return [
    ...linesOf('quiet', [title || brand, period].filter(Boolean).join(', ')),
    ...linesOf('title', verdict),
    ...linesOf('plain', answers, note),
    ...(incomplete === null ? [] : [{ ground: 'default' as const, lines: linesOfGap(incomplete) }]),
    ...(good === null ? [] : [{ ground: 'good' as const, lines: [[{ text: good }]] }]),
    ...(needs === null ? [] : partsOfNeeds(needs)),
    ...(since?.still ?? []).flatMap(({ lead, names }) => {
      const said = names.map(({ before, name, rest }) => before + [name, rest].filter(Boolean).join(' '));
      return linesOf('plain', `${lead} ${said.join('')}`);
    }),
    ...(since?.lines.length ? linesOf('plain', `${since.lead} ${since.lines.join(' ')}`) : []),
  ];
}

function linesOfGap({ heading, reasons, notes }: NonNullable<DigestView['incomplete']>): Run[][] {
  return [
    [{ text: heading, strong: true }],
    ...reasons.map(({ reason, things }) => [{ text: `${reason} ${things}` }]),
    ...notes.map((text) => [{ text }]),
  ];
}

/** What needs somebody: its name by weight, its count, and what is to be done. */
function partsOfNeeds({ heading, season, boxes, more }: NonNullable<DigestView['needs']>): Part[] {
  const lines = boxes.map(({ name, date, count, said }) => [
    { text: [name, date].filter(Boolean).join(' '), strong: true },
    { text: ` ${count}. ${said}` },
  ]);
  const first = season === null ? [] : [[{ text: season }]];
  return [
    { ground: 'warning', lines: [[{ text: heading, strong: true }], ...first, ...lines] },
    ...linesOf('quiet', more),
  ];
}

/** A whole card: what a notification shows of it, its parts from the top, and the link below them. */
interface Card {
  locale: string;
  notification: string;
  parts: Part[];
  link: { label: string; link: string } | null;
}

const styles = {
  title: { size: 'Large', weight: 'Bolder' },
  plain: {},
  quiet: { size: 'Small', isSubtle: true },
};

/**
 * The message that a webhook of Teams' Workflows takes: one Adaptive Card. Its texts are TextRuns, which know no Markdown, where
 * those of a TextBlock or a Fact would be formatted (https://adaptivecards.io/explorer/TextRun.html).
 */
function teamsMessage({ locale, notification, parts, link }: Card): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    lang: locale,
    msteams: { width: 'Full' },
    fallbackText: notification,
    body: parts.map(elementOf),
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: link.label, url: link.link }],
  };
  const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
  return { type: 'message', summary: notification, attachments };
}

function elementOf(part: Part): object {
  if ('line' in part) return textBlock([part], styles[part.line]);
  return { type: 'Container', style: part.ground, items: part.lines.map((runs) => textBlock(runs, {})) };
}

/** A line of text. Two braces would begin a date that is formatted (https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features). */
function textBlock(runs: readonly Run[], style: object): object {
  const inlines = runs.map(({ text, strong = false }) => ({
    type: 'TextRun',
    text: text.replaceAll(/(?<=\{)(?=\{)/g, '\u2060'),
    ...style,
    ...(strong ? { weight: 'Bolder' } : {}),
  }));
  return { type: 'RichTextBlock', inlines };
}

/** The most characters of a text (https://docs.slack.dev/reference/block-kit/blocks). */
const longestText = 3_000;

/**
 * The message that an incoming webhook of Slack takes, in Block Kit. Its texts are rich text, whose runs are shown as they are;
 * what a notification shows of it, and the link, are mrkdwn and escaped.
 */
function slackMessage({ notification, parts, link }: Card): object {
  const blocks = parts.flatMap(blocksOf);
  if (link !== null) {
    const text = `<${escapeMarkup(link.link)}|${escapeMarkup(link.label)}>`;
    blocks.push({ type: 'section', text: { type: 'mrkdwn', text } });
  }
  return { text: escapeMarkup(notification), blocks };
}

function blocksOf(part: Part): object[] {
  if ('lines' in part) return [{ type: 'divider' }, richText(part.lines)];
  const { line, text } = part;
  if (line !== 'quiet') return [richText([[{ text, strong: line === 'title' }]])];
  return [{ type: 'context', elements: [{ type: 'plain_text', text: clip(text, longestText), emoji: false }] }];
}

/** Lines of runs, a section each. */
function richText(lines: ReadonlyArray<readonly Run[]>): object {
  const elements = lines.map((runs) => ({
    type: 'rich_text_section',
    elements: runs.map(({ text, strong = false }) => ({
      type: 'text',
      text: clip(text, longestText),
      ...(strong ? { style: { bold: true } } : {}),
    })),
  }));
  return { type: 'rich_text', elements };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
