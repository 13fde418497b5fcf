import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import { headerOf } from '../../conformance/index.ts';
import {
  changeAt,
  changeBody,
  changeHeader,
  type Layer,
  replying,
  type Reply,
  type FaultContext,
} from './layer.ts';
import { schemaPointer } from './schema-check.ts';

/** A server of a contract with behaviour that no document forbids: the suite must not fail it. */
export interface GeneratedVariant {
  /** What it does, in words that follow "a server that". */
  readonly habit: string;
  readonly layer: Layer;
}

function having(
  habit: string,
  change: (reply: Reply, operation: Operation | undefined) => Reply,
): GeneratedVariant {
  return { habit, layer: replying((reply, { operation }) => change(reply, operation)) };
}

/** Valid behaviour of a server of any document. */
export function generateVariants(context: FaultContext): readonly GeneratedVariant[] {
  const writing = (habit: string, change: (token: string) => string): GeneratedVariant =>
    having(habit, (reply) =>
      isJson(reply) ? { ...reply, body: reply.body.replaceAll(jsonToken, change) } : reply,
    );
  return [
    writing('puts white space between all tokens', (token) => `\r\n\t ${token} `),
    writing('escapes every character', (token) =>
      token.startsWith('"') ? escapeAll(JSON.parse(token)) : token,
    ),
    writing('writes integers with a fraction, as 1.0', (token) =>
      /^-?\d+$/.test(token) ? `${token}.0` : token,
    ),
    having('writes the members of objects backwards', (reply) =>
      isJson(reply) ? changeBody(reply, reverse) : reply,
    ),
    having('writes header names in capitals, and sends headers that nobody asked for', (reply) => ({
      ...reply,
      headers: [...further, ...reply.headers].map(([name, value]) => [name.toUpperCase(), value]),
    })),
    having('writes its content type in another case, with a parameter', (reply) =>
      changeHeader(reply, 'content-type', (type) =>
        type === 'application/json' ? 'Application/JSON;charset="UTF-8"' : type,
      ),
    ),
    having('returns further members where the schema allows them', (reply, operation) =>
      extend(reply, operation, context),
    ),
    having('lists items in the opposite order, without optional members', (reply, operation) =>
      shorten(reply, operation, context),
    ),
  ];
}

const further = [
  ['Via', '1.1 edge'],
  ['X-Request-Id', '00-4bf92f'],
  ['Vary', 'Authorization'],
  ['Set-Cookie', 'node=a; Path=/; HttpOnly'],
] as const;

/** Strings, numbers and punctuation; words are between punctuation. */
const jsonToken = /"(?:[^"\\]|\\.)*"|-?[\d.]+(?:[eE][+-]?\d+)?|[[\]{},:]/g;

function reverse(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(reverse);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member = null]) => [name, reverse(member)]);
  return Object.fromEntries(members.toReversed());
}

function escapeAll(value: string): string {
  const units = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

function isJson({ headers, body }: Reply): boolean {
  return body !== '' && /^application\/json\b/i.test(headerOf({ headers }, 'content-type') ?? '');
}

function addMember(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value)
    ? { ...value, furtherMember: { id: null, status: 'unknown', items: [] } }
    : value;
}

/** An additional member in the body, or in each of its items, if Ajv accepts that. */
function extend(reply: Reply, operation: Operation | undefined, { check }: FaultContext): Reply {
  const response = operation && documentedResponse(operation, reply.status);
  const media = response && jsonContent(response.content);
  if (media?.schema === undefined) return reply;
  return changeBody(reply, (body) => {
    const more = isJsonArray(body) ? changeAt(body, ['[]'], addMember) : addMember(body);
    if (more === undefined) return undefined;
    const flaws = check.find(schemaPointer(media), 'response', more);
    return flaws?.length === 0 ? more : undefined;
  });
}

/** A list may show only part of each item, in any order. */
function shorten(reply: Reply, operation: Operation | undefined, context: FaultContext): Reply {
  if (operation === undefined) return reply;
  const collection = context.collectionOf(operation);
  const view = collection?.resource.viewOf(operation);
  if (view?.isList !== true || collection === undefined) return reply;
  const { required } = view.item.shape();
  const isKept = (name: string): boolean => required.has(name) || name === collection.idPlace[0];
  const short = collection.mapItems(operation, reply, (item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name))),
  );
  return changeBody(short, (body) =>
    changeAt(body, view.place, (items) => (isJsonArray(items) ? items.toReversed() : items)),
  );
}
