import { unsubscribePlaceholder } from '../signed-links/unsubscribe-placeholder.ts';
import type { SectionInput } from './input.ts';
import { viewNewBroadcasts, viewStillRead } from './sections/broadcasts.ts';
import { viewColours } from './sections/colours.ts';
import { viewIncomplete } from './sections/incomplete.ts';
import { viewNeeds } from './sections/needs.ts';
import { sayLate, sayNotes, type FileOfMail } from './sections/notes.ts';
import { viewTiles, viewTrend } from './sections/tiles.ts';
import { sayEmpty, sayVerdict } from './sections/verdict.ts';
import { sayPreheader, saySubject } from './subject.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';

/** What surrounds the sections of a mail or a page. */
interface Frame {
  /** A picture, and the pixels that it takes. */
  logo: { src: string; width: number; height: number } | null;
  file: FileOfMail;
  canUnsubscribe: boolean;
  /** Whether the mail is marked as a test. */
  test: boolean;
  /** Where the page with the whole digest is, if there is one. */
  page: string | null;
}

/** Everything the templates show, ready to show: they add layout and nothing else. */
export type DigestView = ReturnType<typeof viewDigest>;

/** A digest as the templates show it, with as many of its new broadcasts and their items as there is room for. */
export function viewDigest(input: SectionInput, { logo, file, canUnsubscribe, test, page }: Frame) {
  const { digest, report, mail, locale, wording, figures } = input;
  const { kind, start, end } = digest.period;
  const incomplete = viewIncomplete(input);
  const isEmpty = digest.deliveries.length === 0 && incomplete === null;
  const verdict = isEmpty ? [wording.say(`empty.${kind}`), ...sayEmpty(input)] : sayVerdict(input);
  return {
    locale,
    subject: saySubject(input, test),
    preheader: sayPreheader(input),
    colours: viewColours(mail.brand.colours),
    logo,
    brand: showForeignText(mail.brand.name, 80) ?? '',
    title: showForeignText(report.title) ?? '',
    period: figures.days(start, end, 'long'),
    test: test ? wording.say('test.banner') : null,
    verdict: verdict.join(wording.say('separator.sentences')),
    incomplete,
    tiles: isEmpty ? null : viewTiles(input),
    needs: isEmpty ? null : viewNeeds(input),
    fresh: viewNewBroadcasts(input),
    stillRead: viewStillRead(input),
    trend: viewTrend(input),
    /** What came too late for the last digest. */
    late: sayLate(input),
    notes: { heading: wording.say('notes.heading'), lines: sayNotes(input, file) },
    /** The link to the page with the whole digest. */
    everything: page === null ? null : { label: wording.say('everything.link'), link: page },
    footer: {
      why: clip(mail.footer.why, 1000),
      contact: clip(mail.footer.contact, 1000),
      unsubscribe: canUnsubscribe ? { label: wording.say('leave.link'), link: unsubscribePlaceholder } : null,
    },
  };
}
