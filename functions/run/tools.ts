import type { Metrics } from '@aws-lambda-powertools/metrics';
import type { SESClient } from '@aws-sdk/client-ses';
import type { Configuration } from '../configuration.ts';
import type { Table } from '../ledger/table.ts';
import type { LeaveLinks } from './leave-link.ts';
import type { RenderedDigest, RenderInput } from './render.ts';

/** What the handler makes once and its stages work with. */
export interface Tools {
  configuration: Configuration;
  table: Table;
  metrics: Metrics;
  /** Fresh to the invocation. */
  ses: SESClient;
  /** SES publishes the events of messages that are sent under it. */
  configurationSet: string;
  collectFunctionName: string;
  render: (input: RenderInput) => RenderedDigest;
  leaveLinks: () => Promise<LeaveLinks>;
}
