import { mailLimits, withoutAuthors } from '../input.ts';
import { viewDigest, type DigestView, type RenderInput, type Templates } from '../render.ts';
import { createLanguages } from '../texts/language.ts';
import type { Part } from './parts.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

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
