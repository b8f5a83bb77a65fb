import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startDynamoDb } from '../../../infra/local/emulators/dynamodb.ts';
import { startSecretsManager } from '../../../infra/local/emulators/secrets-manager.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function statusOf(url: string | URL, host?: string): Promise<number> {
  const sent = request(url, { method: 'POST', ...(host && { headers: { host } }) }).end('{}');
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

test.each([
  ['secrets', () => startSecretsManager({})],
  ['ledger', () => startDynamoDb(temporaryFolder())],
])('the %s answer whoever was told their whole address, under a name of this machine', async (_part, start) => {
  const part = await start();
  const url = `${part.url}/`;
  expect(await Promise.all([statusOf(url), statusOf(url, 'localhost:1')])).not.toContain(403);
  expect(await Promise.all([statusOf(new URL('/', url)), statusOf(url, 'evil.example:1')])).toEqual([403, 403]);
  await part.close();
});
