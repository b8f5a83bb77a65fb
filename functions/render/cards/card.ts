import { mailLimits, type SectionInput } from '../input.ts';
import { viewDigest, type RenderInput, type Templates } from '../render.ts';
import { createLanguages } from '../texts/language.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

/** What a card has room for: the mail and the page have the rest. */
const cardLimits = { ...mailLimits, needs: 3, broadcasts: 0 };

/** A digest with the settings that its card depends on, and the kind of channel. */
export interface CardInput extends Pick<RenderInput, 'digest' | 'report' | 'mail' | 'page'> {
  kind: 'teams' | 'slack';
}

/** A digest as a card shows it: texts, ready to show. */
export type CardView = ReturnType<typeof viewCard>;

/**
 * A renderer of cards: what a webhook of Teams or Slack takes as JSON, below 20 KB, with the words and figures of the mail's head.
 * A whole channel reads it, so it names no person: whoever made a broadcast is its author. It throws a `TypeError` where there are
 * no messages for the report's locale.
 */
export function createCardRenderer({ locales }: Pick<Templates, 'locales'>): (input: CardInput) => object {
  const languageOf = createLanguages(locales);
  return ({ digest: named, report, mail, page, kind }) => {
    const language = languageOf(report.locale, named.period.timeZone);
    const createdBy = language.wording.say('card.author');
    const digest = { ...named, broadcasts: named.broadcasts.map((broadcast) => ({ ...broadcast, createdBy })) };
    const view = viewCard({ digest, report, mail, page, ...language, limits: cardLimits, files: 'none' });
    return kind === 'teams' ? teamsMessage(view) : slackMessage(view);
  };
}

/** A card by which operators see that a channel's address is right. */
export function createTestCard(kind: CardInput['kind'], brand: string): object {
  const verdict = ['This is a test. The digest will be posted here.'];
  const nothing = { about: [], incomplete: null, tiles: [], needs: null, late: null, link: null };
  const view = { locale: 'en', title: brand, verdict, ...nothing };
  return kind === 'teams' ? teamsMessage(view) : slackMessage(view);
}

/** The head of the mail. */
function viewCard(input: SectionInput) {
  const mail = viewDigest(input, { logo: null, canUnsubscribe: false, test: false });
  const { locale, brand, title, period, filter, nothing, incomplete, verdict, needs, tiles, late, report } = mail;
  // Both webhooks refuse a text that is empty.
  const shown = { locale, title: title || brand || period, about: present([period, filter]), link: report };
  if (nothing !== null) {
    return { ...shown, incomplete: null, verdict: [nothing], tiles: [], needs: null, late: null };
  }
  return {
    ...shown,
    incomplete: incomplete && {
      heading: incomplete.heading,
      lines: [...incomplete.reasons.map(({ reason, things }) => `${reason} ${things}`), ...incomplete.notes],
    },
    verdict: present([verdict?.first, verdict?.others]),
    tiles: (tiles?.tiles ?? []).map(({ label, value, said, note }) => ({ label, value, change: said ?? note })),
    needs: needs && {
      ...needs,
      needs: needs.needs.map(({ name, part, seen, advice }) => ({
        name,
        said: `${seen}${part === null ? '' : ` (${part})`}. ${advice}`,
      })),
    },
    late,
  };
}

/** The lines that say something. */
function present(lines: ReadonlyArray<string | null | undefined>): string[] {
  return lines.flatMap((line) => line || []);
}
