import handlebars from 'handlebars/runtime.js';
import { isEmptyDigest, type Digest } from '../domain/digest.ts';
import { mostNamed, type Warning } from '../domain/warning.ts';
import { clip, type Messages } from '../domain/wording.ts';
import { csvFiles, writeCsv } from './csv.ts';
import {
  mailLimits,
  needsWithoutPage,
  shownDigest,
  type MailToRender,
  type ReportToRender,
  type SectionInput,
} from './input.ts';
import { viewColours } from './sections/colours.ts';
import { sayAge } from './sections/at-age.ts';
import { isIncomplete, lacksEverything, sayNothingKnown, viewIncomplete } from './sections/incomplete.ts';
import { viewNeeds, viewSince } from './sections/needs.ts';
import { viewNewBroadcasts } from './sections/new-broadcasts.ts';
import { sayBeside, sayFilter, sayNotes, sayRead, sayTeamsNote } from './sections/notes.ts';
import { viewTiles } from './sections/tiles.ts';
import { hasTrend, viewTrend } from './sections/trend.ts';
import { sayEmpty, sayVerdict } from './sections/verdict.ts';
import { sayPreheader, saySubject } from './subject.ts';
import { showForeignText, unsubscribePlaceholder } from './texts/foreign-text.ts';
import { createLanguages } from './texts/language.ts';
import { titleOf } from './texts/names.ts';
import { wrapLines } from './texts/text-lines.ts';

/** The largest html, in bytes: Gmail clips a mail after 102,400. A subscriber's link comes on top. */
const mostHtmlBytes = 89_000;
/** The most bytes of both files: mail servers refuse messages that are much larger than 7 MB, and base64 adds a third. */
const mostFileBytes = 4_800_000;
/** The name under which the html shows the logo (RFC 2392). */
const logoContentId = 'logo';

/** A picture that is part of every message. */
export interface Logo {
  png: string;
  /** Pixels of the mail; the file may have more. */
  width: number;
  height: number;
}

/** The compiled templates, as the build makes them, and the messages of every locale by its BCP 47 tag. */
export interface Templates {
  html: TemplateSpecification;
  text: TemplateSpecification;
  locales: Readonly<Record<string, Messages>>;
  logo: Logo | null;
}

export interface RenderInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  /** Whether each subscriber gets an unsubscribe link, in the place of `unsubscribePlaceholder`. */
  canUnsubscribe: boolean;
  /** Where the page with the whole digest is, an https URL; `null` for a mail that links to none. */
  page: string | null;
  test?: boolean;
}

/** What is the same in every mail of a run. */
export type RenderedDigest = ReturnType<ReturnType<typeof createRenderer>>;

/**
 * A renderer of digests: subject (at most 78 characters), html (at most 90,000 bytes of UTF-8, with fewer new broadcasts where they
 * are too long), text (lines of at most 78 characters or one word), and the files with all rows. It throws a `TypeError` where there are no messages for the locale.
 */
export function createRenderer(templates: Templates) {
  const renderHtml = handlebars.template<DigestView>(templates.html);
  const renderText = handlebars.template<DigestView>(templates.text);
  const languageOf = createLanguages(templates.locales);
  const { logo } = templates;
  return ({ digest: named, report, mail, canUnsubscribe, page, test = false }: RenderInput) => {
    const language = languageOf(report.locale, named.period.timeZone);
    const digest = shownDigest(named, mail, language.wording);
    const isAttached = !isEmptyDigest(digest) && (mail.csvAttachment ?? page === null);
    const files = isAttached ? attach(csvFiles.map((file) => writeCsv(digest, file, language))) : [];
    const shownLogo = logo && { src: `cid:${logoContentId}`, width: logo.width, height: logo.height };
    const shownFiles = files.length > 0 ? 'attached' : isAttached ? 'too-large' : 'none';
    const frame = { logo: shownLogo, canUnsubscribe, test };
    const input = { digest, report, mail, ...language, page, files: shownFiles } as const;
    const limits = { ...mailLimits, ...(page === null ? { needs: needsWithoutPage } : {}) };
    let view = viewDigest({ ...input, limits }, frame);
    let html = renderHtml(view);
    for (; Buffer.byteLength(html) > mostHtmlBytes && limits.broadcasts > 0; html = renderHtml(view)) {
      limits.broadcasts -= 1;
      view = viewDigest({ ...input, limits }, frame);
    }
    return {
      subject: view.subject,
      html,
      text: wrapLines(renderText(view)),
      /** All deliveries, and all content items; none where the settings want none or the message would be too large. */
      files,
      /** The picture that the html shows by its content id: a PNG in base64. */
      logo: logo && { contentId: logoContentId, png: logo.png },
    };
  };
}

function attach(written: ReadonlyArray<ReturnType<typeof writeCsv>>) {
  const files = written.map(({ name, pieces }) => ({ name, content: [...pieces].join('') }));
  const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return bytes > mostFileBytes ? [] : files;
}

interface Frame {
  logo: { src: string; width: number; height: number } | null;
  canUnsubscribe: boolean;
  test: boolean;
}

/** Everything the templates show, ready to show: they add layout and nothing else. */
export type DigestView = ReturnType<typeof viewDigest>;

/** A digest as the templates show it, within the limits. */
export function viewDigest(input: SectionInput, { logo, canUnsubscribe, test }: Frame) {
  const { digest, report, mail, page, locale, wording, figures } = input;
  return {
    locale,
    subject: saySubject(input, test),
    preheader: sayPreheader(input),
    colours: viewColours(mail.brand.colours),
    logo,
    brand: showForeignText(mail.brand.name, 80) ?? '',
    title: showForeignText(titleOf(report, wording)) ?? '',
    filter: sayFilter(input),
    period: figures.period(digest.warning === undefined ? digest.period : dayOf(digest.warning), 'long'),
    test: test ? wording.say('test.banner') : null,
    /** That not a single figure is known, and then nothing else is said. */
    nothing: digest.warning === undefined && lacksEverything(digest) ? sayNothingKnown(input) : null,
    ...(digest.warning === undefined ? viewSections(input) : viewWarning(input, digest.warning)),
    page: null,
    /** The link to the page, once as a button and once in the footer. */
    report: page ? { label: wording.say('report.link'), link: page } : null,
    footer: {
      why: clip(mail.footer.why, 1000),
      contact: clip(mail.footer.contact, 1000),
      unsubscribe: canUnsubscribe ? { label: wording.say('leave.link'), link: unsubscribePlaceholder } : null,
    },
  };
}

function dayOf({ until }: Warning) {
  return { kind: 'day', start: until, end: new Date(Date.parse(until) + 1).toISOString() } as const;
}

/** The sections of a mail, in their order; `null` for those that have nothing to say. */
function viewSections(input: SectionInput) {
  const { digest, wording } = input;
  const isEmpty = isEmptyDigest(digest) && !isIncomplete(digest);
  const heading = isEmpty && !digest.noMatch ? [wording.say('empty.heading')] : [];
  const [first, ...others] = isEmpty ? [...heading, ...sayEmpty(input)] : sayVerdict(input);
  return {
    incomplete: viewIncomplete(input),
    verdict: first === undefined ? null : { first, others: others.join(wording.say('separator.sentences')) },
    note: sayTeamsNote(input),
    needs: isEmpty ? null : viewNeeds(input),
    since: viewSince(input),
    tiles: isEmpty ? null : viewTiles(input),
    fresh: viewNewBroadcasts(input),
    beside: sayBeside(input),
    trend: hasTrend(input) ? viewTrend(input) : null,
    notes: sayNotes(input),
  };
}

/** The sections of a warning, in the places of those of a digest. */
function viewWarning(input: SectionInput, { afterHours }: Warning) {
  const { digest, limits, wording } = input;
  const { needs } = digest;
  const lead = { age: sayAge(afterHours, wording) };
  return {
    incomplete: null,
    verdict: needs.length === 0 ? null : { first: wording.count('warning.lead', needs.length, lead), others: '' },
    note: sayTeamsNote(input),
    needs: viewNeeds({ ...input, limits: { ...limits, needs: mostNamed } }),
    since: null,
    tiles: null,
    fresh: null,
    beside: null,
    trend: null,
    notes: [sayRead('notes.asOf', input), wording.say('warning.once')],
  };
}
