import { guardCommand } from './command-failure.ts';
import type { CommandIo } from './command-io.ts';
import { type CommandForm, type CommandLine, type FlagTable, parseCommandLine } from './flags.ts';

export type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** Reads its line or prints its help; errors that a person can put right become exit code 2. */
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
