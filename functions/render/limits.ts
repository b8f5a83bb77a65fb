/** The most that a mail shows of each thing. What is beyond is counted. */
export const mailLimits = {
  needs: 3,
  /** Broadcasts in the line of what is as it was named last time. */
  still: 3,
  /** What was named last time and is otherwise now. */
  since: 2,
  /** New broadcasts. */
  broadcasts: 8,
  items: 8,
  /** Earlier broadcasts with a line of their own. */
  earlier: 8,
  reasons: 5,
  /** Broadcasts beside a reason, or not seen yet; of more than these none is named. */
  names: 3,
  /** Statuses that are not counted. */
  statuses: 6,
};

export type Limits = typeof mailLimits;

/** So many needs are named in a mail without a page, which could name the others. */
export const needsWithoutPage = 8;

/** What a page has room for: what its function can answer, and a browser can show. */
export const pageLimits: Limits = {
  needs: 200,
  still: 200,
  since: 200,
  broadcasts: 1000,
  items: 200,
  earlier: 0,
  reasons: 50,
  names: 50,
  statuses: 50,
};

/** The largest html, in bytes: Gmail clips a mail after 102,400. A subscriber's link comes on top. */
const mostHtmlBytes = 89_000;

/** Renders a mail with as many new broadcasts, up to the limit, as its html has room for. */
export function fitHtml<Mail extends { html: string }>(limits: Limits, render: (limits: Limits) => Mail): Mail {
  const mail = render(limits);
  if (Buffer.byteLength(mail.html) <= mostHtmlBytes || limits.broadcasts === 0) return mail;
  return fitHtml({ ...limits, broadcasts: limits.broadcasts - 1 }, render);
}

/** The most bytes of the file: mail servers refuse messages that are much larger than 7 MB, and base64 adds a third. */
export const mostFileBytes = 4_800_000;
