import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const text = '{ type: object, required: [text], properties: { text: { type: string } } }';
const post = (id: string, schema: string): string =>
  `{ operationId: ${id}, requestBody: { required: true, ${json(text)} }, responses: { '201': { description: Added., ${json(schema)} }, '400': { description: Refused. }, '404': { description: None. } } }`;
const list = (id: string, schema: string): string =>
  `{ operationId: ${id}, responses: { '200': { description: All., ${json(`{ type: array, items: ${schema} }`)} }, '404': { description: None. } } }`;
const message = "{ $ref: '#/components/schemas/Message' }";

const load = async () =>
  await loadYaml(`
paths:
  /channels:
    get: ${list('listChannels', "{ $ref: '#/components/schemas/Channel' }")}
    post: ${post('addChannel', "{ $ref: '#/components/schemas/Channel' }")}
  /channels/{id}/messages:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: ${list('listMessages', message)}
    post: ${post('addMessage', message)}
  /messages/{messageId}/replies:
    parameters: [{ name: messageId, in: path, required: true, schema: { type: integer } }]
    get: ${list('listReplies', message)}
    post: ${post('addReply', message)}
components:
  schemas:
    Channel: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
    Message: { type: object, required: [id, text, replies], properties: { id: { type: integer }, text: { type: string }, replies: { type: integer } } }
`);

/** @param countOf what a list shows as the number of replies */
function createChat(countOf: (replies: number) => number) {
  const channels: JsonObject[] = [{ id: 1, text: 'general' }];
  const messages: { id: number; parent: string; text: unknown }[] = [];
  const at = (parent: string) => messages.filter((each) => each.parent === parent);
  return ({ method, steps: [root = '', id = '', below], body }: PlainRequest): Answer => {
    const parent = `${root} ${id}`;
    const known = root === 'channels' ? channels : messages;
    if (below !== undefined && !known.some((each) => each.id === Number(id))) return [404];
    const show = ({ id: own, text: shown }: (typeof messages)[number]) => {
      return { id: own, text: shown, replies: at(`messages ${own}`).length };
    };
    const counted = (each: (typeof messages)[number]) => {
      return { ...show(each), replies: countOf(show(each).replies) };
    };
    if (method === 'GET') return [200, below === undefined ? channels : at(parent).map(counted)];
    if (!isJsonObject(body) || typeof body.text !== 'string') return [400];
    const { text: sent } = body;
    if (below === undefined) {
      channels.push({ id: channels.length + 1, text: sent });
      return [201, channels.at(-1)];
    }
    const added = { id: messages.length + 1, parent, text: sent };
    messages.push(added);
    return [201, show(added)];
  };
}

test('a count may grow with what other operations add', async () => {
  expect(
    await judgeTwice(
      await load(),
      createChat((count) => count),
    ),
  ).toEqual([]);
});

test('a list that shows another count than the addition fails', async () => {
  const failed = await judgeTwice(
    await load(),
    createChat((count) => count + 1),
  );
  expect(failed).toContain('listMessages/state.read.replies');
});
