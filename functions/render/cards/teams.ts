import type { Card, Part } from './parts.ts';

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
export function teamsMessage({ locale, parts, link }: Card): object {
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
