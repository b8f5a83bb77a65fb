// The collect worker's bundle in a process of its own, with the deployed NODE_OPTIONS, as Lambda runs it: in a thread beside
// others neither its memory nor its bound on young objects is its own. This file stands in the bundle's place. The thread of
// the local Lambda hands each event to the process, whose program is this file, too. JavaScript, because it is copied there.
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

let child = null;
if (isMainThread) serve();
else {
  child = fork(__filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.once('exit', () => process.exit(1));
}

/** Stands for the worker's own; `REMAINING_MS` is what an invocation believes to have left, where it is set. */
exports.handler = async function handler(event, context) {
  const remainingMs = Number(process.env.REMAINING_MS ?? context.getRemainingTimeInMillis());
  child.send({ event, remainingMs });
  const [{ answer, error }] = await once(child, 'message');
  if (error !== undefined) throw new Error(error);
  return answer;
};

function serve() {
  const worker = require('./bundle.cjs');
  process.on('message', async ({ event, remainingMs }) => {
    const until = Date.now() + remainingMs;
    const answered = await worker
      .handler(event, { getRemainingTimeInMillis: () => until - Date.now() })
      .then((answer) => ({ answer }))
      .catch(({ message }) => ({ error: message }));
    writeFileSync(`${__dirname}/peak-${process.pid}`, String(process.resourceUsage().maxRSS));
    process.send(answered);
  });
  process.once('disconnect', () => process.exit(0));
}
