import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';
import { judgeLog, type Case, type LogEntry } from '../../test/conformance/log.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => json(`{ $ref: '#/components/schemas/${name}' }`);
const all = (name: string): string =>
  `responses: { '200': { description: All., ${json(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`)} }, '404': { description: None. } }`;
const added = (name: string): string =>
  `requestBody: { required: true, ${ref(name)} }, responses: { '201': { description: Added., ${ref(name)} }, '400': { description: Refused. }, '404': { description: None. } }`;

/** Boxes with things that can be moved to another box, and labels of boxes. */
const load = async () =>
  await loadYaml(`
paths:
  /boxes:
    get: { operationId: listBoxes, ${all('Box')} }
    post: { operationId: addBox, ${added('Box')} }
  /boxes/{box}:
    parameters: [{ name: box, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBox, responses: { '200': { description: One., ${ref('Box')} }, '404': { description: None. } } }
    delete: { operationId: removeBox, responses: { '204': { description: Removed. }, '404': { description: None. } } }
  /boxes/{box}/things:
    parameters: [{ name: box, in: path, required: true, schema: { type: integer } }]
    get: { operationId: listThings, ${all('Thing')} }
    post: { operationId: addThing, ${added('Thing')} }
  /boxes/{box}/things/{id}:
    parameters: [{ name: box, in: path, required: true, schema: { type: integer } }, { name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getThing, responses: { '200': { description: One., ${ref('Thing')} }, '404': { description: None. } } }
  /boxes/{box}/things/{id}/move:
    parameters: [{ name: box, in: path, required: true, schema: { type: integer } }, { name: id, in: path, required: true, schema: { type: integer } }]
    post: { operationId: moveThing, requestBody: { required: true, ${json('{ type: object, required: [box], properties: { box: { type: integer, minimum: 1, maximum: 20 } } }')} }, responses: { '200': { description: In the last box., ${ref('Thing')} }, '404': { description: None. }, '422': { description: There is no such box. } } }
  /labels:
    get: { operationId: listLabels, ${all('Label')} }
    post: { operationId: addLabel, ${added('Label')} }
components:
  schemas:
    Box: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Thing: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Label: { type: object, required: [text], properties: { id: { type: integer, readOnly: true }, text: { type: string }, boxId: { type: [integer, 'null'] } } }
`);

const post = (operation: string, target: string, answer: object): LogEntry => {
  return { operation, target, body: { ...answer, id: undefined }, answer, status: 201 };
};
const boxes = [
  post('addBox', '/boxes', { id: 1, name: 'first box' }),
  post('addBox', '/boxes', { id: 2, name: 'second box' }),
];
const thing = { id: 3, name: 'a thing of its own' };
const inBoth = [
  post('addThing', '/boxes/1/things', thing),
  post('addThing', '/boxes/2/things', { id: 4, name: 'another thing' }),
];
const move = {
  operation: 'moveThing',
  target: '/boxes/1/things/3/move',
  body: { box: 2 },
  answer: thing,
};
const listed = {
  operation: 'listThings',
  target: '/boxes/2/things',
  answer: [thing, { id: 4, name: 'another thing' }],
};
const label = post('addLabel', '/labels', { id: 5, text: 'a label', boxId: 1 });
const empty = {
  operation: 'listLabels',
  target: '/labels',
  answer: [{ id: 5, text: 'a label', boxId: null }],
};
const removal = (id: number): LogEntry => {
  return { operation: 'removeBox', target: `/boxes/${id}`, status: 204, answer: '' };
};
const moved = { ...move, body: { box: 9 }, status: 422 };

test.each<Case>([
  [
    'a thing is listed in another box',
    [...boxes, ...inBoth, listed],
    { 'listThings/state.own-parent': 'failed' },
  ],
  [
    'a thing was moved',
    [...boxes, ...inBoth, move, listed],
    { 'listThings/state.own-parent': 'not-tested' },
  ],
  [
    'a label loses its box',
    [...boxes, label, removal(2), empty],
    { 'listLabels/state.read.boxId': 'failed' },
  ],
  [
    'the box is gone',
    [...boxes, label, removal(1), empty],
    { 'listLabels/state.read.boxId': 'not-tested' },
  ],
  [
    'a move to a known box is refused',
    [...boxes, ...inBoth, move, { ...moved, body: { box: 1 } }],
    { 'moveThing/status.200': 'failed' },
  ],
  [
    'a move to an unknown box is refused',
    [...boxes, ...inBoth, move, moved],
    { 'moveThing/status.200': 'passed' },
  ],
])('%s', async (_title, log, verdicts) => {
  expect(judgeLog(await load(), log, Object.keys(verdicts))).toEqual(verdicts);
});

/** Labels of one box, which nobody can remove. */
function createLabels(isLost: boolean) {
  const labels: JsonObject[] = [];
  return ({ method, steps: [root], body }: PlainRequest): Answer => {
    if (root === 'boxes') return method === 'GET' ? [200, [{ id: 7, name: 'a box' }]] : [400];
    if (method === 'GET') return [200, labels];
    if (!isJsonObject(body) || typeof body.text !== 'string') return [400];
    const { text, boxId = null } = body;
    if (boxId !== null && boxId !== 7) return [400];
    labels.push({ id: labels.length + 1, text, boxId: isLost ? null : boxId });
    return [201, { ...labels.at(-1), boxId }];
  };
}

test('an optional reference is sent to an item that exists', async () => {
  const lost = await judgeTwice(await load(), createLabels(true));
  expect(lost).toContain('listLabels/state.read.boxId');
  expect(await judgeTwice(await load(), createLabels(false))).not.toContain(
    'listLabels/state.read.boxId',
  );
});
