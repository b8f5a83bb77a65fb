import handlebars from 'handlebars/runtime.js';
import type { Digest } from '../digest.ts';
import { fitRows } from './render/fit.ts';
import { createLanguage } from './render/language.ts';
import { wrapLines } from './render/text-lines.ts';
import { viewDigest, type DigestView, type MailToRender, type ReportToRender } from './render/view.ts';
import type { Messages } from './render/wording.ts';

/** Gmail shows no more than 102,400 bytes of a mail; the rest is left for what is put in on the way, such as a link. */
const HTML_BYTES = 100_000;

/** The compiled templates, as the build makes them, and the messages of every locale by its BCP 47 tag. */
export interface Templates {
  html: TemplateSpecification;
  text: TemplateSpecification;
  locales: Readonly<Record<string, Messages>>;
}

/** What a mail is made of. */
export interface RenderInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
}

/** The body of a mail, the same for every subscriber of a run. */
export interface RenderedDigest {
  subject: string;
  html: string;
  text: string;
}

/**
 * A renderer of digests. It gives the subject (at most 78 characters), the html (under 102,400 bytes of UTF-8) and
 * the text (at most 78 columns), which show the same figures. Throws a `TypeError` where the locale of the report is
 * not among the templates'.
 */
export function createRenderer(templates: Templates): (input: RenderInput) => RenderedDigest {
  const renderHtml = handlebars.template<DigestView>(templates.html);
  const renderText = handlebars.template<DigestView>(templates.text);
  return ({ digest, report, mail }) => {
    const messages = templates.locales[report.locale];
    if (!messages) {
      throw new TypeError(`There are no messages for the locale "${report.locale}".`);
    }
    const language = createLanguage(report.locale, messages, digest.period.timeZone);
    const whole = viewDigest(digest, report, mail, language);
    const view = fitRows(whole, language, (view) => Buffer.byteLength(renderHtml(view)) <= HTML_BYTES);
    return { subject: view.subject, html: renderHtml(view), text: wrapLines(renderText(view)) };
  };
}
