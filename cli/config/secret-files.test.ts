import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { petstore } from '../../contract/testing/petstore.ts';
import { startCommand } from '../testing/command.ts';
import { addSecretFiles, readSecretFiles } from './secret-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-secret-'));
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

test('each secret has a flag for a file, and the variable of it', () => {
  expect(addSecretFiles({ ...rows, key: { value: '<key>', many: true, help: 'Keys.' } })).toEqual({
    ...rows,
    apiKeyFile: {
      value: '<file>',
      variable: 'PETSTORE_API_KEY_FILE',
      help: expect.stringContaining('PETSTORE_API_KEY_FILE'),
    },
    key: { value: '<key>', many: true, help: 'Keys.' },
  });
});

test('the command line goes before what else there is', async () => {
  const file = await write('key', 'from-file\r\n');
  const read = async (given: readonly string[], typed: readonly string[]): Promise<unknown> => {
    const all = new Map([flag('from-text', 'apiKey'), flag(file, 'apiKeyFile')]);
    const of = (names: readonly string[]): Map<string, { texts: string[]; name: string }> =>
      new Map([...all].filter(([name]) => names.includes(name)));
    return (await readSecretFiles(rows, of(given), of(typed))).get('apiKey')?.texts[0];
  };
  const both = ['apiKey', 'apiKeyFile'];
  expect(await read(['apiKeyFile'], [])).toBe('from-file');
  expect(await read(both, ['apiKeyFile'])).toBe('from-file');
  expect(await read(both, ['apiKey'])).toBe('from-text');
  expect(await read(both, [])).toBe('from-text');
  await expect(read(both, both)).rejects.toThrow('two sources of one secret');
});

test.each([
  ['empty', '\n', 'holds no secret'],
  ['several', 'one\ntwo\n', 'has several lines'],
])('a file that is %s is refused', async (name, text, message) => {
  const given = new Map([flag(await write(name, text), 'apiKeyFile')]);
  await expect(readSecretFiles(rows, given, given)).rejects.toThrow(message);
});

test('a key of a file opens a target, and stands in no output', { timeout: 60_000 }, async () => {
  const key = 'business_from-a-file';
  const mock = createMock(petstore, { keys: [key] });
  const { url, close } = await mock.listen();
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
    await close();
  }
});
