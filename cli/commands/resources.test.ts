import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../contract/json/value.ts';
import { fixtureFile } from '../../test/contract/sample.ts';
import { startCommand } from '../../test/cli/command.ts';

/** Notes of a book, in envelopes; some documents have no operation that lists them. */
const composeNotes = (list: string): string => `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /books/{bookId}/notes:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    ${list}
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Sent' } } } }
      responses: { 200: { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /books/{bookId}/notes/{noteId}:
    parameters: &item
      - { name: bookId, in: path, required: true, schema: { type: integer } }
      - { name: noteId, in: path, required: true, schema: { type: integer } }
    get:
      responses: &single
        200: { description: A note., content: { application/json: { schema: { $ref: '#/components/schemas/One' } } } }
        404: { description: None. }
    delete: { responses: { 204: { description: Removed. }, 404: { description: None. } } }
  /books/{bookId}/notes/{noteId}/close:
    parameters: *item
    post: { responses: *single }
components:
  schemas:
    Note: { type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string } } }
    Sent: { type: object, required: [note], properties: { note: { type: object, required: [title], properties: { title: { type: string } } } } }
    One: { type: object, required: [data], properties: { data: { $ref: '#/components/schemas/Note' } } }
    All: { type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
`;

const listing =
  "get: { responses: { 200: { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/All' } } } } } }";
const folder = mkdtempSync(join(tmpdir(), 'resources-'));
const [file = '', unlisted = ''] = [listing, ''].map((list, at) => {
  const path = join(folder, `${at}.yaml`);
  writeFileSync(path, composeNotes(list));
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
