import type { DeliveryKind, Digest, DigestDelivery } from '../../domain/digest.ts';
import { unsubscribePlaceholder } from '../../signed-links/unsubscribe-placeholder.ts';
import { viewBanner, type BannerView } from './rows/banner.ts';
import { viewColours, type ColoursView } from './rows/colours.ts';
import { viewDelivery, type DeliveryView } from './rows/delivery-rows.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';
import { sayComparison, viewHeadlines, type HeadlineView } from './rows/headline.ts';
import { viewHighlights, type HighlightView } from './rows/highlights.ts';
import type { Language } from './texts/language.ts';
import { sayNotes } from './rows/notes.ts';
import type { MailToRender, ReportToRender } from './settings.ts';
import { sayPreheader, saySubject } from './subject.ts';
import { viewTrend, type TrendView } from './rows/trend.ts';

/** The name under which the html shows the logo (RFC 2392). */
export const logoContentId = 'logo';

/** Everything that decides what the mail shows, apart from its language. */
export interface ViewInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  logo: { width: number; height: number } | null;
  canUnsubscribe: boolean;
  /** Whether the mail is marked as a test. */
  test: boolean;
  /** The name of the file with all rows, or why there is none. */
  file: { name: string } | 'none' | 'too-large';
}

/** The deliveries of one kind, below a heading. */
export interface GroupView {
  heading: string;
  note: string;
  /** Whether any row has figures, so that the columns need headings. */
  columns: boolean;
  deliveries: DeliveryView[];
}

/** Everything the templates show, ready to show: they add layout and nothing else. */
export interface DigestView {
  locale: string;
  subject: string;
  preheader: string;
  colours: ColoursView;
  logo: { cid: string; width: number; height: number } | null;
  brand: string;
  title: string;
  period: string;
  /** Says that the mail is a test. */
  test: string | null;
  banner: BannerView | null;
  empty: { heading: string; sentence: string } | null;
  figures: { heading: string; pairs: HeadlineView[][]; comparison: string } | null;
  highlights: HighlightView[];
  trend: TrendView | null;
  columns: Record<'item' | 'seen' | 'responded' | 'rate', string>;
  groups: GroupView[];
  /** The sentence that says how many rows are not shown. */
  leftOut: string | null;
  /** The sentence about the file that comes with the mail. */
  attachment: string | null;
  /** The file would have been too large, so rows that are left out are shown nowhere. */
  fileTooLarge: boolean;
  notes: { heading: string; lines: string[] };
  footer: { why: string; contact: string; unsubscribe: { label: string; link: string } | null };
}

/** The groups in the order of the mail; a delivery that could not be read has no kind. */
const KINDS = ['new', 'silent', 'active', null] as const satisfies (DeliveryKind | null)[];

/** A digest with all its rows as the templates show it. */
export function viewDigest(input: ViewInput, language: Language): DigestView {
  const { digest, report, mail, logo, canUnsubscribe, test, file } = input;
  const { wording, figures } = language;
  const { kind, start, end, timeZone } = digest.period;
  const banner = viewBanner(digest, language);
  const empty = digest.deliveries.length === 0 && banner === null;
  const colours = viewColours(mail.brand.colours);
  return {
    locale: language.locale,
    // A long title is cut at its end, so the word for a test at its beginning stays.
    subject: saySubject(
      digest,
      test ? wording.say('test.title', { title: report.title }) : report.title,
      empty,
      language,
    ),
    preheader: sayPreheader(digest, empty, language),
    colours,
    logo: logo && { cid: logoContentId, width: logo.width, height: logo.height },
    brand: showForeignText(mail.brand.name, 80) ?? '',
    title: showForeignText(report.title) ?? '',
    period: wording.say('period.zone', { period: figures.days(start, end, 'long'), zone: timeZone }),
    test: test ? wording.say('test.banner') : null,
    banner,
    empty: empty ? { heading: wording.say(`empty.${kind}`), sentence: wording.say('empty.sentence') } : null,
    figures: empty
      ? null
      : {
          heading: wording.say('headline.heading'),
          pairs: viewHeadlines(digest.totals, language),
          comparison: sayComparison(digest, language),
        },
    highlights: viewHighlights(digest, language),
    trend: viewTrend(digest, colours, language),
    columns: {
      item: wording.say('column.item'),
      seen: wording.say('column.seen'),
      responded: wording.say('column.responded'),
      rate: wording.say('column.rate'),
    },
    groups: viewGroups(digest, report, mail, language),
    leftOut: null,
    attachment: typeof file === 'string' ? null : wording.say('attachment', { name: file.name }),
    fileTooLarge: file === 'too-large',
    notes: { heading: wording.say('notes.heading'), lines: sayNotes(digest, report, language) },
    footer: {
      why: clip(mail.footer.why, 1000),
      contact: clip(mail.footer.contact, 1000),
      unsubscribe: canUnsubscribe ? { label: wording.say('leave.link'), link: unsubscribePlaceholder } : null,
    },
  };
}

function viewGroups(digest: Digest, report: ReportToRender, mail: MailToRender, language: Language): GroupView[] {
  const { wording, figures } = language;
  const frame = {
    broadcastLink: mail.broadcastLink,
    showStatus: report.statuses.length > 1,
    missing: digest.missing,
    inPeriod: wording.say(`inPeriod.${digest.period.kind}`),
  };
  return KINDS.flatMap((kind) => {
    const deliveries = digest.deliveries.filter((delivery: DigestDelivery) => delivery.kind === kind);
    const views = deliveries.map((delivery) => viewDelivery(delivery, frame, language));
    const name = kind ?? 'unavailable';
    const heading = wording.say(`group.${name}`);
    return deliveries.length === 0
      ? []
      : {
          heading: wording.say('group.count', { heading, count: figures.count(deliveries.length) }),
          note: wording.say(`group.${name}.note`),
          columns: views.some(({ rows, contents }) => rows.length > 0 || contents.length > 0),
          deliveries: views,
        };
  });
}
