import type { Command } from 'commander';
import { CheckedCommand } from './command-line/checked-command.ts';
import type { PrintAnswer } from './command-line/run-program.ts';
import { defineAddresses } from './commands/addresses.ts';
import { defineDoctor } from './commands/doctor.ts';
import { definePages } from './commands/pages.ts';
import { definePause } from './commands/pause.ts';
import { defineRelease } from './commands/release.ts';
import { defineRun } from './commands/run.ts';
import { defineRuns } from './commands/runs.ts';
import { defineStatus } from './commands/status.ts';
import { defineShow } from './commands/show.ts';
import { defineSubscribers } from './commands/subscribers.ts';
import { defineTest } from './commands/test.ts';

const codes = `
exit codes: 0 done; 2 something unavailable, held, failed or unknown, or worth a look;
            1 it did not work; 64 invalid arguments`;

/** The definitions of all commands, in the order of the help. */
const definitions = [
  defineStatus,
  defineDoctor,
  defineRun,
  defineRelease,
  defineTest,
  defineRuns,
  defineShow,
  defineSubscribers,
  defineAddresses,
  definePause,
  definePages,
];

/** The `ops` program with all its commands. Each prints its answer through `print`. */
export function buildProgram(print: PrintAnswer): Command {
  const program = new CheckedCommand('ops')
    .description('Everything that operators do with a deployed stack, or with the local system (--local).')
    .usage('COMMAND [flags]')
    .exitOverride()
    .addHelpText('after', codes);
  for (const define of definitions) define(program, print);
  program.hook('preAction', (_, called) => {
    if (called instanceof CheckedCommand) called.refuseFaults();
  });
  return program;
}
