import type { CheckedCommand } from '../command-line/checked-command.ts';
import { command } from '../command-line/command.ts';
import { serviceOf, stackOf, type PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import type { Examined } from '../doctor/doctor-command.ts';

export function defineDoctor(program: CheckedCommand, print: PrintAnswer): void {
  command(
    program,
    'doctor [REPORT]',
    'checks how the service answers, and what is deployed',
    'doctor --service-url https://your-account.example.com',
  ).action(async (report: string | undefined, flags: PlaceFlags) => {
    const service = serviceOf(flags);
    const examined: Examined =
      service !== null
        ? { kind: 'service', ...service }
        : flags.local
          ? { kind: 'sample' }
          : { kind: 'stack', stack: stackOf(flags) };
    // Loaded here: with the clients of AWS it takes longer than most commands.
    const { doctorCommand } = await import('../doctor/doctor-command.ts');
    print(await doctorCommand(examined, { environment: flags.env, report }), flags);
  });
}
