import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../../mock/index.ts';
import { readLikeness } from './like.ts';
import { startCommand } from '../../testing/command.ts';
import { petstore as contract } from '../../../contract/testing/petstore.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const report = async (observed: Readonly<Record<string, readonly string[]>>): Promise<string> => {
  const verdicts = Object.entries(observed).map(([id, choices]) => ({
    id: `*/open.${id}`,
    verdict: 'open',
    choices,
    observations: [{ choices, exchange: 1, evidence: '' }],
  }));
  const file = join(folder, 'report.json');
  await writeFile(
    file,
    JSON.stringify({
      verdicts: [
        ...verdicts,
        { id: '*/open.paging', verdict: 'not-tested' },
        { id: 'listPets/status', verdict: 'passed' },
      ],
    }),
  );
  return file;
};

describe('--like', () => {
  test('takes the choices that a report observed, and says why not others', async () => {
    const likeness = await readLikeness(
      contract,
      await report({
        'list-order': ['id-descending'],
        'invalid-limit': ['clamped', 'refused'],
        'retry-after-format': ['other', 'http-date'],
        'error-codes': [],
        colour: ['red'],
        'unknown-status': ['gone'],
      }),
    );
    expect(likeness).toEqual({
      choices: {
        'list-order': 'id-descending',
        'invalid-limit': 'refused',
        'retry-after-format': 'http-date',
      },
      leftOut: [
        'error-codes: the server did something that is none of the choices.',
        'colour: the document does not ask this.',
        'unknown-status: The question unknown-status has no choice "gone"; it has refused, empty, ignored.',
      ],
    });
  });

  test('makes the mock answer as a server did that the suite has judged', async () => {
    const choices = {
      'list-order': 'id-descending',
      'error-codes': 'status-phrase',
      'client-id': 'refused',
      'malformed-body': 'unprocessable',
      'status-default': 'sold',
    };
    const mock = createMock(contract, { choices });
    const server = await mock.listen();
    const judged = startCommand(
      'conform',
      '--base-url',
      server.url,
      '--api-key',
      'demo-free',
      '--report',
      join(folder, 'judged'),
    );
    expect(await judged.ended).toBe(0);
    await server.close();
    expect(
      (await readLikeness(contract, join(folder, 'judged/report.json'))).choices,
    ).toMatchObject(choices);
  });

  test('goes behind --choice, and tells what it leaves out', async () => {
    const file = await report({
      'list-order': ['id-descending'],
      'status-default': ['sold'],
      'error-codes': [],
    });
    const command = startCommand(
      'mock',
      '--port',
      '0',
      '--no-watch',
      '--like',
      file,
      '--choice',
      'status-default=pending',
    );
    const [, url = ''] = await command.printed(/is mocked at (\S+)/);
    expect(command.stderr()).toBe(
      `petstore mock: not taken from ${file}: error-codes: the server did something that is none of the choices.\n`,
    );
    const choices = await (
      await fetch(`${new URL(url).origin}/_mock/sandboxes/main/choices`)
    ).json();
    expect(choices).toMatchObject({ 'list-order': 'id-descending', 'status-default': 'pending' });
    await command.stop();
  });

  test('refuses what is no report, in one line', async () => {
    const file = join(folder, 'other.json');
    for (const [text, reason] of [
      ['{', 'is not valid JSON'],
      ['[]', 'is not a report of conform --report'],
    ] as const) {
      await writeFile(file, text);
      const command = startCommand('mock', '--port', '0', '--like', file);
      expect([await command.ended, command.stderr()]).toEqual([2, expect.stringContaining(reason)]);
    }
  });
});
