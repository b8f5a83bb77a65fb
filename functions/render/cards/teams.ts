import type { CardView } from './card.ts';

/** How a text is set: properties of a TextRun. */
interface Style {
  size?: 'Small' | 'Large';
  weight?: 'Bolder';
  isSubtle?: true;
}

/**
 * The message that a webhook of Teams' Workflows takes: one Adaptive Card. Its texts are TextRuns, which know no Markdown, where
 * those of a TextBlock or a Fact would be formatted (https://adaptivecards.io/explorer/TextRun.html).
 */
export function teamsMessage(view: CardView): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    lang: view.locale,
    msteams: { width: 'Full' },
    body: bodyOf(view),
    actions: view.link === null ? [] : [{ type: 'Action.OpenUrl', title: view.link.label, url: view.link.link }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

function bodyOf({ title, about, incomplete, verdict, tiles, needs, late }: CardView): object[] {
  const [first, ...others] = verdict;
  const body = [
    text(title, { size: 'Large', weight: 'Bolder' }),
    ...about.map((line) => text(line, { isSubtle: true })),
  ];
  if (incomplete !== null) body.push(box('warning', incomplete.heading, ...incomplete.lines.map((line) => text(line))));
  if (first !== undefined) body.push(text(first, { weight: 'Bolder' }), ...others.map((line) => text(line)));
  if (tiles.length > 0) body.push({ type: 'ColumnSet', columns: tiles.map(column) });
  if (needs !== null) {
    const items = needs.needs.flatMap(({ name, said }) => [text(name, { weight: 'Bolder' }), text(said)]);
    if (needs.more !== null) items.push(text(needs.more, { isSubtle: true }));
    body.push(box(items.length === 0 ? 'good' : 'warning', needs.heading, ...items));
  }
  if (late !== null) body.push(text(late, { size: 'Small', isSubtle: true }));
  return body;
}

function column({ label, value, change }: CardView['tiles'][number]): object {
  const items = [text(label, { isSubtle: true }), text(value, { size: 'Large', weight: 'Bolder' })];
  if (change !== null) items.push(text(change, { size: 'Small', isSubtle: true }));
  return { type: 'Column', width: 'stretch', items };
}

function box(style: 'good' | 'warning', heading: string, ...items: object[]): object {
  return { type: 'Container', style, items: [text(heading, { weight: 'Bolder' }), ...items] };
}

/** A text alone. Two braces would begin a date that is formatted (https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features). */
function text(shown: string, style: Style = {}): object {
  return {
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: shown.replaceAll(/(?<=\{)(?=\{)/g, '\u2060'), ...style }],
  };
}
