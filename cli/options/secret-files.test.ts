import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { startCommand } from '../../test/cli/command.ts';
import type { CommandDefinition, FlagTable, GivenFlags } from './flags.ts';
import { addSecretFiles, readSettings } from './settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-hidden-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const write = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

const rows = { apiKey: { value: '<key>', variable: 'PETSTORE_API_KEY', help: 'The key.' } };
const flag = (text: string, name: string): [string, { texts: string[]; name: string }] => [
  name,
  { texts: [text], name: `--${name}` },
];

const definition = (flags: FlagTable): CommandDefinition => ({
  name: 'conform',
  usage: '[options]',
  description: [],
  examples: [],
  page: '',
  exitCodes: [''],
  flags,
});

/** What an API key is read as. */
const readKey = async (
  typed: GivenFlags,
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> => {
  const { given } = await readSettings(definition(addSecretFiles(rows)), typed, env);
  return given.get('apiKey')?.texts[0];
};

test('each secret has a flag and a variable for a file', () => {
  expect(addSecretFiles({ ...rows, key: { value: '<key>', many: true, help: 'Keys.' } })).toEqual({
    ...rows,
    apiKeyFile: {
      group: 'Configuration',
      value: '<file>',
      variable: 'PETSTORE_API_KEY_FILE',
      help: expect.stringContaining('PETSTORE_API_KEY_FILE'),
    },
    key: { value: '<key>', many: true, help: 'Keys.' },
  });
});

test('a key and the file of one are one option: the command line, the environment, then the file', async () => {
  const file = await write('key', 'from-file\r\n');
  const config = await write(
    'petstore.config.json',
    JSON.stringify({ conform: { apiKey: 'of-config' } }),
  );
  const fileConfig = await write(
    'other.config.json',
    JSON.stringify({ conform: { apiKeyFile: 'key' } }),
  );
  const read = async (
    typed: readonly [string, string][],
    env: Readonly<Record<string, string>>,
    from?: string,
  ): Promise<unknown> => {
    const config = from === undefined ? flag('true', 'noConfig') : flag(from, 'config');
    return await readKey(new Map([config, ...typed.map(([name, text]) => flag(text, name))]), env);
  };
  const [byFile, byText] = [{ PETSTORE_API_KEY_FILE: file }, { PETSTORE_API_KEY: 'of-env' }];
  expect(await read([], byFile)).toBe('from-file');
  expect(await read([['apiKey', 'typed']], byFile)).toBe('typed');
  expect(await read([['apiKeyFile', file]], byText)).toBe('from-file');
  expect(await read([], byFile, config)).toBe('from-file');
  expect(await read([], byText, fileConfig)).toBe('of-env');
  expect(await read([], {}, fileConfig)).toBe('from-file');
  expect(await read([], {}, config)).toBe('of-config');
  const two = 'both give the same secret';
  await expect(read([], { ...byFile, ...byText })).rejects.toThrow(
    `PETSTORE_API_KEY and PETSTORE_API_KEY_FILE ${two}`,
  );
  const both: [string, string][] = [
    ['apiKey', 'typed'],
    ['apiKeyFile', file],
  ];
  await expect(read(both, {})).rejects.toThrow(two);
});

test.each([
  ['empty', '\n'],
  ['several', 'one\ntwo\n'],
])('a file that is %s is refused', async (name, text) => {
  const given = new Map([flag(await write(name, text), 'apiKeyFile')]);
  await expect(readKey(given)).rejects.toThrow('must contain one line');
});

test('a key from a file is sent, and never printed', { timeout: 60_000 }, async () => {
  const key = 'business_from-a-file';
  const mock = createMock(petstore, { keys: [key] });
  const listening = await mock.listen();
  const { url } = listening;
  try {
    const file = await write('target', `${key}\n`);
    const command = startCommand(
      'conform',
      '--base-url',
      url,
      '--api-key-file',
      file,
      '--requests',
      '10',
    );
    await command.ended;
    expect((await mock.control()).sandboxes).toContain('from-a-file');
    expect(command.stdout() + command.stderr()).not.toContain(key);
    const missing = startCommand(
      'conform',
      '--base-url',
      url,
      '--api-key-file',
      join(folder, 'none'),
    );
    expect(await missing.ended).toBe(2);
    expect(missing.stderr()).toContain('none');
  } finally {
    await listening.close();
  }
});

test('a secret that no header can carry is rejected, and never printed', async () => {
  for (const [name, text] of [
    ['nul', 'secret\0x'],
    ['escape', 'secret\u001b[31m'],
    ['tab', 'secret\tx'],
  ] as const) {
    const file = await write(name, text);
    const read = readKey(new Map([flag(file, 'apiKeyFile')]));
    await expect(read).rejects.toThrow(/can be sent in a header/);
    await expect(read).rejects.not.toThrow(/secret\S*x|secret.\[/);
  }
  await writeFile(join(folder, 'bytes'), Buffer.from([0x73, 0xff, 0xfe]));
  const bytes = new Map([flag(join(folder, 'bytes'), 'apiKeyFile')]);
  await expect(readKey(bytes)).rejects.toThrow('UTF-8');
  const valid = new Map([flag(await write('valid', '\uFEFFä b=/+~"\r\n'), 'apiKeyFile')]);
  expect(await readKey(valid)).toBe('ä b=/+~"');
});
