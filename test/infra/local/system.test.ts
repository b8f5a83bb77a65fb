import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfiguration } from '../../../infra/config.ts';
import { functionName, startSystem, type System } from '../../../infra/local/system.ts';

let folder: string;
let system: System;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'system-'));
  system = await startSystem({
    configuration: loadConfiguration(),
    credentials: { id: 'a', secret: 'b' },
    out: join(folder, 'out'),
    state: join(folder, 'state'),
  });
});

afterAll(async () => {
  await system?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a function runs with the settings that it is deployed with: what fails in it names the place in the source', async () => {
  expect(await system.lambda.invoke(functionName('collect'), {})).toMatchObject({
    payload: {
      errorType: 'TypeError',
      errorMessage: expect.stringMatching(/^Not a request to collect\. /),
      trace: expect.arrayContaining([
        expect.stringMatching(/parseCollectRequest .*functions\/collect\/protocol\.ts:\d+:\d+/),
      ]),
    },
  });
});
