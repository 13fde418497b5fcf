import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';
import { loadDefinitions } from '../main.ts';
import { renderHelp } from './help.ts';

const failWith = async (...argv: readonly string[]): Promise<string> => {
  const command = startCommand(...argv);
  expect(await command.ended).toBe(2);
  return command.stderr();
};

test.each([
  [['moc'], 'There is no command "moc". Did you mean mock? See npx petstore-contract --help.'],
  [
    ['mock', '--prot', '0'],
    "Unknown option '--prot'. Did you mean --port? See npx petstore-contract mock",
  ],
  [
    ['mock', '--controltoken', 'x'],
    'Did you mean --control-token? See npx petstore-contract mock --help.',
  ],
  [['conform', '--base-ulr=x'], "Unknown option '--base-ulr'. Did you mean --base-url? See"],
  [['mock', '--choice', 'invalid-limt=clamped'], 'Did you mean invalid-limit?'],
  [['mock', '--choice', 'invalid-limit=clampd'], 'Did you mean clamped?'],
  [['mock', '--limit', 'fre.minute=1'], 'did you mean Free?'],
  [['conform', '--plan', 'bussiness'], 'Did you mean Business?'],
  [['conform', '--only', 'listPet'], '(--only). Did you mean listPets?'],
  [['conform', '--shard', '9/8'], '--shard must be a number and a count, such as 3/8'],
  [['conform', '--requests', '0'], '--requests must be a whole number from 1 to 1000000'],
  [['conform', '--time-limit', 'x'], '--time-limit must be a whole number from 1 to 604800'],
  [['conform', '--skip', 'listPets/stauts'], 'Did you mean '],
  [['certify-client', '--scenario', 'plian', '--', 'true'], 'did you mean plain?'],
])('%j gets a suggestion', async (argv, question) => {
  expect(await failWith(...argv)).toContain(question);
});

test.each([
  [['xyz'], 'petstore: There is no command "xyz". See npx petstore-contract --help.'],
  [
    ['mock', '--zoom'],
    "petstore mock: Unknown option '--zoom'. See npx petstore-contract mock --help.",
  ],
  [
    ['mock', '-p', '4010'],
    "petstore mock: Unknown option '-p'. See npx petstore-contract mock --help.",
  ],
  [['mock', '--choice', 'colour=red'], 'it asks '],
  [['--help', 'alll'], 'petstore: There is no command "alll". See npx petstore-contract --help.'],
  [['mock', '--port'], 'petstore mock: --port needs a value: --port <number>. See'],
  [['conform', '--id'], 'petstore conform: --id needs a value: --id <name>=<value>. See'],
])('%j gets no suggestion', async (argv, reason) => {
  const output = await failWith(...argv);
  expect(output).toContain(reason);
  expect(output).not.toMatch(/did you mean/i);
});

test.each([[['--help', 'all']], [['help', 'all']], [['-h']], [[]]])(
  '%j prints the help of all commands',
  async (argv) => {
    const command = startCommand(...argv);
    expect(await command.ended).toBe(0);
    expect(command.stdout()).toMatch(/^Usage: npx petstore-contract <command> \[options\]\n/);
  },
);

test('the help of every command describes exit code 2 in the same words', async () => {
  const lines = (await loadDefinitions()).map(
    (definition) =>
      /^Exit codes:(?:.|\n)*?\b(2 (?:.|\n)*?)\n\n/m.exec(renderHelp(definition, 'usual'))?.[1],
  );
  expect(new Set(lines.map((line) => line?.replaceAll('\n', ' ')))).toEqual(
    new Set(['2 error.', '2 no result: inconclusive, or an error.']),
  );
});

test('after -- everything is an argument, as in the templates for CI', async () => {
  expect(await failWith('merge', '--', '--lost')).toBe('petstore merge: --lost does not exist.\n');
});

test('a waiver for a misspelt requirement suggests the right one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  const file = join(folder, 'waivers.json');
  const waiver = { requirement: 'listPets/statsu', reason: 'r', owner: 'o', expires: '2099-01-01' };
  await writeFile(file, JSON.stringify([waiver]));
  expect(await failWith('conform', '--waivers', file)).toContain('Did you mean ');
  await rm(folder, { recursive: true });
});
