import type { Digest } from '../domain/digest.ts';
import { anchorOf, createDetails } from './details/broadcast-details.ts';
import { pageLimits } from './limits.ts';
import { viewBroadcasts, type BroadcastsView } from './sections/new-broadcasts.ts';
import type { SectionInput } from './sections/section-input.ts';
import type { MailToRender, ReportToRender } from './settings.ts';
import { showForeignText } from './texts/foreign-text.ts';
import type { Language } from './texts/language.ts';
import { viewDigest, type DigestView, type PageView } from './view.ts';

/** A digest with the settings that its page depends on. */
export interface PageInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  /** Where the file with all rows is, absolute or relative to the page; `null` where there is none. */
  csv: string | null;
  /** Pages of earlier digests of the report, the latest first. Their periods are instants with an offset. */
  earlier: readonly { start: string; end: string; url: string }[];
}

/** A whole digest as the template shows it: the mail's view with room for everything, and each broadcast with its details. */
export function viewPage(input: PageInput, logo: DigestView['logo'], language: Language): DigestView {
  const { digest, report, csv } = input;
  const { wording, figures } = language;
  const section = sectionOfPage(input, language);
  const view = viewDigest({ ...section, logo, file: 'none', canUnsubscribe: false, test: false, page: null }, language);
  const { start, end } = digest.period;
  const title = showForeignText(report.title) ?? '';
  return {
    ...view,
    subject: wording.say('everything.title', { title, period: figures.days(start, end, 'long') }),
    preheader: '',
    stillRead: null,
    page: {
      csv: csv === null ? null : { label: wording.say('everything.csv'), link: csv },
      ...linkEarlier(input, language),
      sections: viewOthers(section, language),
    },
  };
}

/** What the sections of a page are made from. A broadcast has a link to its block in the page, where it has a block. */
function sectionOfPage({ digest, report, mail, csv }: PageInput, language: Language): SectionInput {
  const limits = pageLimits;
  const elsewhere = csv === null ? 'nowhere' : 'file';
  const frame = { digest, report, mail, limits, elsewhere } as const;
  const shown = new Map(digest.broadcasts.slice(0, limits.broadcasts).map((each, place) => [each, place]));
  return {
    ...frame,
    detailsOf: createDetails(frame, language),
    linkOf: (broadcast) => {
      const place = shown.get(broadcast);
      return place === undefined ? null : `#${anchorOf(place)}`;
    },
  };
}

function linkEarlier({ earlier }: PageInput, { wording, figures }: Language): Pick<PageView, 'previous' | 'earlier'> {
  const links = earlier.map(({ start, end, url }) => ({ label: figures.days(start, end, 'long'), link: url }));
  const [latest] = links;
  if (latest === undefined) return { previous: null, earlier: null };
  return {
    previous: { ...latest, label: wording.say('everything.previous', { period: latest.label }) },
    earlier: { heading: wording.say('everything.earlier'), links },
  };
}

/** The broadcasts that are not new, in the digest's order. Of all broadcasts only the first ones are shown. */
function viewOthers(section: SectionInput, language: Language): BroadcastsView[] {
  const { wording } = language;
  const { digest, limits } = section;
  const kinds = [
    { kind: 'silent', key: 'everything.silent', note: null },
    { kind: 'active', key: 'everything.older', note: wording.say('everything.olderNote') },
    { kind: null, key: 'everything.unread', note: null },
  ] as const;
  return kinds.flatMap(({ kind, key, note }) => {
    const all = digest.broadcasts.filter((broadcast) => broadcast.kind === kind);
    const [first] = all;
    if (first === undefined) return [];
    const shown = Math.max(0, limits.broadcasts - digest.broadcasts.indexOf(first));
    return viewBroadcasts(all, { heading: wording.count(key, all.length), note, shown }, section, language);
  });
}
