import { listConfigs, loadConfig, usualConfig } from './config-file.ts';
import type { FlagRows } from './flag-row.ts';
import type { GivenFlags } from './given-flag.ts';
import { formsOf } from './secret-files.ts';
import { type Environment, readVariables } from './variables.ts';

/** What the command line says of the configuration file. */
export interface ConfigChoice {
  readonly file: string | undefined;
  /** Take none, also where there is one in this folder. */
  readonly isRefused: boolean;
  /** Take none of this folder: what is in it may come from somebody else. */
  readonly isForeignFolder: boolean;
}

/** What the command line leaves to the environment and to the configuration file. */
export interface Settings {
  readonly given: GivenFlags;
  /** What the user is to know, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads the flags that the command line does not give: from the environment, else from the file
 * that is named, else from the JSON file in this folder. Code runs only where it is named. Throws
 * `PetstoreError`.
 */
export async function readSettings(
  command: string,
  rows: FlagRows,
  typed: GivenFlags,
  choice: ConfigChoice,
  env: Environment,
): Promise<Settings> {
  const isTyped = (name: string): boolean => formsOf(rows, name).some((form) => typed.has(form));
  const read = [...readVariables(command, rows, env)];
  const variables: GivenFlags = new Map(read.filter(([name]) => !isTyped(name)));
  const { path, notes } = chooseConfig(choice);
  if (path === undefined) return { given: new Map([...variables, ...typed]), notes };
  const [{ checkConfig }, { listOpenSecrets, readSection }] = await Promise.all([
    import('./check.ts'),
    import('./section.ts'),
  ]);
  const file = await loadConfig(path);
  const config = { file, value: await checkConfig(file), env };
  const isWanted = (name: string): boolean =>
    !isTyped(name) && !formsOf(rows, name).some((form) => variables.has(form));
  const section = readSection(config, command, rows, isWanted);
  const names = [...section.keys()];
  const taken = names.length === 0 ? [] : [`options from ${path}: ${names.join(', ')}.`];
  const open = listOpenSecrets(rows, section, config, command).map(
    (place) => `${place} is a secret. {"env": "NAME"} in its place takes it from a variable.`,
  );
  return {
    given: new Map([...section, ...variables, ...typed]),
    notes: [...notes, ...taken, ...open],
  };
}

function chooseConfig({ file, isRefused, isForeignFolder }: ConfigChoice): {
  readonly path: string | undefined;
  readonly notes: readonly string[];
} {
  if (isRefused || file !== undefined) return { path: isRefused ? undefined : file, notes: [] };
  const there = listConfigs();
  const path = there.find((name) => name === usualConfig && !isForeignFolder);
  const notes = there
    .filter((name) => name !== path)
    .map((name) => `${name} is not read: --config ${name} takes options from it.`);
  return { path, notes };
}
