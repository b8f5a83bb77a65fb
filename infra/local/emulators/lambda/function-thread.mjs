// The program of a function's worker thread. JavaScript, because Node takes longer to strip types than to start a thread.
import { writeSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const { bundle, configuration, compiled, log } = workerData;

// Written at once and not through the starting thread: a thread that is terminated has logged what it did.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text) => {
    writeSync(log, text);
    return true;
  };
}

// One bundle is run with many configurations.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === './configuration.json' ? configuration : specifier, context),
});

// Many threads load the same bundle, each when somebody waits for it.
enableCompileCache(compiled);
const { handler } = await import(bundle);

parentPort.on('message', async ({ awsRequestId, event, deadlineMs }) => {
  const getRemainingTimeInMillis = () => Math.max(0, deadlineMs - Date.now());
  try {
    const result = await handler(JSON.parse(event), { awsRequestId, getRemainingTimeInMillis });
    flushCompileCache();
    // A handler that returns nothing returns null, as in Lambda.
    parentPort.postMessage({ result: JSON.stringify(result ?? null) });
  } catch (error) {
    console.error(error);
    const { name, message, stack } = error;
    parentPort.postMessage({ error: { name, message, stack } });
  }
});
parentPort.postMessage('loaded');
