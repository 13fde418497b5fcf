import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../../mock/index.ts';
import type { Report } from '../../../conformance/index.ts';
import { renderJsonReport } from '../../../report/index.ts';
import { readReportFile } from '../../io/report-file.ts';
import { openMock } from '../../../test/cli/target.ts';
import { choicesFromReport } from './like.ts';
import { startCommand } from '../../../test/cli/command.ts';
import { petstore as contract } from '../../../test/contract/petstore.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A report of a run against the mock in which these choices were observed. */
const report = async (observed: Readonly<Record<string, readonly string[]>>): Promise<Report> => {
  await using place = await openMock(contract);
  const { verdicts, ...run } = await place.run({ requests: 5 });
  const [one] = verdicts;
  if (one === undefined) throw new Error('The run has no verdicts.');
  const open = Object.entries(observed).map(([id, choices]) => ({
    kind: 'open' as const,
    requirement: { ...one.requirement, id: `*/open.${id}` },
    observations: [{ choices, exchange: 0, evidence: '' }],
  }));
  return { ...run, verdicts: [...open, one] };
};

describe('--like', () => {
  test('uses the choices that a report observed, and says why it skips others', async () => {
    const likeness = choicesFromReport(
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
        'error-codes: what the server did is not one of the choices.',
        'colour: the document has no such question.',
        'unknown-status: The question unknown-status has no choice "gone"; it has refused, empty, ignored.',
      ],
    });
  });

  test('makes the mock respond like a server that the suite has tested', async () => {
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
      choicesFromReport(contract, await readReportFile(join(folder, 'judged'), contract)).choices,
    ).toMatchObject(choices);
  });

  test('yields to --choice, and lists what it leaves out', async () => {
    const file = join(folder, 'seen.json');
    const seen = { 'list-order': ['id-descending'], 'status-default': ['sold'], 'error-codes': [] };
    await writeFile(file, renderJsonReport(await report(seen), contract));
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
      `petstore mock: not taken from ${file}: error-codes: what the server did is not one of the choices.\n`,
    );
    const choices = await (
      await fetch(`${new URL(url).origin}/_mock/sandboxes/main/choices`)
    ).json();
    expect(choices).toMatchObject({ 'list-order': 'id-descending', 'status-default': 'pending' });
    await command.stop();
  });

  test('rejects a file that is not a report, in one line', async () => {
    const file = join(folder, 'other.json');
    for (const [text, reason] of [
      ['{', 'is not valid JSON'],
      ['[]', 'is not a report: '],
    ] as const) {
      await writeFile(file, text);
      const command = startCommand('mock', '--port', '0', '--like', file);
      expect([await command.ended, command.stderr()]).toEqual([2, expect.stringContaining(reason)]);
    }
  });
});
