import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const tag = "{ $ref: '#/components/schemas/Tag' }";

/** @param successes the statuses of an addition */
const load = async (...successes: readonly number[]) =>
  await loadYaml(`
paths:
  /tags:
    get: { operationId: listTags, responses: { '200': { description: All., ${json(`{ type: array, items: ${tag} }`)} } } }
    post: { operationId: addTag, requestBody: { required: true, ${json(tag)} }, responses: { ${successes.map((status) => `'${status}': { description: The tag., ${json(tag)} },`).join(' ')} '400': { description: Refused. } } }
  /tags/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getTag, responses: { '200': { description: One., ${json(tag)} }, '404': { description: None. } } }
    patch: { operationId: patchTag, requestBody: { required: true, ${json("{ $ref: '#/components/schemas/TagChange' }")} }, responses: { '200': { description: Changed., ${json(tag)} }, '400': { description: Refused. }, '404': { description: None. }, '409': { description: Taken. } } }
    delete: { operationId: removeTag, responses: { '204': { description: Removed. }, '404': { description: None. } } }
components:
  schemas:
    TagChange: { type: object, properties: { name: { type: string, minLength: 1, maxLength: 100 }, color: { type: string, maxLength: 20 } } }
    Tag: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string, minLength: 1, maxLength: 100 }, color: { type: string, maxLength: 20 } } }
`);

/**
 * What a server does with a tag: it looks for one with the same name (`finds`), or the same name and
 * color (`finds equal`), takes the first of all (`finds any`), adds one each time, or gives an
 * identifier again.
 */
type Way = 'finds' | 'finds equal' | 'finds any' | 'adds' | 'repeats' | 'overwrites the last';

function createTags(way: Way, statuses: readonly number[]) {
  const tags = new Map<number, JsonObject>([[1, { id: 1, name: 'a' }]]);
  let last = 1;
  const isTag = (body: unknown): body is JsonObject =>
    isJsonObject(body) &&
    Object.entries(body).every(([name, value]) => {
      const least = { name: 1, color: 0 }[name];
      const most = { name: 100, color: 20 }[name];
      if (least === undefined || most === undefined) return true;
      return typeof value === 'string' && value.length >= least && Array.from(value).length <= most;
    });
  return ({ method, steps: [, id], body }: PlainRequest): Answer => {
    if (id === undefined && method === 'GET') return [200, [...tags.values()]];
    const known = tags.get(Number(id));
    if (id !== undefined && known === undefined) return [404];
    if (method === 'GET') return [200, known];
    if (method === 'DELETE') {
      // Somebody else added it, so the run must not remove it.
      if (id === '1') return [500];
      tags.delete(Number(id));
      return [204];
    }
    if (!isTag(body) || (known === undefined && body['name'] === undefined)) return [400];
    const others = [...tags.values()].filter((one) => one !== known);
    const same = others.find(
      ({ name, color }) => name === body['name'] && (way === 'finds' || color === body['color']),
    );
    if (known !== undefined) {
      if (same !== undefined && way !== 'adds') return [409];
      const changed = { ...known, ...body, id: known['id'] };
      tags.set(Number(id), changed);
      return [200, changed];
    }
    const [first = 200, added = first] = statuses;
    const found = way === 'finds any' ? others[0] : way.startsWith('finds') ? same : undefined;
    if (found !== undefined) return [first, found];
    const isRepeated = way === 'overwrites the last' || (way === 'repeats' && tags.size % 4 === 3);
    if (!isRepeated || last === 0) last += 1;
    const one = { ...body, id: last };
    tags.set(last, one);
    return [added, one];
  };
}

test.each<readonly [Way, readonly number[]]>([
  ['finds', [200]],
  ['finds', [200, 201]],
  ['finds equal', [200]],
  ['finds equal', [200, 201]],
  ['adds', [200]],
  ['adds', [201]],
])('a server that %s (%j) conforms twice', async (way, statuses) => {
  for (const requests of [60, 120, 400])
    expect(
      await judgeTwice(await load(...statuses), createTags(way, statuses), { requests }),
    ).toEqual([]);
});

test.each<readonly [Way, readonly number[]]>([
  ['finds any', [200]],
  ['repeats', [200]],
  ['repeats', [201]],
  ['overwrites the last', [200]],
  ['overwrites the last', [200, 201]],
])('a server that %s (%j) fails', async (way, statuses) => {
  const failed = await judgeTwice(await load(...statuses), createTags(way, statuses));
  expect(failed).toContain('addTag/state.id-unique');
});
