import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../contract/json/value.ts';
import { fixtureFile } from '../../test/contract/sample.ts';
import { shapeText } from '../../test/mock/inferred/shapes.ts';
import { startCommand } from '../../test/cli/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'resources-'));
const [file = '', unlisted = ''] = (['data', 'none'] as const).map((list) => {
  const path = join(folder, `${list}.json`);
  const shape = {
    list,
    create: 'item-200',
    get: 'envelope',
    id: 'integer',
    sent: 'wrapped',
  } as const;
  writeFileSync(path, shapeText({ ...shape, isNested: true, documents404: true }));
  return path;
});

test('shows the roles, places and evidence of a resource', async () => {
  const command = startCommand('resources', file);
  expect(await command.ended).toBe(0);
  const text = command.stdout();
  expect(text).toContain('/books/{bookId}/notes\n  items at /books/{bookId}/notes/{noteId}');
  expect(text).toContain('within bookId');
  expect(text).toContain('certain: used by the mock and the suite');
  expect(text).toMatch(
    /create +POST \/books\/\{bookId\}\/notes +[\d.]+ {2}200 shows body, named by id/,
  );
  expect(text).toMatch(/get +GET .* shows data, named by id/);
  expect(text).toMatch(/list +GET .* shows data\[\], named by id/);
  expect(text).toMatch(/action +POST .*close/);
});

test('writes the same as JSON', async () => {
  const command = startCommand('resources', file, '--json');
  expect(await command.ended).toBe(0);
  expect(parseJson(command.stdout())).toMatchObject({
    resources: [
      {
        path: '/books/{bookId}/notes',
        certain: true,
        closed: true,
        idParameter: 'noteId',
        parents: ['bookId'],
      },
    ],
    notInferred: [],
  });
});

test('says why a resource is not certain', async () => {
  const command = startCommand('resources', unlisted);
  expect(await command.ended).toBe(0);
  expect(command.stdout()).toMatch(/inferred: used by the mock only\s+not certain: no operation/);
});

test('accepts exactly one document', async () => {
  expect(await startCommand('resources', file, file).ended).toBe(2);
  expect(await startCommand('resources', fixtureFile('none.yaml')).ended).toBe(2);
});
