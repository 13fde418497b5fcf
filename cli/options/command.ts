import { addSecretFiles, readSecretFiles } from './secret-files.ts';
import { readSettings } from './settings.ts';
import { guardCommand } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  parseCommandLine,
  readCommandLine,
} from './flags.ts';
import { tellError } from '../io/terminal.ts';

export interface Command {
  (argv: readonly string[], io: CommandIo): Promise<number>;
  /** What it takes, for help, completion and the configuration file. */
  readonly form: CommandForm;
}

/** Reads its options or prints its help; errors that a person can put right become exit code 2. */
export function createCommand<Table extends FlagTable>(
  form: CommandForm<Table>,
  run: (line: CommandLine<Table>, io: CommandIo) => Promise<number>,
): Command {
  const shown: CommandForm = form.isPlain ? form : { ...form, flags: addSecretFiles(form.flags) };
  const start = (argv: readonly string[], io: CommandIo): Promise<number> =>
    guardCommand(form.name, io, async () => {
      const line = await readLine(form, shown, argv, io);
      if (line !== 'usual' && line !== 'all') return await run(line, io);
      const { renderHelp } = await import('./help.ts');
      io.stdout.write(renderHelp(shown, line));
      return 0;
    });
  return Object.assign(start, { form: shown });
}

/**
 * The options of the command line, the environment and the configuration file, in this order; or
 * the help that the command line asks for.
 */
async function readLine<Table extends FlagTable>(
  form: CommandForm<Table>,
  shown: CommandForm,
  argv: readonly string[],
  io: CommandIo,
): Promise<CommandLine<Table> | 'usual' | 'all'> {
  const { name, isPlain, readsForeignFiles = false } = form;
  const typed = parseCommandLine(shown, argv);
  if (typed.help !== undefined) return typed.help;
  if (isPlain) return readCommandLine(form, typed, typed.given);
  const choice = {
    file: typed.given.get('config')?.texts.at(-1),
    isRefused: typed.given.has('noConfig'),
    isForeignFolder: readsForeignFiles,
  };
  const { given, notes } = await readSettings(name, shown.flags, typed.given, choice, io.env);
  const whole = await readSecretFiles(form.flags, given);
  const line = readCommandLine(form, typed, whole);
  for (const note of notes) tellError(io, name, note);
  return line;
}
