// Loads one module in this fresh process, and reports how long that took.
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { readInput, report } from './measurement.ts';

const { file } = readInput(v.object({ file: v.string() }));

// The environment that the stack gives the functions; they read it as they are loaded.
for (const name of [
  'TABLE_NAME',
  'SECRET_NAME',
  'COLLECT_FUNCTION_NAME',
  'CONFIGURATION_SET',
  'UNSUBSCRIBE_SECRET_NAME',
  'PUBLIC_URL',
]) {
  process.env[name] ??= 'bench';
}

const begun = performance.now();
const cpuBefore = process.cpuUsage();
await import(pathToFileURL(file).href);
const { user, system } = process.cpuUsage(cpuBefore);
report({ ms: performance.now() - begun, cpuMs: (user + system) / 1000 });
process.exit(0);
