import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { readRun } from '../../functions/ledger/runs/runs.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { deploy, scheduledInput, synthesize, type Synthesized } from '../support/deployed.ts';
import { startServiceStub, type ServiceStub } from '../support/service-stub.ts';

const at = '2026-11-09T08:00:00Z';

let folder: string;
let service: ServiceStub;
let stack: Synthesized;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'e2e-not-set-up-'));
  service = await startServiceStub();
  const configuration = loadConfiguration({
    today: '2026-11-20',
    overlay: {
      service: { baseUrl: service.url },
      reports: [
        {
          name: 'weekly',
          cron: '0 8 ? * MON *',
          timeZone: 'Europe/London',
          period: 'week',
          subscribers: ['ada@example.com'],
        },
      ],
    },
  });
  stack = await synthesize(configuration, folder);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the template puts into the secret of the credentials. */
function secretOf({ template }: Synthesized): { id: string; secret: string } {
  const id = template.resourcesOf('AWS::SecretsManager::Secret').find((name) => name.startsWith('Credentials')) ?? '';
  const { SecretString } = v.parse(v.object({ SecretString: v.string() }), template.properties(id));
  return v.parse(v.object({ id: v.string(), secret: v.string() }), JSON.parse(SecretString));
}

test('a fresh deployment mails nobody and asks the service nothing until its secret is filled', async () => {
  const deployed = await deploy(stack, { credentials: secretOf(stack) });
  try {
    await deployed.lambda.executeDurable(stack.functions.run, scheduledInput(stack, 'weekly', at));
    const run = await readRun(deployed.table, 'weekly', '2026-11-02');
    expect({ state: run?.state, code: run?.error?.code }).toEqual({ state: 'failed', code: 'credentials-missing' });
    expect((await readdir(deployed.outDir)).filter((name) => name.endsWith('.eml'))).toEqual([]);
    expect(service.asked()).toEqual([]);
  } finally {
    await deployed.close();
  }
});
