import { unsubscribePlaceholder } from '../signed-links/unsubscribe-placeholder.ts';
import { viewColours, type ColoursView } from './sections/colours.ts';
import { viewIncomplete, type IncompleteView } from './sections/incomplete.ts';
import { viewNeeds, type NeedsView } from './sections/needs.ts';
import { viewNewBroadcasts, type BroadcastsView } from './sections/new-broadcasts.ts';
import { sayLate, sayNotes } from './sections/notes.ts';
import type { SectionInput } from './sections/section-input.ts';
import { viewStillRead, type StillReadView } from './sections/still-read.ts';
import { viewTiles, type TilesView } from './sections/tiles.ts';
import { viewTrend, type TrendView } from './sections/trend.ts';
import { sayEmpty, sayVerdict } from './sections/verdict.ts';
import { sayPreheader, saySubject } from './subject.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';
import type { Language } from './texts/language.ts';

/** A link and its words. */
export interface LinkView {
  label: string;
  link: string;
}

/** A picture, and the pixels that it takes. */
export interface LogoView {
  src: string;
  width: number;
  height: number;
}

/** Everything that decides what is shown, apart from its language. */
export interface ViewInput extends SectionInput {
  canUnsubscribe: boolean;
  /** Whether the mail is marked as a test. */
  test: boolean;
  logo: LogoView | null;
  /** The name of the attached file with all rows, or why there is none. */
  file: { name: string } | 'none' | 'too-large';
  /** Where the page with the whole digest is, if there is one. */
  page: string | null;
}

/** What a page has that a mail does not. */
export interface PageView {
  csv: LinkView | null;
  /** The latest of the earlier digests. */
  previous: LinkView | null;
  /** The broadcasts that are not new, by their kinds. */
  sections: BroadcastsView[];
  earlier: { heading: string; links: LinkView[] } | null;
}

/** Everything the templates show, ready to show: they add layout and nothing else. */
export interface DigestView {
  locale: string;
  /** The subject of the mail, or the title of the page. */
  subject: string;
  preheader: string;
  colours: ColoursView;
  logo: LogoView | null;
  brand: string;
  title: string;
  period: string;
  /** Says that the mail is a test. */
  test: string | null;
  verdict: string;
  incomplete: IncompleteView | null;
  tiles: TilesView | null;
  needs: NeedsView | null;
  fresh: BroadcastsView | null;
  stillRead: StillReadView | null;
  trend: TrendView | null;
  /** What came too late for the last digest. */
  late: string | null;
  notes: { heading: string; lines: string[] };
  /** The link to the page with the whole digest. */
  everything: LinkView | null;
  /** What only the page has; `null` in a mail. */
  page: PageView | null;
  footer: { why: string; contact: string; unsubscribe: LinkView | null };
}

/** A digest as the templates show it, with as many of its new broadcasts and their items as there is room for. */
export function viewDigest(input: ViewInput, language: Language): DigestView {
  const { digest, report, mail, limits, logo, canUnsubscribe, test, page } = input;
  const { wording, figures } = language;
  const { kind, start, end } = digest.period;
  const incomplete = viewIncomplete(digest, limits, language);
  const isEmpty = digest.deliveries.length === 0 && incomplete === null;
  const verdict = isEmpty ? [wording.say(`empty.${kind}`), ...sayEmpty(input, language)] : sayVerdict(digest, language);
  return {
    locale: language.locale,
    subject: saySubject(digest, { title: report.title, test }, language),
    preheader: sayPreheader(input, language),
    colours: viewColours(mail.brand.colours),
    logo,
    brand: showForeignText(mail.brand.name, 80) ?? '',
    title: showForeignText(report.title) ?? '',
    period: figures.days(start, end, 'long'),
    test: test ? wording.say('test.banner') : null,
    verdict: verdict.join(wording.say('separator.sentences')),
    incomplete,
    tiles: isEmpty ? null : viewTiles(digest, language),
    needs: isEmpty ? null : viewNeeds(input, language),
    fresh: viewNewBroadcasts(input, language),
    stillRead: viewStillRead(input, language),
    trend: viewTrend(digest, language),
    late: sayLate(digest, language),
    notes: { heading: wording.say('notes.heading'), lines: sayNotes(input, language) },
    everything: page === null ? null : { label: wording.say('everything.link'), link: page },
    page: null,
    footer: {
      why: clip(mail.footer.why, 1000),
      contact: clip(mail.footer.contact, 1000),
      unsubscribe: canUnsubscribe ? { label: wording.say('leave.link'), link: unsubscribePlaceholder } : null,
    },
  };
}
