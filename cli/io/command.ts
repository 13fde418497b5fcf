import { guardCommand } from './command-failure.ts';
import type { CommandIo } from './command-io.ts';
import { type CommandForm, type CommandLine, type FlagTable, parseCommandLine } from './flags.ts';

/** Runs a command and gives its exit code. */
export type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;

/**
 * A command that reads its line, tells its options where it is asked for help, and turns errors
 * that a person can put right into one line on stderr and exit code 2.
 */
export function createCommand<Table extends FlagTable>(
  form: CommandForm<Table>,
  run: (line: CommandLine<Table>, io: CommandIo) => Promise<number>,
): Command {
  return (argv, io) =>
    guardCommand(form.name, io, async () => {
      const line = parseCommandLine(form, argv);
      if (line !== undefined) return await run(line, io);
      const { renderHelp } = await import('./help.ts');
      io.stdout.write(renderHelp(form));
      return 0;
    });
}
