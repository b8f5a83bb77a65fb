import { endOnStorageFailure } from '../local/local-error.ts';
import { runProgram } from './command-line/run-program.ts';
import { buildProgram } from './program.ts';

endOnStorageFailure();
process.exitCode = await runProgram(buildProgram, process.argv.slice(2));
