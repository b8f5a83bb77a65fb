import type { Metrics } from '@aws-lambda-powertools/metrics';
import type { SESClient } from '@aws-sdk/client-ses';
import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Table } from '../ledger/table.ts';
import type { UnsubscribeLinks } from '../signed-links/unsubscribe-link.ts';
import type { RenderedDigest, RenderInput } from './render/render.ts';

/** What the handler makes once and its stages work with. */
export interface Dependencies {
  configuration: Configuration;
  table: Table;
  metrics: Metrics;
  /** Fresh to the invocation. */
  ses: SESClient;
  /** SES publishes the events of messages that are sent under it. */
  configurationSet: string;
  collectFunctionName: string;
  render: (input: RenderInput) => RenderedDigest;
  unsubscribeLinks: () => Promise<UnsubscribeLinks>;
}
