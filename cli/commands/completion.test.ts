import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';
import { packageFile } from '../package/package-root.ts';

const print = async (shell: string): Promise<string> => {
  const command = startCommand('completion', shell);
  expect(await command.ended).toBe(0);
  return command.stdout();
};

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-completion-'));
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, shell), await print(shell));
  mkdirSync(join(folder, 'here'));
  writeFileSync(join(folder, 'here', 'my service.yaml'), '');
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${packageFile('cli/petstore.ts')}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'petstore'), program);
  chmodSync(join(folder, 'bin', 'petstore'), 0o755);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  ...process.env,
  PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  HOME: folder,
  TERM: 'dumb',
});

const run = (program: string, ...words: readonly string[]): string => {
  const { stdout, stderr } = spawnSync(program, words, {
    cwd: join(folder, 'here'),
    encoding: 'utf8',
    env: environment(),
    timeout: 50_000,
  });
  return `${stdout}${stderr}`;
};

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** What is offered for the last word of a command line, by the shell itself. */
const shells: Readonly<Record<string, (line: string) => readonly string[]>> = {
  bash(line) {
    const words = line.split(/ (?=\S*$)|(?<==)|(?==)| /);
    const script = `. ../bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _petstore; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf(run('bash', '--norc', '-c', script));
  },
  fish: (line) =>
    linesOf(run('fish', '--no-config', '-c', `source ../fish; complete -C '${line}'`)).map(
      (each) => each.split('\t')[0] ?? '',
    ),
};

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((each) => each !== '')
    .toSorted();

describe.each(['bash', 'fish'])('%s completes', (shell) => {
  const complete = (line: string): readonly string[] => shells[shell]?.(line) ?? [];

  test.skipIf(!has(shell))(
    'commands, options, words and files',
    () => {
      expect(complete('petstore mo')).toEqual(['mock']);
      expect(complete('petstore c')).toEqual(['certify-client', 'completion', 'conform']);
      expect(complete('petstore conform --re')).toEqual(
        expect.arrayContaining(['--read-only', '--replay', '--report', '--requests']),
      );
      expect(complete('petstore conform --zoo')).toEqual([]);
      expect(complete('petstore mock --log ')).toEqual(['json', 'text']);
      expect(complete('petstore mock --port 80')).toEqual([]);
      expect(complete('petstore help keyg')).toEqual(['keygen']);
      expect(complete('petstore completion z')).toEqual(['zsh']);
      expect(complete('petstore mock --contract my').join()).toMatch(/my\\? service\.yaml/);
      expect(complete('petstore lint my').join()).toMatch(/my\\? service\.yaml/);
      expect(complete('petstore certify-client -- my').join()).toMatch(/my\\? service\.yaml|^$/);
    },
    60_000,
  );
});

test('bash completes what follows a flag and =', () => {
  expect(shells['bash']?.('petstore mock --log=te')).toEqual(['text']);
});

test.skipIf(!has('script'))(
  'bash completes what is typed',
  () => {
    const lines = [
      'petstore() { if [ "$1" = completion ]; then command petstore "$@"; else echo "ran: $*"; fi; }; . ../bash',
      'petstore mo\t',
      'petstore conform --rea\t',
      'petstore lint my\t',
      'exit',
    ];
    const { stdout } = spawnSync('script', ['-qec', 'bash --norc -i', '/dev/null'], {
      cwd: join(folder, 'here'),
      encoding: 'utf8',
      env: environment(),
      input: lines.map((line) => `${line}\n`).join(''),
      timeout: 50_000,
    });
    for (const ran of ['mock', 'conform --read-only', 'lint my service.yaml'])
      expect(stdout).toContain(`ran: ${ran}`);
  },
  60_000,
);

/** Types a line and Tab into a shell with a terminal, until the completion appears. */
const isCompleted = (typed: string, completed: string): boolean => {
  const script = `zmodload zsh/zpty
    zpty z "PS1='READY> ' TERM=dumb HOME=${folder} zsh -f -i"
    zpty -r -m z out '*READY> *'
    zpty -w z 'autoload -Uz compinit; compinit -u -d ${folder}/dump; source ../zsh'
    zpty -r -m z out '*READY> *'
    zpty -n -w z $'${typed}\\t'
    zpty -r -m z out '*${completed}*' && echo completed
    zpty -d z`;
  return run('zsh', '-f', '-c', script).includes('completed');
};

test.skipIf(!has('zsh'))(
  'zsh completes what is typed',
  () => {
    expect(isCompleted('petstore mo', 'petstore mock ')).toBe(true);
    expect(isCompleted('petstore conform --read', 'petstore conform --read-only ')).toBe(true);
    expect(isCompleted('petstore mock --log j', 'petstore mock --log json ')).toBe(true);
    expect(isCompleted('petstore lint my', 'service.yaml')).toBe(true);
  },
  60_000,
);

test.each([
  [[], 'Usage: npx petstore-contract completion <bash|zsh|fish>.'],
  [['bahs'], 'There is no shell "bahs"; did you mean bash?'],
])('%j is refused', async (words, output) => {
  const command = startCommand('completion', ...words);
  expect(await command.ended).toBe(2);
  expect(command.stderr()).toContain(output);
});
