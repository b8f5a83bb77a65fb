import { startFaultRuns } from './fault-runs.ts';
import { documented } from './deviation.ts';

// A worker in a process of its own, as Lambda runs it: in a thread beside others neither its memory nor its bound on young objects is
// its own. Prints what is wrong with its figures, and the most resident memory that it took beyond that of a small account, in MiB.
