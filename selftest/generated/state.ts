import { schemaAt } from '../../contract/resource/item-view.ts';
import { valueAt, withoutMember, withValueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { readJson } from '../../conformance/index.ts';
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
  type Workshop,
} from './layer.ts';
import { repaired } from './request.ts';

/** What the server stores, forgets, mixes up or stores though it refused. */
export function* breakState(
  subject: Subject<'state'>,
  operation: Operation,
  workshop: Workshop,
): Faults {
  const collection = workshop.collectionOf(operation);
  if (collection === undefined) {
    if (subject.facet === 'stored')
      yield [
        'answers as if it changed the item, which stays as it is',
        () => staleSingle(operation),
      ];
    return;
  }
  const { resource, idPlace } = collection;
  const isOwn = (call: Call): boolean => call.operation === operation;
  const isDone = (call: Call, reply: Reply): boolean => isOwn(call) && reply.status < 300;
  const view = resource.viewOf(operation);
  switch (subject.facet) {
    case 'echo':
    case 'read': {
      const { member } = subject;
      const schema = view?.item.shape().properties.get(member);
      if (schema === undefined) return;
      const other = createOther(schema);
      const { value: preset } = sampleSchema(schema, { direction: 'response' });
      // What the mock never fills has one value everywhere.
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
      // A list may show a part of each item.
      const isPart = view?.isList !== false || view.item.shape().required.has(member);
      if (member !== idPlace[0] && !isPart)
        yield [`leaves out ${member}`, filling((item) => withoutMember(item, [member]))];
      return;
    }
    case 'spaces': {
      const { member } = subject;
      const trim = ({ request }: Call) => {
        const trimmed = changeAt(readJson(request.body) ?? null, [member], (value) =>
          typeof value === 'string' ? value.trim() : value,
        );
        return trimmed === undefined ? request : { ...request, body: renderJson(trimmed) };
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
          serve(status === 401 ? workshop.withKey(call) : repaired(call, workshop));
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
    case 'listed': {
      // A list without a limit may be a page, of one item at least.
      if (resource.certain?.limit === undefined)
        return yield ['returns an empty list', () => collection.changing(isOwn, () => undefined)];
      const hide = (every: number) => () =>
        collection.hiding(workshop, hideAdded(collection, every), ['list']);
      yield ['leaves added items out of lists', hide(1)];
      return yield ['leaves every third added item out of lists', hide(3)];
    }
    case 'readable':
      yield [
        'does not find added items',
        () => collection.hiding(workshop, hideAdded(collection), ['get']),
      ];
      return yield [
        'finds no item',
        () =>
          replying((reply, call) =>
            isDone(call, reply) ? workshop.reply(operation, 404, reply) : reply,
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
      return yield ['gives the identifier of an earlier item', repeating];
    }
    case 'id-fresh':
      return yield ['gives the identifier of a removed item again', () => reusing(collection)];
    case 'id-assigned':
      return yield [
        'takes the identifier that a client sends',
        () =>
          replying((reply, call) => {
            const sent = isOwn(call) ? valueAt(readJson(call.request.body), idPlace) : undefined;
            return sent === undefined
              ? reply
              : collection.mapItems(operation, reply, (item) => withValueAt(item, idPlace, sent));
          }),
      ];
    case 'stored':
      return yield [
        'answers as if it changed the item, which stays as it is',
        () => stale(collection, operation),
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
        return yield* breakOthers(collection, operation);
      const removing = (): Layer =>
        collection.hiding(workshop, (call, reply, hidden, seen) => {
          if (!isDone(call, reply)) return;
          const other = seen.findLast((each) => each !== call.id && !hidden.has(each));
          if (other !== undefined) hidden.add(other);
        });
      return yield ['removes another item as well', removing];
    }
    case 'removed': {
      const keeping = (): Layer => {
        const known = new Set<string>();
        return (call, serve) => {
          if (isOwn(call) && call.id !== undefined && known.has(call.id))
            return workshop.successReply(operation, serve({ ...call.request, method: 'GET' }));
          const reply = serve(call.request);
          for (const [id] of collection.listItems(call.operation, reply)) known.add(id);
          return reply;
        };
      };
      yield ['answers as if it removed the item, which stays', keeping];
    }
  }
}

/** A list with its first item in the place of its last. */
function repeatFirst(items: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(items) && items.length > 1
    ? [...items.slice(0, -1), ...items.slice(0, 1)]
    : items;
}

/** Hides every n-th item that is added. */
function hideAdded(collection: Collection, every = 1) {
  let count = 0;
  return ({ operation }: Call, reply: Reply, hidden: Set<string>): void => {
    if (collection.roleOf(operation) !== 'create') return;
    for (const [id] of collection.listItems(operation, reply)) {
      count += 1;
      if (count % every === 0) hidden.add(id);
    }
  };
}

/** A member that a change does not send is changed by it. */
function* breakOthers(collection: Collection, operation: Operation): Faults {
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
        const body = readJson(call.request.body);
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

/** Shows items as they were before a change. */
function stale(collection: Collection, operation: Operation): Layer {
  const shown = new Map<string, JsonObject>();
  const frozen = new Set<string>();
  return replying((reply, call) => {
    const role = collection.roleOf(call.operation);
    if (role === undefined) return reply;
    if (call.operation === operation) {
      if (call.id !== undefined && reply.status < 300 && shown.has(call.id)) frozen.add(call.id);
      return reply;
    }
    const isRead = role === 'list' || role === 'get';
    if (isRead || role === 'create')
      for (const [id, item] of collection.listItems(call.operation, reply))
        if (!frozen.has(id)) shown.set(id, item);
    return isRead
      ? collection.mapItems(call.operation, reply, (item, id) =>
          frozen.has(id) ? (shown.get(id) ?? item) : item,
        )
      : reply;
  });
}

/** Shows the one item of a path as it was before a change. */
function staleSingle(operation: Operation): Layer {
  let before: Reply | undefined;
  let isFrozen = false;
  return replying((reply, call) => {
    if (call.operation === operation) isFrozen ||= before !== undefined && reply.status < 300;
    if (call.operation?.method !== 'GET' || call.operation.path !== operation.path) return reply;
    if (!isFrozen && reply.status < 300) before = reply;
    return isFrozen && reply.status < 300 ? (before ?? reply) : reply;
  });
}

/** Shows the next added item under the identifier of a removed one. */
function reusing(collection: Collection): Layer {
  const { idPlace } = collection;
  let free: JsonValue | undefined;
  const known = new Map<string, JsonValue>();
  /** By the identifier that is shown: the one that the server knows. */
  const names = new Map<string, { readonly real: string; readonly shown: JsonValue }>();
  return ({ request, operation, id = '' }, serve) => {
    const role = collection.roleOf(operation);
    const named = role === undefined ? undefined : names.get(id);
    const [before, after] = [id, named?.real ?? id].map((each) => `/${encodeURIComponent(each)}`);
    const url = named && before && after ? request.url.replace(before, after) : request.url;
    const reply = serve({ ...request, url });
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

/** What is added or changed at the same time. */
export function* breakConcurrency(
  facet: 'unique' | 'stored',
  operation: Operation,
  workshop: Workshop,
): Faults {
  const collection = workshop.collectionOf(operation);
  if (collection === undefined) return;
  const { idPlace } = collection;
  if (facet === 'unique') {
    const sameId = (): Layer => {
      let first: JsonValue | undefined;
      return together(operation, (reply, isLate, call) =>
        collection.mapItems(call.operation, reply, (item) => {
          if (isLate && first !== undefined) return withValueAt(item, idPlace, first);
          if (call.operation === operation) first = valueAt(item, idPlace);
          return item;
        }),
      );
    };
    return yield ['gives one identifier to items added at the same time', sameId];
  }
  if (collection.roleOf(operation) === 'create') {
    const losing = (): Layer => {
      const hide = hideAdded(collection);
      let isLate = false;
      const hiding = collection.hiding(workshop, (call, reply, hidden) => {
        if (isLate) hide(call, reply, hidden);
      });
      return together(operation, (reply, late, call) => {
        isLate = late;
        return hiding(call, () => reply);
      });
    };
    return yield ['stores only the first of items added at the same time', losing];
  }
  const losing = (): Layer => {
    const forget = stale(collection, operation);
    return together(operation, (reply, isLate, call) =>
      call.operation === operation && !isLate ? reply : forget(call, () => reply),
    );
  };
  yield ['loses all but the first of several changes at the same time', losing];
}

/**
 * Changes replies. Of requests to an operation that are under way at once, all but the first are
 * late.
 */
function together(
  operation: Operation,
  change: (reply: Reply, isLate: boolean, call: Call) => ReturnType<Layer>,
): Layer {
  let underWay = 0;
  return async (call, serve) => {
    if (call.operation !== operation) return await change(serve(call.request), false, call);
    underWay += 1;
    const isLate = underWay > 1;
    await new Promise((resolve) => void setImmediate(resolve));
    try {
      return await change(serve(call.request), isLate, call);
    } finally {
      await new Promise((resolve) => void setImmediate(resolve));
      underWay -= 1;
    }
  };
}

/** Makes another value than one that is given: of the schema, as far as it has others. */
function createOther(schema: SchemaNode): (value: JsonValue) => JsonValue {
  const fits = (value: JsonValue): boolean => schema.validate(value).length === 0;
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
