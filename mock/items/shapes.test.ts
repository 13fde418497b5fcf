import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';
import {
  type Shape,
  collectionOf,
  drawShapes,
  idOf,
  shapeText,
} from '../../test/mock/inferred/shapes.ts';

/** Judges bodies by a document with a validator of its own, which shares no code with the mock. */
function createIndependentJudge(document: JsonObject) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'document');
  /** What a body breaks; empty: nothing. `path` and `method` as the document has them. */
  return (method: string, path: string, status: number, body: JsonValue): string => {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
    const names = ['paths', escaped, method.toLowerCase(), 'responses', `${status}`];
    const responses = names.reduce<JsonValue | undefined>(
      (found, name) => (isJsonObject(found) ? found[name.replaceAll('~1', '/')] : undefined),
      document,
    );
    if (!isJsonObject(responses)) return `${status} is not documented`;
    if (!isJsonObject(responses['content'])) return '';
    const at = [...names, 'content', 'application~1json', 'schema']
      .map(encodeURIComponent)
      .join('/');
    const validate = ajv.compile({ $ref: `document#/${at}` });
    return validate(body) ? '' : ajv.errorsText(validate.errors);
  };
}

interface Session {
  readonly send: (
    method: string,
    path: string,
    json?: JsonValue,
  ) => { status: number; text: string; json: JsonValue; location: string };
}

async function open(shape: Shape): Promise<Session> {
  const contract = await loadContract({ text: shapeText(shape) });
  const client: TestClient = createTestClient(contract);
  const judge = createIndependentJudge(contract.document);
  return {
    send(method, path, json) {
      const sent = { ...(json === undefined ? {} : { json }), ...mediaTypeOf(json) };
      const response = client.send(method, path, sent);
      const template = templateOf(path, shape);
      if (response.status < 300)
        expect(judge(method, template, response.status, response.json)).toBe('');
      return { ...response, location: response.headers.get('location') ?? '' };
    },
  };
}

function mediaTypeOf(json: JsonValue | undefined): JsonObject {
  return Array.isArray(json) ? { headers: { 'content-type': 'application/json-patch+json' } } : {};
}

function templateOf(path: string, shape: Shape): string {
  const root = shape.isNested ? '/books/{bookId}/notes' : '/notes';
  const [, id, action] = path.slice(collectionOf(shape).length).split('/');
  return [
    root,
    ...(id === undefined ? [] : ['{noteId}']),
    ...(action === undefined ? [] : [action]),
  ].join('/');
}

/** The id that a client finds in a body: at its top, or one level down. */
function idIn(body: JsonValue, member: string): string | undefined {
  const look = (value: JsonValue | undefined): JsonValue | undefined =>
    isJsonObject(value) ? (value[member] ?? value['id']) : undefined;
  const inner = isJsonObject(body) ? Object.values(body).map(look) : [];
  const found = [look(body), ...inner].find((one) => one !== undefined);
  return found === undefined ? undefined : renderJson(found).replaceAll('"', '');
}

function bodyOf(shape: Shape, members: JsonObject): JsonObject {
  return shape.sent === 'flat' ? members : { note: members };
}

describe.each(drawShapes(60, 11).map((shape) => [Object.values(shape).join(' '), shape] as const))(
  'a document of the shape %s',
  (_name, shape) => {
    test('keeps what is created until it is removed', async () => {
      const { send } = await open(shape);
      const root = collectionOf(shape);
      const isListed = (words: string, otherwise: boolean): boolean =>
        shape.list === 'none' ? otherwise : send('GET', root).text.includes(words);
      const { member, isGiven } = idOf(shape);
      const given = isGiven ? { [member]: 'word-one' } : {};
      const made = send('POST', root, bodyOf(shape, { title: 'first words', ...given }));
      const id = idIn(made.json, member) ?? made.location.split('/').at(-1);
      expect(isGiven ? id : 'word-one').toBe('word-one');
      const item = `${root}/${id}`;
      expect(send('GET', item).text).toContain('first words');
      const other = isGiven ? { [member]: 'word-two' } : {};
      const again = send('POST', root, bodyOf(shape, { title: 'second words', ...other }));
      expect(idIn(again.json, member) ?? again.location.split('/').at(-1)).not.toBe(id);
      expect(send('GET', item).text).toContain('first words');
      expect(isListed('first words', true)).toBe(true);
      expect(isListed('second words', true)).toBe(true);
      expect(send('PATCH', item, { title: 'third words' }).text).toContain('third words');
      expect(send('GET', item).text).toContain('third words');
      const patch = [{ op: 'replace', path: '/title', value: 'fourth words' }];
      expect(send('PATCH', item, patch).text).toContain('fourth words');
      const closed = send('POST', `${item}/close`).text;
      const isShown = shape.get !== 'other';
      expect(closed.includes('closed') || !isShown).toBe(true);
      expect(send('GET', item).text.includes('closed') || !isShown).toBe(true);
      send('PUT', item, bodyOf(shape, { title: 'fifth words', ...given }));
      expect(send('GET', item).text).toContain('fifth words');
      expect(send('DELETE', item).status).toBe(204);
      expect(send('GET', item).status).toBe(404);
      expect(send('DELETE', item).status).toBe(shape.documents404 ? 404 : 204);
      expect(isListed('fifth words', false)).toBe(false);
    });
  },
);
