/** What a command in the documentation may name. */
export interface CommandLine {
  /** The scripts of `package.json`, by name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** What `petstore [command] --help all` prints; undefined for an unknown command. */
  readonly help: (command: string | undefined) => string | undefined;
}

const npmWords = new Set(['ci', 'install', 'i', 'pack', 'exec']);

/** Why a documented npm script, command or flag cannot run; undefined where it can. */
export function judgeCommand(words: readonly string[], line: CommandLine): string | undefined {
  const [program, ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  if (program === 'petstore' || program === 'petstore-contract') return judgePetstore(rest, line);
  return program === 'npm' ? judgeNpm(rest, line) : undefined;
}

function judgeNpm(words: readonly string[], line: CommandLine): string | undefined {
  const [first = '', ...rest] = words.filter((word, index) => word !== '--silent' || index > 1);
  if (npmWords.has(first)) return undefined;
  const [name = '', ...flags] = first === 'run' ? rest : [first, ...rest];
  const script = line.scripts[name];
  if (script === undefined) return `package.json has no script ${name}`;
  const called = /^node dev\/run\.cjs cli\/petstore\.ts ?(.*)$/.exec(script)?.[1];
  if (called === undefined) return undefined;
  // The first `--` is npm's; what follows another is the words of a command that petstore is to
  // run.
  const own = flags[0] === '--' ? flags.slice(1) : flags;
  const all = [...called.split(' '), ...own].filter((word) => word !== '');
  return judgePetstore(all, line);
}

function judgePetstore(words: readonly string[], line: CommandLine): string | undefined {
  const [command, ...rest] = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (command === undefined || command === '--help') return undefined;
  const help = line.help(command);
  if (help === undefined) return `petstore has no command ${command}`;
  const known = new Set(help.match(/--[a-z][a-z-]*/g));
  const unknown = rest
    .map((word) => word.replace(/=.*$/, ''))
    .find((word) => word.startsWith('--') && !known.has(word));
  return unknown === undefined ? undefined : `petstore ${command} has no flag ${unknown}`;
}
