import { mkdir } from 'node:fs/promises';
import { build } from 'esbuild';
import * as v from 'valibot';
import { buildBundles, type FunctionName } from '../../infra/build/bundles.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { inTemporaryFolder, measure, median, round, type Extent, type Row } from './measurement.ts';

const schema = v.object({ ms: v.number(), cpuMs: v.number() });

const ledger = [
  'client-dynamodb',
  'DynamoDBClient, BatchGetItemCommand, BatchWriteItemCommand, DeleteItemCommand, GetItemCommand, PutItemCommand, QueryCommand, UpdateItemCommand',
] as const;
const secrets = ['client-secrets-manager', 'SecretsManagerClient, GetSecretValueCommand'] as const;

/** The AWS clients of a function with the commands that it sends, as one would import them. */
const clients = {
  run: [
    ledger,
    secrets,
    ['client-ses', 'SESClient, GetIdentityVerificationAttributesCommand, GetSendQuotaCommand, SendRawEmailCommand'],
    ['client-lambda', 'LambdaClient, CheckpointDurableExecutionCommand, GetDurableExecutionStateCommand'],
  ],
  collect: [ledger, secrets],
} as const;

/** The loading of each bundle in a fresh process, against the same runtime with nothing but its AWS clients. */
export async function loadingRows(extent: Extent): Promise<Row[]> {
  return await inTemporaryFolder(async (folder) => {
    await buildBundles(loadConfiguration(), folder);
    const rows: Row[] = [];
    for (const name of ['run', 'collect'] as const) {
      const alone = `${folder}/clients-of-${name}/index.mjs`;
      await mkdir(`${folder}/clients-of-${name}`, { recursive: true });
      await bundleClients(clients[name], alone);
      rows.push(await loadingRow(name, { bundle: `${folder}/${name}/index.mjs`, alone }, extent));
    }
    return rows;
  });
}

/** Bundled as our functions are, since loading hundreds of files would be slower by far. */
async function bundleClients(imports: ReadonlyArray<readonly [string, string]>, outfile: string): Promise<void> {
  await build({
    stdin: {
      contents: imports.map(([name, what]) => `export { ${what} } from '@aws-sdk/${name}';`).join('\n'),
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    banner: { js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);" },
    logLevel: 'error',
  });
}

async function loadingRow(
  name: FunctionName,
  files: { bundle: string; alone: string },
  { times, short }: Extent,
): Promise<Row> {
  const ratios: number[] = [];
  const loads: Array<{ bundle: number; alone: number }> = [];
  // In turns, since a machine is not always equally fast; the first of each warms the file cache.
  for (let time = short ? 0 : -1; time < times; time += 1) {
    const alone = await measure('load', { file: files.alone }, schema);
    const bundle = await measure('load', { file: files.bundle }, schema);
    if (time < 0) continue;
    loads.push({ bundle: bundle.ms, alone: alone.ms });
    ratios.push(bundle.cpuMs / alone.cpuMs);
  }
  const ratio = median(ratios);
  return {
    what: `load of ${name} in a fresh process`,
    against: `its AWS clients alone, ${round(median(loads.map(({ alone }) => alone)))} ms`,
    measured: `${round(median(loads.map(({ bundle }) => bundle)))} ms`,
    figure: ratio,
    target: 'at most 1.3 of the processor time',
    met: ratio <= 1.3,
  };
}
