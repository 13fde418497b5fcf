import { schemaAt } from '../../contract/resource/item-view.ts';
import { sentPlace } from '../../contract/resource/resource.ts';
import { valueAt, withoutMember, withValueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  renderJson,
} from '../../contract/json/value.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { readSentBody, type WireRequest } from '../../conformance/index.ts';
import {
  type Call,
  changeAt,
  changeBody,
  type Collection,
  type Faults,
  type Layer,
  replying,
  type Reply,
  requesting,
  type Subject,
  undoing,
  type FaultContext,
} from './layer.ts';
import { repaired, withBody } from './request.ts';

/** Stores wrongly, forgets or mixes up items, or stores what it refused. */
export function* breakState(
  subject: Subject<'state'>,
  operation: Operation,
  context: FaultContext,
): Faults {
  const isOwn = (call: Call): boolean => call.operation === operation;
  const bodyOf = (request: WireRequest): JsonValue | undefined =>
    readSentBody(operation, request).body;
  const isDone = (call: Call, reply: Reply): boolean => isOwn(call) && reply.status < 300;
  if (subject.facet === 'stored')
    return yield ['answers as if it changed the item, which stays as it is', () => undoing(isDone)];
  const collection = context.collectionOf(operation);
  if (collection === undefined) return;
  const { resource, idPlace } = collection;
  const view = resource.viewOf(operation);
  const place = sentPlace(context.contract.resources, operation);
  switch (subject.facet) {
    case 'echo':
    case 'read': {
      const { member } = subject;
      const schema = view?.item.shape().properties.get(member);
      if (schema === undefined) return;
      const other = createOther(schema);
      const { value: preset } = sampleSchema(schema, { direction: 'response' });
      // A member that the mock never fills has the same value everywhere.
      const filling = (change: (item: JsonObject) => JsonObject) => (): Layer =>
        replying((reply, call) =>
          collection.mapItems(call.operation, reply, (item) => {
            const filled = { [member]: preset, ...item };
            return isOwn(call) ? change(filled) : filled;
          }),
        );
      yield [
        `returns another ${member}`,
        filling((item) => ({ ...item, [member]: other(item[member] ?? null) })),
      ];
      // A list may show only part of each item.
      const isPart = view?.isList !== false || view.item.shape().required.has(member);
      if (member !== idPlace[0] && !isPart)
        yield [`leaves out ${member}`, filling((item) => withoutMember(item, [member]))];
      return;
    }
    case 'spaces': {
      const { member } = subject;
      const trim = ({ request }: Call) => {
        const trimmed = changeAt(bodyOf(request) ?? null, [...place, member], (value) =>
          typeof value === 'string' ? value.trim() : value,
        );
        return trimmed === undefined
          ? request
          : withBody(request, trimmed, memberContent(operation));
      };
      return yield [
        `trims ${member}`,
        () => requesting((call) => (isOwn(call) ? trim(call) : call.request)),
      ];
    }
    case 'not-written': {
      const { status } = subject;
      const write: Layer = replying((reply, call, serve) => {
        if (isOwn(call) && reply.status === status)
          serve(status === 401 ? context.withKey(call) : repaired(call, context));
        return reply;
      });
      return yield [`does what it refuses with ${status}`, () => write];
    }
    case 'distinct':
      return yield [
        'lists the first item twice',
        () =>
          replying((reply, call) =>
            view && isDone(call, reply)
              ? changeBody(reply, (body) => changeAt(body, view.place, repeatFirst))
              : reply,
          ),
      ];
    case 'own-parent':
      return yield [
        'lists the items that were added to any parent',
        () => {
          const added: JsonValue[] = [];
          return replying((reply, call) => {
            const role = collection.roleOf(call.operation);
            if (role === 'create')
              added.push(...collection.listItems(call.operation, reply).map(([, item]) => item));
            if (view === undefined || !isDone(call, reply)) return reply;
            return changeBody(reply, (body) =>
              changeAt(body, view.place, (items) => [
                ...(isJsonArray(items) ? items : []),
                ...added,
              ]),
            );
          });
        },
      ];
    case 'listed': {
      // A list without a limit may be a page, of at least one item.
      if (resource.certain?.limit === undefined)
        return yield ['returns an empty list', () => collection.changing(isOwn, () => undefined)];
      yield ['leaves added items out of lists', () => hideAdded(collection, 'list', context)];
      return yield [
        'leaves every third added item out of lists',
        () => hideAdded(collection, 'list', context, 3),
      ];
    }
    case 'readable':
      yield ['does not find added items', () => hideAdded(collection, 'get', context)];
      return yield [
        'finds no item',
        () =>
          replying((reply, call) =>
            isDone(call, reply) ? context.reply(operation, 404, reply) : reply,
          ),
      ];
    case 'id-unique': {
      const repeating = (): Layer => {
        let first: JsonValue | undefined;
        return collection.changing(isOwn, (item) => {
          first ??= valueAt(item, idPlace);
          return first === undefined ? item : withValueAt(item, idPlace, first);
        });
      };
      yield ['gives the identifier of an earlier item', repeating];
      const chosen = schemaAt(memberContent(operation)?.schema, [...place, ...idPlace]);
      if (chosen === undefined || chosen.shape().readOnly) return;
      const accepting = (): Layer => {
        let last: Reply | undefined;
        return replying((reply, call) => {
          if (!isOwn(call)) return reply;
          if (reply.status < 300) last = reply;
          const sent = valueAt(bodyOf(call.request), [...place, ...idPlace]);
          if (reply.status !== 409 || last === undefined || sent === undefined) return reply;
          return collection.mapItems(operation, last, (item) => withValueAt(item, idPlace, sent));
        });
      };
      return yield ['accepts an identifier that is taken', accepting];
    }
    case 'id-fresh':
      return yield ['gives the identifier of a removed item again', () => reusing(collection)];
    case 'id-assigned':
      return yield [
        'takes the identifier that a client sends',
        () =>
          replying((reply, call) => {
            const whole = isOwn(call) ? bodyOf(call.request) : undefined;
            const sent = valueAt(whole, [...place, ...idPlace]);
            return sent === undefined
              ? reply
              : collection.mapItems(operation, reply, (item) => withValueAt(item, idPlace, sent));
          }),
      ];
    case 'created':
      for (const [from, to] of [
        [200, 201],
        [204, 201],
        [201, 200],
      ] as const)
        if (documentedResponse(operation, from) !== undefined)
          yield [
            `returns ${to} instead of ${from}`,
            () =>
              replying((reply, call) =>
                isOwn(call) && reply.status === from ? { ...reply, status: to } : reply,
              ),
          ];
      return;
    case 'id-kept': {
      const schema = resource.certain && schemaAt(resource.certain.item, idPlace);
      const other = schema && createOther(schema);
      const renaming = (): Layer => {
        const changed = new Set<string>();
        return replying((reply, call) => {
          if (call.id !== undefined && isDone(call, reply)) changed.add(call.id);
          return collection.mapItems(call.operation, reply, (item, id) =>
            other && changed.has(id)
              ? withValueAt(item, idPlace, other(valueAt(item, idPlace) ?? null))
              : item,
          );
        });
      };
      return yield ['returns the item under another identifier', renaming];
    }
    case 'others-kept': {
      if (collection.roleOf(operation) !== 'remove')
        return yield* breakOthers(collection, operation, place);
      const removing = (): Layer => {
        const known = new Set<string>();
        return replying((reply, call, serve) => {
          for (const [id] of collection.listItems(call.operation, reply)) known.add(id);
          if (!isDone(call, reply)) return reply;
          known.delete(call.id ?? '');
          const [other] = [...known].slice(-1);
          if (other !== undefined) serve(renamed(call, other));
          known.delete(other ?? '');
          return reply;
        });
      };
      return yield ['removes another item as well', removing];
    }
    case 'removed':
      yield ['answers as if it removed the item, which stays', () => undoing(isDone)];
  }
}

/** A list with its first item repeated in the last place. */
function repeatFirst(items: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(items) && items.length > 1
    ? [...items.slice(0, -1), ...items.slice(0, 1)]
    : items;
}

/** Hides every n-th added item from lists, or from reads. */
function hideAdded(
  collection: Collection,
  place: 'list' | 'get',
  context: FaultContext,
  every = 1,
): Layer {
  const hidden = new Set<string>();
  let count = 0;
  return replying((reply, call) => {
    const { operation, id = '' } = call;
    const role = collection.roleOf(operation);
    if (role === 'create' && reply.status < 300 && (count += 1) % every === 0)
      for (const [each] of collection.listItems(operation, reply)) hidden.add(each);
    if (operation === undefined || role !== place) return reply;
    if (place === 'get')
      return hidden.has(id) && reply.status < 300 ? context.reply(operation, 404, reply) : reply;
    return collection.mapItems(operation, reply, (item, each) =>
      hidden.has(each) ? undefined : item,
    );
  });
}

/** The same request for another item: its id is the last path segment. */
function renamed({ request, id = '' }: Call, other: string): WireRequest {
  const { url } = request;
  const [own, wanted] = [id, other].map((each) => `/${encodeURIComponent(each)}`);
  const at = own === undefined ? -1 : url.lastIndexOf(own);
  if (own === undefined || at < 0) return request;
  return { ...request, url: url.slice(0, at) + wanted + url.slice(at + own.length) };
}

/** Changes a member that the request does not send. */
function* breakOthers(
  collection: Collection,
  operation: Operation,
  place: readonly string[],
): Faults {
  const { certain } = collection.resource;
  const [found] = [...(certain?.item.shape().properties ?? [])].filter(
    ([name, schema]) => name !== collection.idPlace[0] && !schema.shape().readOnly,
  );
  if (found === undefined) return;
  const [member, schema] = found;
  const other = createOther(schema);
  const spoiling = (): Layer => {
    const changed = new Set<string>();
    return replying((reply, call) => {
      if (call.operation === operation && call.id !== undefined && reply.status < 300) {
        const body = valueAt(readSentBody(operation, call.request).body, place);
        if (isJsonObject(body) && ownMember(body, member) === undefined) changed.add(call.id);
        else changed.delete(call.id);
      }
      return collection.mapItems(call.operation, reply, (item, id) => {
        const value = ownMember(item, member);
        return value === undefined || !changed.has(id) ? item : { ...item, [member]: other(value) };
      });
    });
  };
  yield [`changes ${member} where it is not sent`, spoiling];
}

/** Gives the next added item the id of a removed one. */
function reusing(collection: Collection): Layer {
  const { idPlace } = collection;
  let free: JsonValue | undefined;
  const known = new Map<string, JsonValue>();
  /** By the shown id: the id that the server knows. */
  const names = new Map<string, { readonly real: string; readonly shown: JsonValue }>();
  return (call, serve) => {
    const { operation, id = '' } = call;
    const role = collection.roleOf(operation);
    const named = role === undefined ? undefined : names.get(id);
    const reply = serve(named === undefined ? call.request : renamed(call, named.real));
    if (role === 'remove' && reply.status < 300 && named === undefined) free ??= known.get(id);
    return collection.mapItems(operation, reply, (item, real) => {
      known.set(real, valueAt(item, idPlace) ?? null);
      if (role === 'create' && free !== undefined) {
        names.set(typeof free === 'string' ? free : renderJson(free), { real, shown: free });
        free = undefined;
      }
      const alias = [...names.values()].find((each) => each.real === real);
      return alias === undefined ? item : withValueAt(item, idPlace, alias.shown);
    });
  };
}

/** Breaks concurrent additions or changes. */
export function* breakConcurrency(
  facet: 'unique' | 'stored',
  operation: Operation,
  context: FaultContext,
): Faults {
  const collection = context.collectionOf(operation);
  if (collection === undefined) return;
  const { idPlace } = collection;
  if (facet === 'stored')
    return yield [
      'keeps only the first of what is sent at the same time',
      () => together(operation, pass, undoing(isAny)),
    ];
  const sameId = (): Layer => {
    let first: JsonValue | undefined;
    return together(
      operation,
      collection.changing(isAny, (item) => {
        first = valueAt(item, idPlace);
        return item;
      }),
      collection.changing(isAny, (item) =>
        first === undefined ? item : withValueAt(item, idPlace, first),
      ),
    );
  };
  yield ['gives one identifier to items added at the same time', sameId];
}

const pass: Layer = (call, serve) => serve(call.request);

const isAny = (): boolean => true;

/** Delays all but the first of concurrent requests to an operation. */
function together(operation: Operation, first: Layer, late: Layer): Layer {
  let underWay = 0;
  return async (call, ...server) => {
    if (call.operation !== operation) return await pass(call, ...server);
    underWay += 1;
    const layer = underWay > 1 ? late : first;
    await new Promise((resolve) => void setImmediate(resolve));
    try {
      return await layer(call, ...server);
    } finally {
      await new Promise((resolve) => void setImmediate(resolve));
      underWay -= 1;
    }
  };
}

/**
 * Returns a function that changes a value into a different one of the schema, as far as there are others.
 */
function createOther(schema: SchemaNode): (value: JsonValue) => JsonValue {
  const fits = (value: JsonValue): boolean => schema.isValid(value);
  const samples = ['a', 'b', 'c'].map(
    (seed) => sampleSchema(schema, { direction: 'response', seed }).value,
  );
  const all = [...samples, ...(schema.shape().values ?? [])].filter(fits);
  return (value) => {
    const near =
      typeof value === 'string'
        ? [`${value}x`, value.slice(0, -1)]
        : typeof value === 'number' || typeof value === 'bigint'
          ? [typeof value === 'bigint' ? value - 1n : value + 1, Number(value) - 1]
          : typeof value === 'boolean'
            ? [!value]
            : [];
    const others = [...near.filter(fits), ...all, 'other', null];
    return others.find((each) => renderJson(each) !== renderJson(value)) ?? null;
  };
}
