import { expect, test } from 'vitest';
import { loadDefinitions } from '../main.ts';
import { parseCommandLine } from './command-line.ts';

const read = async (command: string, ...argv: readonly string[]) => {
  const definition = (await loadDefinitions()).find(({ name }) => name === command);
  if (definition === undefined) throw new Error(`There is no command ${command}.`);
  const { given, words } = parseCommandLine(definition, argv);
  return {
    flags: Object.fromEntries([...given].map(([name, { texts }]) => [name, texts])),
    words,
  };
};

test.each([
  ['mock', ['my.yaml'], { contract: ['my.yaml'] }],
  [
    'mock',
    ['--port', '0', 'my.yaml', '--quiet'],
    { port: ['0'], contract: ['my.yaml'], quiet: ['true'] },
  ],
  ['conform', ['https://a.test/v1'], { baseUrl: ['https://a.test/v1'] }],
  [
    'conform',
    ['my.yaml', 'HTTP://a.test/v1'],
    { contract: ['my.yaml'], baseUrl: ['HTTP://a.test/v1'] },
  ],
  [
    'conform',
    ['https://a.test/v1', 'my.yaml'],
    { baseUrl: ['https://a.test/v1'], contract: ['my.yaml'] },
  ],
  [
    'proxy',
    ['https://a.test/v1', 'my.yaml'],
    { target: ['https://a.test/v1'], contract: ['my.yaml'] },
  ],
  ['judge-journal', ['http://127.0.0.1:4010'], { mock: ['http://127.0.0.1:4010'] }],
  ['conform', ['ftp://a.test/v1'], { baseUrl: ['ftp://a.test/v1'] }],
  ['mock', ['ftp://a.test/my.yaml'], { contract: ['ftp://a.test/my.yaml'] }],
  ['mock', ['--port', '-1'], { port: ['-1'] }],
])('petstore %s %j suggests the flag for the word', async (command, argv, flags) => {
  expect(await read(command, ...argv)).toEqual({ flags, words: [] });
});

test.each([
  ['conform', ['a.yaml', 'b.yaml'], 'Pass one file, not both a.yaml and b.yaml.'],
  ['conform', ['--contract', 'a.yaml', 'b.yaml'], 'Pass one file, not both a.yaml and b.yaml.'],
  [
    'conform',
    ['http://a/v1', 'http://b/v1'],
    'Pass one url, not both http://a/v1 and http://b/v1.',
  ],
  ['mock', ['--port', '--quiet'], '--port needs a value: --port <number>.'],
  ['keygen', ['key'], '"key" is not an option. See npx petstore-contract keygen --help.'],
  [
    'conform',
    ['localhost:4010/v1'],
    '"localhost:4010/v1" is not an address. Did you mean http://localhost:4010/v1? See npx petstore-contract conform --help.',
  ],
])('petstore %s %j is refused', async (command, argv, reason) => {
  await expect(read(command, ...argv)).rejects.toThrow(reason);
});

test('the examples of every command can be parsed, and its page exists', async () => {
  const { access } = await import('node:fs/promises');
  for (const definition of await loadDefinitions()) {
    await access(new URL(`../../docs/${definition.page}`, import.meta.url));
    for (const [words] of definition.examples)
      expect(() =>
        parseCommandLine(definition, words.split('-- ')[0]?.split(' ').filter(Boolean) ?? []),
      ).not.toThrow();
  }
});
