import { buildProgram } from './program.ts';
import { runProgram } from './run-program.ts';

process.exitCode = await runProgram(buildProgram, process.argv.slice(2));
