import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { changeMutants, changeVariants, mutants, variants } from '../../selftest/index.ts';
import { startCommand } from '../../test/cli/command.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

/** The shell lines of the ```sh blocks of a text; a line that ends in `\` is continued. */
function shellLinesOf(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, ' '),
  );
  return blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** The commands joined by `&&`, `|` and `;`, as words without quotes and with variables replaced. */
function commandsOf(line: string): readonly (readonly string[])[] {
  return line
    .split(/&&|\|\|?|;/)
    .map((command) => wordsOf(command.replace(/\s#.*$/, '').trim()))
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word))))
    .filter((words) => words.length > 0);
}

/** The targets of links within the project: relative paths, without fragments. */
function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

/** Text between single backquotes, outside of code blocks. */
function codeSpansOf(markdown: string): readonly string[] {
  return [...markdown.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
}

function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

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

  test('is published with the files that it links to, except pictures, which the registry loads from the repository', () => {
    // npm always publishes these.
    const globs = ['package.json', 'README.md', 'LICENSE', ...manifest.files];
    const published = listProjectFiles().filter((path) =>
      globs.some((glob) => path.startsWith(`${glob}/`) || matchesGlob(path, glob)),
    );
    const isThere = (path: string): boolean =>
      published.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
    const missing = pages
      .filter(({ path }) => published.includes(path))
      .flatMap(({ path, text }) =>
        linksOf(text)
          .map((link) => join(dirname(path), link))
          .filter((link) => !isThere(link) && !link.endsWith('.png'))
          .map((link) => `${path}: ${link}`),
      );
    expect(missing).toEqual([]);
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
