import { functionSettings } from '../../infra/function-settings.ts';
import { costOf, type Usage } from './prices.ts';
import { dollars } from './standing-cost.ts';

/** The time of a function for one page, from the request to the response, most of it for reading the digest and rendering it. */
const msOfPage = 250;
/** A digest of 400 deliveries, the runs of eight periods, and the revocations. */
const readUnitsOfPage = 40;
/** A link that is forged, or anything else that is not believed, costs about as long as decrypting it takes. */
const msOfNonsense = 5;

/** What a table row counts. */
interface Opened {
  what: string;
  count: number;
  ms: number;
  readUnits: number;
}

const rows: Opened[] = [
  { what: 'pages opened', count: 1_000, ms: msOfPage, readUnits: readUnitsOfPage },
  { what: 'pages opened', count: 100_000, ms: msOfPage, readUnits: readUnitsOfPage },
  { what: 'requests of nonsense', count: 1_000_000, ms: msOfNonsense, readUnits: 0 },
];

/** What the pages behind mails cost in a month, as a table in Markdown. Traffic out of AWS is not in it. */
export function pageTable(): string {
  return [
    '| a month | | without the free tier | with it |',
    '|---|---:|---:|---:|',
    ...rows.map((opened) => {
      const { full, beyondFree } = costOf(usageOf(opened));
      return `| ${opened.what} | ${opened.count.toLocaleString('en')} | ${dollars(full)} | ${dollars(beyondFree)} |`;
    }),
  ].join('\n');
}

function usageOf({ count, ms, readUnits }: Opened): Usage {
  return {
    gigabyteSecond: (count * ms * functionSettings.page.memoryMb) / 1024 / 1000,
    invocation: count,
    readUnit: count * readUnits,
    gigabyteOfLogs: count * 600e-9,
  };
}
