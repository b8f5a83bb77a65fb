import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SESClient } from '@aws-sdk/client-ses';
import configuration from 'virtual:configuration' with { type: 'json' };
import { html, logo, locales, text } from 'virtual:templates';
import * as environment from '../environment.ts';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { inOwnWords } from '../foreign-error.ts';
import { insertPageLink, type LinkedDigest } from '../ledger/page-links.ts';
import { datingOf } from '../domain/series.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { publicPaths } from '../links/public-function.ts';
import { createUnsubscribeLinks, readUnsubscribeSecret } from '../links/unsubscribe-links.ts';
import { createCardRenderer } from '../render/cards/card.ts';
import { createRenderer } from '../render/render.ts';
import { readChannelAddresses } from './send/webhook.ts';
import { createSesClient } from './send/ses.ts';

/** What the stages of a run work with. */
export type Dependencies = ReturnType<typeof openDependencies>;
/** The same for the work on one report. */
export type ReportDependencies = Dependencies & { report: ReportConfiguration };

const table = createTable(createDynamoDbClient(), environment.tableName());
const secrets = inOwnWords(new SecretsManagerClient({}));
const render = createRenderer({ html, locales, logo, text });
const renderCard = createCardRenderer({ locales });
const dating = datingOf(locales);
let ses: SESClient | null = null;

/** The dependencies of one invocation. All but SES's client are made once a process. */
export function openDependencies() {
  ses?.destroy();
  ses = createSesClient();
  return {
    configuration,
    /** Something else stands in for AWS: nobody is mailed. */
    isLocal: environment.isLocalRun(),
    table,
    /** Its connections are fresh to the invocation. */
    ses,
    /** SES publishes the events of messages that are sent under it. */
    configurationSet: environment.configurationSet(),
    collectFunctionName: environment.collectFunctionName(),
    /** The present of a service that says its own. */
    accountClock: environment.accountClock(),
    render,
    renderCard,
    /** What dates the names of broadcasts. */
    dating,
    channelAddresses: () => readChannelAddresses(secrets, environment.channelsSecretName()),
    unsubscribeLinks: async () => {
      const secret = await readUnsubscribeSecret(secrets, environment.unsubscribeSecretName());
      return createUnsubscribeLinks({ secret, publicUrl: environment.publicUrl(), now: new Date() });
    },
    /** Makes a link to the page of a stored digest; `null` where mails lead to no page. */
    linkToPage: async (digest: LinkedDigest | null) => {
      const { page, pageDays: days } = configuration.mail;
      if (!page || digest === null) return null;
      const id = await insertPageLink(table, digest, { days, now: new Date() });
      return environment.publicUrl() + publicPaths.page + id;
    },
  };
}
