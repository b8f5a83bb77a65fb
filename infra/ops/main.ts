import { keepCompiledModules } from '../compile-cache.ts';

keepCompiledModules();
const { endOnStorageFailure } = await import('../local/state/end-on-storage-failure.ts');
const { buildProgram } = await import('./program.ts');
const { runProgram } = await import('./command-line/run-program.ts');

endOnStorageFailure();
process.exitCode = await runProgram(buildProgram, process.argv.slice(2));
