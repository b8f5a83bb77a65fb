/** The places in an error are those of the source. */
const nodeWith = (...flags: string[]) => ({ NODE_OPTIONS: ['--enable-source-maps', ...flags].join(' ') });

/**
 * The settings of each function. Memory, in MiB, is billed whatever a function takes of it; a processor comes in proportion.
 * Variables are what Node and its C library read: what its code reads is named where it runs. Where much is held at once, Node
 * is told how large its old objects may grow together: by itself it keeps to half of the memory that it finds, and dies at that.
 * https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib
 */
export const functionSettings = {
  run: {
    description: 'Plans, composes and sends the digest of one report for one period',
    timeoutSeconds: 900,
    memoryMb: 2048,
    environment: nodeWith('--max-old-space-size=1536'),
  },
  collect: {
    description: 'Collects deliveries and their engagement from the reporting service',
    timeoutSeconds: 900,
    memoryMb: 1024,
    // Its objects live as long as a request, a few megabytes at once. Without a bound on young objects, and on the old
    // ones half of the function's memory, Node lets them pile up, and a worker takes twice as much memory for a thousand
    // deliveries as for a hundred. With one arena for all threads (mallopt(3)), what compiling Node's HTTP parser took is
    // given back; otherwise some 14 MB of it stay, or do not, by chance.
    environment: { ...nodeWith('--max-semi-space-size=4', '--max-old-space-size=512'), MALLOC_ARENA_MAX: '1' },
  },
  feedback: {
    description: 'Writes what SES reports about messages into the ledger',
    timeoutSeconds: 30,
    memoryMb: 256,
    environment: nodeWith(),
  },
  watch: {
    description:
      'Notifies operators of runs that failed, are overdue or held, and the like; decides whom a bounce suppresses',
    timeoutSeconds: 300,
    memoryMb: 256,
    environment: nodeWith(),
  },
  // A digest of hundreds of deliveries is rendered while somebody waits; the largest workbook takes one whole processor for seconds.
  page: {
    description: 'Shows the whole digest behind the link in a mail',
    timeoutSeconds: 30,
    memoryMb: 1769,
    // A digest is read whole, and gone with its answer: a bound on young objects keeps more from piling up.
    environment: nodeWith('--max-semi-space-size=4', '--max-old-space-size=768'),
  },
  unsubscribe: {
    description: 'Shows the page on which a subscriber leaves a report, and records it',
    timeoutSeconds: 10,
    memoryMb: 512,
    environment: nodeWith(),
  },
};

/** The functions, by the folder of their handler. */
export const functionNames = ['run', 'collect', 'feedback', 'watch', 'unsubscribe', 'page'] as const;
export type FunctionName = keyof typeof functionSettings;
