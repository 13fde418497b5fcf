import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { changeMutants, changeVariants, mutants, variants } from '../../selftest/index.ts';
import { startCommand } from '../../test/cli/command.ts';
import { codeSpansOf, commandsOf, linksOf, shellLinesOf } from './markdown.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

/** What a command in the documentation may name. */
interface CommandLine {
  /** The scripts of `package.json`, by name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** What `petstore [command] --help all` prints; undefined for an unknown command. */
  readonly help: (command: string | undefined) => string | undefined;
}

const npmWords = new Set(['ci', 'install', 'i', 'pack', 'exec']);

/** Why a documented npm script, command or flag cannot run; undefined if it can. */
function judgeCommand(words: readonly string[], line: CommandLine): string | undefined {
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

const files = listProjectFiles();
const folders = new Set(
  files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]),
);
const pages = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

const printed = async (...words: readonly string[]): Promise<string> => {
  const command = startCommand(...words);
  expect(await command.ended).toBe(0);
  return command.stdout();
};

/** What `--help` prints: of petstore, and by the names that it lists of its commands. */
const help = await printed('--help');
const names = [...help.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name);
const helps = new Map<string | undefined, string>([[undefined, help]]);
for (const name of names) helps.set(name, await printed(name, '--help', 'all'));

const commandLine: CommandLine = {
  scripts: manifest.scripts,
  help: (command) => helps.get(command),
};

/**
 * A path in the text that is meant to be a file of the project: it starts in one of its folders.
 */
const isProjectPath = (code: string): boolean =>
  /^[\w.-]+\/[\w./*-]*$/.test(code) && folders.has(code.split('/')[0]);

const exists = (path: string): boolean => existsSync(join(projectRoot, path.replace(/\*.*$/, '')));

describe('the documentation', () => {
  test('names only commands and flags that exist', () => {
    const faults = pages.flatMap(({ path, text }) =>
      shellLinesOf(text)
        .flatMap(commandsOf)
        .flatMap((words) => {
          const reason = judgeCommand(words, commandLine);
          return reason === undefined ? [] : [`${path}: ${words.join(' ')}: ${reason}`];
        }),
    );
    expect(faults).toEqual([]);
  });

  test('names only files that exist', () => {
    const faults = pages.flatMap(({ path, text }) => {
      const links = linksOf(text).map((link) => join(dirname(path), link));
      const missing = [...links, ...codeSpansOf(text).filter(isProjectPath)].filter(
        (file) => !exists(file),
      );
      return missing.map((file) => `${path}: ${file}`);
    });
    expect(faults).toEqual([]);
  });

  test('gives the number of mutants and valid variants of the self-test, rounded', () => {
    const rounded = (...lists: readonly (readonly unknown[])[]): string =>
      `some ${Math.round(lists.flat().length / 10) * 10}`;
    const readme = pages.find(({ path }) => path === 'README.md')?.text ?? '';
    expect(readme.replaceAll(/\s+/g, ' ')).toContain(
      `${rounded(mutants, changeMutants)} mutants and ${rounded(variants, changeVariants)} valid variants`,
    );
  });

  test('begins with one command, and has the two lines that check everything', () => {
    const readme = pages.find(({ path }) => path === 'README.md')?.text ?? '';
    expect(shellLinesOf(readme)[0]).toBe('npx petstore-contract mock');
    expect(readme).toContain('\nnpm ci && npm run conform\nnpm ci && npm test\n');
  });
});

describe('the reading of documentation', () => {
  const line: CommandLine = {
    scripts: {
      conform: 'node dev/run.cjs cli/petstore.ts conform',
      petstore: 'node dev/run.cjs cli/petstore.ts',
      lint: 'oxlint',
    },
    help: (command) => (command === 'conform' ? '--base-url <url>' : undefined),
  };
  const judge = (text: string): readonly (string | undefined)[] =>
    commandsOf(text).map((words) => judgeCommand(words, line));

  test('finds shell lines, and joins continued ones', () => {
    expect(
      shellLinesOf('`a`\n```sh\n# why\nnpm ci && \\\n  npm test\n```\n```yaml\nb: c\n```\n'),
    ).toEqual(['npm ci &&  npm test']);
  });

  test('accepts what exists', () => {
    expect(judge('npm ci && npm run conform -- --base-url "$URL" | less')).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(
      judge('KEY=x npx petstore conform --base-url=http://localhost; npm run --silent lint'),
    ).toEqual([undefined, undefined]);
    expect(judge('npm run petstore -- conform --base-url x')).toEqual([undefined]);
    expect(judge('npx petstore-contract conform --base-url x')).toEqual([undefined]);
  });

  test('ignores the arguments of a command that petstore runs', () => {
    expect(judge('npm run petstore -- conform --base-url x -- node client.js --own')).toEqual([
      undefined,
    ]);
    expect(judge('npx petstore conform --own -- node client.js')).toEqual([
      'petstore conform has no flag --own',
    ]);
  });

  test('finds a script, a command and a flag that do not exist', () => {
    expect(judge('npm test')).toEqual(['package.json has no script test']);
    expect(judge('petstore mock')).toEqual(['petstore has no command mock']);
    expect(judge('npx petstore-contract conform --apikey x')).toEqual([
      'petstore conform has no flag --apikey',
    ]);
    expect(judge('npm run conform -- --apikey x')).toEqual([
      'petstore conform has no flag --apikey',
    ]);
    expect(judge('npm run petstore -- conform --key')).toEqual([
      'petstore conform has no flag --key',
    ]);
  });

  test('finds links and code, but not in code blocks', () => {
    const text =
      'See [a](docs/a.md#b), [c](https://c.example), [d](#d) and `cli/x.ts`.\n```sh\n`cli/y.ts`\n```\n';
    expect(linksOf(text)).toEqual(['docs/a.md']);
    expect(codeSpansOf(text)).toEqual(['cli/x.ts']);
    expect(isProjectPath('application/json')).toBe(false);
    expect(isProjectPath('docs/no-such-file.md') && !exists('docs/no-such-file.md')).toBe(true);
  });
});
