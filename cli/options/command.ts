import { explainError } from '../io/command-failure.ts';
import { type CommandIo, tellError } from '../io/command-io.ts';
import { parseCommandLine } from './command-line.ts';
import { type CommandForm, type CommandLine, type FlagTable, readValues } from './flags.ts';
import { addSecretFiles, readSettings } from './settings.ts';

export interface Command {
  (argv: readonly string[], io: CommandIo): Promise<number>;
  /** What it takes, for help, completion and the configuration file. */
  readonly form: CommandForm;
}

/**
 * Reads the options of the command line, the environment and the configuration file, in this order,
 * or prints the help. An error becomes one line and exit code 2, an internal error too.
 */
export function createCommand<Table extends FlagTable>(
  form: CommandForm<Table>,
  run: (line: CommandLine<Table>, io: CommandIo) => Promise<number>,
): Command {
  const shown: CommandForm = form.isPlain ? form : { ...form, flags: addSecretFiles(form.flags) };
  const start = async (argv: readonly string[], io: CommandIo): Promise<number> => {
    try {
      const { given: typed, words, command, help } = parseCommandLine(shown, argv);
      if (help !== undefined) {
        const { renderHelp } = await import('./help.ts');
        io.stdout.write(renderHelp(shown, help));
        return 0;
      }
      const { given, notes } = await readSettings(shown, typed, io.env);
      const values = readValues(form.flags, given);
      for (const note of notes) tellError(io, form.name, note);
      return await run({ values, typed: new Set(typed.keys()), words, command }, io);
    } catch (error) {
      const isStopped = io.signal.aborted && error === io.signal.reason;
      tellError(io, form.name, isStopped ? 'Stopped before the end.' : explainError(error, io.env));
      return 2;
    }
  };
  return Object.assign(start, { form: shown });
}
