import { isObject } from '../../../functions/json-object.ts';
import { escapeHtml } from './frame.ts';

/** What stands side by side in a card, and what has a ground of its own. */
const classes: Readonly<Record<string, string>> = {
  ColumnSet: 'row',
  Container: 'box',
  RichTextBlock: 'line',
  section: 'line',
};

/** A card of either kind as a simple drawing: its texts in their order, whatever element they are of. */
export function drawCard(card: unknown): string {
  if (Array.isArray(card)) return card.map(drawCard).join('');
  if (!isObject(card)) return '';
  const { type, text, title, size, weight, isSubtle, fields } = card;
  if (type === 'divider') return '<hr>';
  const isLarge = type === 'header' || size === 'Large';
  const ground = fields === undefined ? classes[String(type)] : 'row';
  const own = [ground, isLarge && 'title', weight && 'strong', isSubtle === true && 'quiet'];
  const said = [text, title].map((each) => (typeof each === 'string' ? escapeHtml(each) : ''));
  // The text beside the blocks of Slack is what a notification shows.
  const inner =
    'blocks' in card ? drawCard(card['blocks']) : said.join('') + Object.values(card).map(drawCard).join('');
  return inner === '' ? '' : `<div class="${own.filter(Boolean).join(' ')}">${inner}</div>`;
}
