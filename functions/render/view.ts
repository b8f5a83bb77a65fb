import type { Digest } from '../domain/digest.ts';
import { unsubscribePlaceholder } from '../signed-links/unsubscribe-placeholder.ts';
import { viewColours, type ColoursView } from './sections/colours.ts';
import { viewIncomplete, type IncompleteView } from './sections/incomplete.ts';
import { viewNeeds, type NeedsView } from './sections/needs.ts';
import { viewNewBroadcasts, type NewBroadcastsView } from './sections/new-broadcasts.ts';
import { sayNotes } from './sections/notes.ts';
import type { SectionInput } from './sections/section-input.ts';
import { viewStillRead, type StillReadView } from './sections/still-read.ts';
import { viewTiles, type TilesView } from './sections/tiles.ts';
import { viewTrend, type TrendView } from './sections/trend.ts';
import { sayVerdict } from './sections/verdict.ts';
import type { Limits } from './limits.ts';
import type { MailToRender, ReportToRender } from './settings.ts';
import { sayPreheader, saySubject } from './subject.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';
import type { Language } from './texts/language.ts';

/** The name under which the html shows the logo (RFC 2392). */
export const logoContentId = 'logo';

/** Everything that decides what the mail shows, apart from its language. */
export interface ViewInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  canUnsubscribe: boolean;
  /** Whether the mail is marked as a test. */
  test: boolean;
  logo: { width: number; height: number } | null;
  /** The name of the file with all rows, or why there is none. */
  file: { name: string } | 'none' | 'too-large';
  limits: Limits;
  /** Where the page with the whole digest is, if there is one. */
  page: string | null;
}

/** Everything the templates show, ready to show: they add layout and nothing else. */
export interface DigestView {
  locale: string;
  subject: string;
  preheader: string;
  colours: ColoursView;
  logo: { src: string; width: number; height: number } | null;
  brand: string;
  title: string;
  period: string;
  /** Says that the mail is a test. */
  test: string | null;
  verdict: string;
  incomplete: IncompleteView | null;
  tiles: TilesView | null;
  needs: NeedsView | null;
  fresh: NewBroadcastsView | null;
  stillRead: StillReadView | null;
  trend: TrendView | null;
  notes: { heading: string; lines: string[] };
  /** The link to the page with the whole digest. */
  everything: { label: string; link: string } | null;
  footer: { why: string; contact: string; unsubscribe: { label: string; link: string } | null };
}

/** A digest as the templates show it, with as many of its new broadcasts and their items as there is room for. */
export function viewDigest(input: ViewInput, language: Language): DigestView {
  const { digest, report, mail, limits, logo, canUnsubscribe, test, file, page } = input;
  const { wording, figures } = language;
  const { kind, start, end } = digest.period;
  const incomplete = viewIncomplete(digest, limits, language);
  const isEmpty = digest.deliveries.length === 0 && incomplete === null;
  const elsewhere = page === null ? (typeof file === 'string' ? 'nowhere' : 'file') : 'page';
  const section: SectionInput = { digest, report, mail, limits, elsewhere };
  const verdict = isEmpty
    ? [wording.say(`empty.${kind}`), wording.say('empty.sentence')]
    : sayVerdict(digest, language);
  return {
    locale: language.locale,
    subject: saySubject(digest, { title: report.title, test }, language),
    preheader: sayPreheader(digest, language),
    colours: viewColours(mail.brand.colours),
    logo: logo && { src: `cid:${logoContentId}`, width: logo.width, height: logo.height },
    brand: showForeignText(mail.brand.name, 80) ?? '',
    title: showForeignText(report.title) ?? '',
    period: figures.days(start, end, 'long'),
    test: test ? wording.say('test.banner') : null,
    verdict: verdict.join(wording.say('separator.sentences')),
    incomplete,
    tiles: isEmpty ? null : viewTiles(digest, language),
    needs: isEmpty ? null : viewNeeds(section, language),
    fresh: viewNewBroadcasts(section, language),
    stillRead: viewStillRead(section, language),
    trend: viewTrend(digest, language),
    notes: { heading: wording.say('notes.heading'), lines: sayNotes({ digest, report, limits, file }, language) },
    everything: page === null ? null : { label: wording.say('everything.link'), link: page },
    footer: {
      why: clip(mail.footer.why, 1000),
      contact: clip(mail.footer.contact, 1000),
      unsubscribe: canUnsubscribe ? { label: wording.say('leave.link'), link: unsubscribePlaceholder } : null,
    },
  };
}
