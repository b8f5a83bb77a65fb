import handlebars from 'handlebars/runtime.js';
import { clip, type Messages } from '../domain/wording.ts';
import { viewColours } from './colours.ts';
import { footerIn, type DigestToRender, type SectionInput } from './input.ts';
import { fitHtml, mailLimits, mostFileBytes, needsWithoutPage } from './limits.ts';
import { viewEarlier } from './sections/earlier.ts';
import { viewIncomplete } from './sections/incomplete.ts';
import { viewNeeds } from './sections/needs.ts';
import { viewNew } from './sections/new.ts';
import { sayTeamsNote, viewNotes } from './sections/notes.ts';
import { viewSince } from './sections/since.ts';
import { viewTrend } from './sections/trend.ts';
import { viewVerdict } from './sections/verdict.ts';
import { sayPreheader, saySubject } from './subject.ts';
import { showForeignText, unsubscribePlaceholder } from './texts/foreign-text.ts';
import { createLanguages } from './texts/language.ts';
import { titleOf } from './texts/names.ts';
import { wrapLines } from './texts/text-lines.ts';
import { writeWorkbook } from './workbook.ts';

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

export interface RenderInput extends DigestToRender {
  /** Whether each subscriber gets an unsubscribe link, in the place of `unsubscribePlaceholder`. */
  canUnsubscribe: boolean;
  /** Where the page with the whole digest is, an https URL; `null` for a mail that links to none. */
  page: string | null;
  test?: boolean;
}

/** What is the same in every mail of a run. */
export type RenderedDigest = Awaited<ReturnType<ReturnType<typeof createRenderer>>>;

/**
 * A renderer of digests: subject (at most 78 characters), html (as small as `fitHtml` makes it), text (lines of at most 78 characters or one word), and the file with all rows. It throws a `TypeError` where there
 * are no messages for the locale.
 */
export function createRenderer(templates: Templates) {
  const renderHtml = handlebars.template<DigestView>(templates.html);
  const renderText = handlebars.template<DigestView>(templates.text);
  const languageOf = createLanguages(templates.locales);
  const { logo } = templates;
  return async ({ digest, report, mail, canUnsubscribe, page, test = false }: RenderInput) => {
    const language = languageOf(report.locale, digest.period.timeZone);
    const isAttached =
      digest.broadcasts.length > 0 &&
      digest.warning === null &&
      (mail.workbook ?? (page === null ? 'attached' : 'page')) === 'attached';
    const workbook = isAttached ? await writeWorkbook({ digest, report, ...language }) : null;
    const files = workbook === null || workbook.content.length > mostFileBytes ? [] : [workbook];
    const shownFiles = files.length > 0 ? 'attached' : isAttached ? 'too-large' : 'none';
    const shownLogo = logo && { src: `cid:${logoContentId}`, width: logo.width, height: logo.height };
    const input = { digest, report, mail, ...language, page, files: shownFiles } as const;
    const limits = { ...mailLimits, ...(page === null ? { needs: needsWithoutPage } : {}) };
    const { view, html } = fitHtml(limits, (limits) => {
      const view = viewDigest({ ...input, limits }, { logo: shownLogo, canUnsubscribe, test });
      return { view, html: renderHtml(view) };
    });
    return {
      subject: view.subject,
      html,
      text: wrapLines(renderText(view)),
      /** The workbook; none where the settings want none or the message would be too large. */
      files,
      /** The picture that the html shows by its content id: a PNG in base64. */
      logo: logo && { contentId: logoContentId, png: logo.png },
    };
  };
}

interface Frame extends Partial<Pick<RenderInput, 'canUnsubscribe' | 'test'>> {
  logo?: { src: string; width: number; height: number } | null;
}

/** Everything the templates show, ready to show: they add layout and nothing else. */
export type DigestView = ReturnType<typeof viewDigest>;

/** A digest as the templates show it, within the limits: each section, `null` where it has nothing to say. */
export function viewDigest(input: SectionInput, { logo = null, canUnsubscribe = false, test = false }: Frame = {}) {
  const { digest, report, mail, page, locale, wording, figures } = input;
  const { period, warning } = digest;
  const footer = footerIn(mail, locale);
  // A warning is of the day of its instant.
  const days = warning === null ? period : { ...period, start: period.end, end: after(period.end) };
  return {
    locale,
    subject: saySubject(input, test),
    preheader: sayPreheader(input),
    colours: viewColours(mail.brand.colours),
    logo,
    brand: showForeignText(mail.brand.name, 80) ?? '',
    title: showForeignText(titleOf(report, wording)) ?? '',
    period: figures.period(days, 'long'),
    test: test ? wording.say('test.banner') : null,
    ...viewVerdict(input),
    note: sayTeamsNote(input),
    incomplete: viewIncomplete(input),
    needs: viewNeeds(input),
    since: viewSince(input),
    fresh: viewNew(input),
    earlier: viewEarlier(input),
    trend: viewTrend(input),
    notes: viewNotes(input),
    page: null,
    button: page ? { label: wording.say('report.link'), link: page } : null,
    inFile: !page && input.files === 'attached' ? wording.say('report.file') : null,
    footer: {
      why: clip(footer.why, 1000),
      contact: clip(footer.contact, 1000),
      unsubscribe: canUnsubscribe ? { label: wording.say('leave.link'), link: unsubscribePlaceholder } : null,
    },
  };
}

const after = (instant: string): string => new Date(Date.parse(instant) + 1).toISOString();
