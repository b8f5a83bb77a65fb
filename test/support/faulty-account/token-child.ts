// A process that asks one broadcast after the other for some seconds, with the tokens of the shared ledger.
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createDynamoDbClient, createTable } from '../../../functions/ledger/table.ts';
import { createTokenStore } from '../../../functions/ledger/tokens.ts';
import { createReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { readCredentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createConcurrencyLimiter } from '../../../functions/reporting-service/requests/concurrency-limiter.ts';
import { createHttp } from '../../../functions/reporting-service/requests/http.ts';
import { TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';

/** The input of the child, as JSON in its first argument. */
interface TokenInput {
  baseUrl: string;
  seconds: number;
  broadcasts: string[];
}

const { baseUrl, seconds, broadcasts } = JSON.parse(process.argv[2] ?? '') as TokenInput;
const settings: Configuration['service'] = {
  baseUrl,
  deliveries: { path: '/v1/broadcasts/deliveries', query: {} },
  deliveryRecipients: 'auto',
  contentRecipients: 'auto',
  informingTypes: [],
  ratingFilter: 'off',
  notPaging: [],
  concurrency: 4,
  timeout: 5,
};
const tally = createTally();
const http = createHttp({ timeoutMs: 5_000, limiter: createConcurrencyLimiter(4), tally });
const secrets = new SecretsManagerClient({});
const tokens = new TokenSource({
  settings,
  http,
  store: createTokenStore(createTable(createDynamoDbClient(), process.env['TABLE_NAME'] ?? ''), Date.now),
  readCredentials: () => readCredentials(secrets, process.env['SECRET_NAME'] ?? ''),
});
const service = createReportingService({ settings, http, tokens, tally });

const end = Date.now() + seconds * 1000;
const failures: string[] = [];
let asked = 0;
async function lane(): Promise<void> {
  while (Date.now() < end) {
    const id = broadcasts[asked % broadcasts.length] ?? '';
    asked += 1;
    // A request whose token is refused a second time fails.
    await service.broadcast(id).catch((error: unknown) => failures.push(String(error)));
  }
}
await Promise.all(Array.from({ length: 4 }, lane));
const report = { asked, failures: failures.slice(0, 5), requests: tally.coverage.requests };
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
