import { isObject } from '../../../functions/json-object.ts';
import { escapeHtml } from './frame.ts';

/** A card of either kind as a simple drawing: its texts in their order, whatever element they are of. */
export function drawCard(card: unknown): string {
  if (Array.isArray(card)) return card.map(drawCard).join('');
  if (!isObject(card)) return '';
  const { type, text, title, size, weight, fields } = card;
  if (type === 'divider') return '<hr>';
  // The names that the cards have for it are those of the style.
  const own = [fields === undefined ? type : 'ColumnSet', size, weight];
  const said = [text, title].map((each) => (typeof each === 'string' ? escapeHtml(each) : ''));
  // The text beside the blocks of Slack is what a notification shows.
  const inner =
    'blocks' in card ? drawCard(card['blocks']) : said.join('') + Object.values(card).map(drawCard).join('');
  return inner === '' ? '' : `<div class="${escapeHtml(own.join(' '))}">${inner}</div>`;
}
