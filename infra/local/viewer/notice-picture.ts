// `node infra/local/viewer/notice-picture.ts`: paints the picture of a notice in `infra/ops/README.md` as a mail program shows it.
import { fileURLToPath } from 'node:url';
import { Temporal } from 'temporal-polyfill';
import { periodBefore } from '../../../functions/domain/period.ts';
import { findMatters } from '../../../functions/watch/matters.ts';
import { beginText, type NoticeText } from '../../../functions/watch/notice-text.ts';
import { hasBrowser, startBrowser } from './browser.ts';
import { escapeHtml } from './frame.ts';

const picture = fileURLToPath(new URL('../../../templates/pictures/notice.png', import.meta.url));
const scheduledTime = '2026-11-16T08:00:00Z';

/** The notice of a run whose sending stopped at SES's daily quota. */
function sampleNotice(): NoticeText {
  const period = periodBefore('week', 'Europe/London', scheduledTime);
  const run = {
    run: 'weekly_2026-W46',
    report: 'weekly',
    period,
    state: 'sending' as const,
    scheduledTime,
    plannedAt: scheduledTime,
    finishedAt: '2026-11-16T08:05:00Z',
    intended: 240,
    sentNow: 200,
    summary: { balanced: true, sent: 200, failed: 0, unknown: 0 },
    error: {
      code: 'daily-quota',
      message: "SES's daily quota is used up. Run it again tomorrow to continue with those who are left.",
    },
  };
  const report = { name: 'weekly', formerly: [], holdHours: 24 };
  const inspected = [{ report, due: null, runs: [{ run, unknown: null }] }];
  const [matter] = findMatters(inspected, Temporal.Instant.from('2026-11-16T08:15:00Z'));
  if (matter === undefined) throw new Error('The sample run is not a matter.');
  return beginText(matter, { environment: undefined, flags: [] });
}

function pageOf({ subject, body }: NoticeText): string {
  const style = `body{margin:0;padding:24px;background:#fff;color:#1c1c1c;font:15px/1.5 Arial,sans-serif;width:712px}
h1{font-size:19px;margin:0 0 8px}p{margin:0 0 16px;color:#555}pre{font:14px/1.55 Arial,sans-serif;white-space:pre-wrap;margin:0}`;
  const sender = '<p>AWS Notifications &lt;no-reply@sns.amazonaws.com&gt;<br>Monday, 16 November 2026, 08:15</p>';
  return `<style>${style}</style><h1>${escapeHtml(subject)}</h1>${sender}<pre>${escapeHtml(body.trimEnd())}</pre>`;
}

if (hasBrowser) {
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 760, height: 200 } });
  await page.setContent(pageOf(sampleNotice()));
  await page.screenshot({ path: picture, fullPage: true });
  await browser.close();
} else {
  process.exitCode = 1;
}
