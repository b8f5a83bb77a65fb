import * as v from 'valibot';

// What the webhooks of Teams and Slack take, as far as our cards use it: https://adaptivecards.io/explorer/ and
// https://docs.slack.dev/reference/block-kit/blocks. What is not here would be refused there, or shown otherwise.

const limited = (length: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(length));

const run = v.strictObject({
  type: v.literal('TextRun'),
  text: limited(5_000),
  size: v.exactOptional(v.picklist(['Small', 'Large'])),
  weight: v.exactOptional(v.literal('Bolder')),
  isSubtle: v.exactOptional(v.literal(true)),
});
const richText = v.strictObject({ type: v.literal('RichTextBlock'), inlines: v.array(run) });
const column = v.strictObject({ type: v.literal('Column'), width: v.literal('stretch'), items: v.array(richText) });
const container = v.strictObject({
  type: v.literal('Container'),
  style: v.picklist(['good', 'warning']),
  items: v.array(richText),
});
const columns = v.strictObject({ type: v.literal('ColumnSet'), columns: v.array(column) });
const action = v.strictObject({
  type: v.literal('Action.OpenUrl'),
  title: limited(100),
  url: v.pipe(v.string(), v.url()),
});
const teamsMessage = v.strictObject({
  type: v.literal('message'),
  attachments: v.strictTuple([
    v.strictObject({
      contentType: v.literal('application/vnd.microsoft.card.adaptive'),
      content: v.strictObject({
        $schema: v.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: v.literal('AdaptiveCard'),
        version: v.literal('1.4'),
        lang: v.string(),
        msteams: v.strictObject({ width: v.literal('Full') }),
        body: v.array(v.variant('type', [richText, columns, container])),
        actions: v.array(action),
      }),
    }),
  ]),
});

const plain = (length: number) =>
  v.strictObject({ type: v.literal('plain_text'), text: limited(length), emoji: v.literal(false) });
const markup = v.strictObject({
  type: v.literal('mrkdwn'),
  text: v.pipe(limited(3_000), v.regex(/^<https?:[^<>|\s]+\|[^<>]+>$/)),
});
const slackMessage = v.strictObject({
  text: v.pipe(limited(3_000), v.regex(/^[^<>]*$/)),
  blocks: v.pipe(
    v.array(
      v.union([
        v.strictObject({ type: v.literal('header'), text: plain(150) }),
        v.strictObject({ type: v.literal('section'), text: v.union([plain(3_000), markup]) }),
        v.strictObject({ type: v.literal('section'), fields: v.pipe(v.array(plain(2_000)), v.maxLength(10)) }),
        v.strictObject({ type: v.literal('context'), elements: v.pipe(v.array(plain(3_000)), v.maxLength(10)) }),
        v.strictObject({ type: v.literal('divider') }),
      ]),
    ),
    v.maxLength(50),
  ),
});

/** What each kind of webhook takes. */
export const cardSchemas = { teams: teamsMessage, slack: slackMessage };
