import { explainError } from '../io/command-failure.ts';
import { type CommandIo, printError } from '../io/command-io.ts';
import { parseCommandLine } from './command-line.ts';
import { type CommandDefinition, type CommandLine, type FlagTable, readValues } from './flags.ts';
import { addSecretFiles, readSettings } from './settings.ts';

export interface Command {
  (argv: readonly string[], io: CommandIo): Promise<number>;
  /** Its definition, for help, completion and the configuration file. */
  readonly definition: CommandDefinition;
}

/**
 * Reads the options of the command line, the environment and the configuration file, in this order
 * of precedence, or prints the help. Every error, internal ones too, becomes one line and exit code
 * 2.
 */
export function createCommand<Table extends FlagTable>(
  definition: CommandDefinition<Table>,
  run: (line: CommandLine<Table>, io: CommandIo) => Promise<number>,
): Command {
  const shown: CommandDefinition = definition.ignoresSettings
    ? definition
    : { ...definition, flags: addSecretFiles(definition.flags) };
  const start = async (argv: readonly string[], io: CommandIo): Promise<number> => {
    try {
      const { given: typed, words, command, help } = parseCommandLine(shown, argv);
      if (help !== undefined) {
        const { renderHelp } = await import('./help.ts');
        io.stdout.write(renderHelp(shown, help));
        return 0;
      }
      const { given, notes } = await readSettings(shown, typed, io.env);
      const values = readValues(definition.flags, given);
      for (const note of notes) printError(io, definition.name, note);
      return await run({ values, typed: new Set(typed.keys()), words, command }, io);
    } catch (error) {
      const isStopped = io.signal.aborted && error === io.signal.reason;
      printError(
        io,
        definition.name,
        isStopped ? 'Stopped before the end.' : explainError(error, io.env),
      );
      return 2;
    }
  };
  return Object.assign(start, { definition: shown });
}
