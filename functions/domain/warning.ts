import type { PeriodKind } from './period.ts';

/** The settings of a warning: the report whose deliveries it judges, the kind of that one's periods, at which age, and its limits. */
export interface WarningSettings {
  report: string;
  every: PeriodKind;
  afterHours: number;
  belowUsual?: number;
  belowShare?: number;
  belowViews?: number;
  /** Whether what was found on a weekend is mailed on Monday. */
  weekdays: boolean;
}

/** What a warning takes of its report's settings. */
interface Configured {
  name: string;
  title: string;
  locale: string;
  schedule: { every: PeriodKind; timeZone: string };
  subscribers: string[];
  warning?: Omit<WarningSettings, 'report' | 'every'> & { at: string; subscribers?: string[] };
}

type Report<Settings> = Omit<Settings, 'warning'> & {
  /** The name of the report that is its warning. */
  warningReport?: string;
  /** What makes this report a warning. */
  warningOf?: WarningSettings;
};

/** A report's name as that of its warning. */
const suffix = '_warning';
/** The longest name of a report that has a warning, so that the warning's name is none that is too long. */
export const longestNameWithWarning: number = 53 - suffix.length;

/**
 * A report, and its warning as the report of every day that it is: planned, sent, left, paused and looked after by itself. Each
 * knows the other, and no report can be called like one by its settings.
 */
export function withWarning<Settings extends Configured>({ warning, ...report }: Settings): Array<Report<Settings>> {
  if (warning === undefined) return [report];
  const { at, subscribers = report.subscribers, ...settings } = warning;
  const { name, schedule } = report;
  const warningReport = name + suffix;
  return [
    { ...report, warningReport },
    {
      ...report,
      name: warningReport,
      schedule: { every: 'day', at, timeZone: schedule.timeZone },
      subscribers,
      // A card shows a digest.
      channels: [],
      whenEmpty: 'skip',
      whenIncomplete: 'send',
      hold: 'never',
      warningOf: { ...settings, report: name, every: schedule.every },
    },
  ];
}
