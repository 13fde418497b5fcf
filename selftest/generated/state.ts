import { schemaAt } from '../../contract/resource/item-view.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Requirement } from '../../conformance/index.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import {
  type Call,
  changeAt,
  changeBody,
  type Faults,
  jsonBody,
  type Layer,
  type Reply,
  type Workshop,
} from './layer.ts';
import {
  changingItems,
  type Collection,
  findCollection,
  hidingLayer,
  listItems,
  mapItems,
  roleOf,
} from './collection.ts';
import { repaired } from './request.ts';

type Subject<Kind> = Extract<Requirement['subject'], { readonly kind: Kind }>;

/** What the server stores, forgets, mixes up or stores though it refused. */
export function* breakState(
  subject: Subject<'state'>,
  operation: Operation,
  workshop: Workshop,
): Faults {
  const collection = findCollection(workshop, operation);
  if (collection === undefined) return;
  const { resource, idPlace } = collection;
  const isOwn = (call: Call): boolean => call.operation === operation;
  const view = resource.viewOf(operation);
  const { facet } = subject;
  switch (facet) {
    case 'echo':
    case 'read': {
      const { member } = subject;
      const schema = view?.item.shape().properties.get(member);
      if (schema === undefined) return;
      const other = createOther(schema);
      const { value: preset } = sampleSchema(schema, { direction: 'response' });
      // What the mock never fills has one value everywhere.
      const filled = (item: JsonObject): JsonObject => ({ [member]: preset, ...item });
      const filling =
        (change: (item: JsonObject) => JsonObject): Layer =>
        (call, serve) => {
          const show = (item: JsonObject) => (isOwn(call) ? change(filled(item)) : filled(item));
          return changingItems(collection, () => true, show)(call, serve);
        };
      yield {
        kind: 'other',
        fault: `returns another ${member}`,
        layer: () => filling((item) => ({ ...item, [member]: other(item[member] ?? null) })),
      };
      // A list may show a part of each item.
      if (
        member !== idPlace[0] &&
        view?.isList === false &&
        !view.item.shape().required.has(member)
      )
        yield {
          kind: 'left-out',
          fault: `leaves out ${member}`,
          layer: () =>
            filling((item) => {
              const { [member]: _left, ...others } = item;
              return others;
            }),
        };
      return;
    }
    case 'spaces': {
      const { member } = subject;
      yield {
        kind: 'trimmed',
        fault: `trims ${member}`,
        layer: () => (call, serve) => {
          const body = isOwn(call) ? jsonBody(call.request) : undefined;
          const trimmed =
            body &&
            changeAt(body, [member], (value) => (typeof value === 'string' ? value.trim() : value));
          return serve(
            trimmed === undefined ? call.request : { ...call.request, body: renderJson(trimmed) },
          );
        },
      };
      return;
    }
    case 'not-written': {
      const { status } = subject;
      yield {
        kind: 'written',
        fault: `does what it refuses with ${status}`,
        layer: () => (call, serve) => {
          const reply = serve(call.request);
          if (!isOwn(call) || reply.status !== status) return reply;
          serve(status === 401 ? workshop.withKey(call) : repaired(call, workshop));
          return reply;
        },
      };
      return;
    }
    case 'distinct':
      yield {
        kind: 'twice',
        fault: 'lists the first item twice',
        layer: () => (call, serve) => {
          const reply = serve(call.request);
          if (!isOwn(call) || view === undefined || reply.status >= 300) return reply;
          return changeBody(reply, (body) =>
            changeAt(body, view.place, (items) =>
              items !== undefined && isJsonArray(items) && items.length > 1
                ? [...items.slice(0, -1), ...items.slice(0, 1)]
                : items,
            ),
          );
        },
      };
      return;
    case 'listed':
      // A list without a limit may be a page, of one item at least.
      if (resource.certain?.limit === undefined)
        return yield {
          kind: 'empty',
          fault: 'returns an empty list',
          layer: () => changingItems(collection, isOwn, () => undefined),
        };
      yield {
        kind: 'missing',
        fault: 'leaves added items out of lists',
        layer: () => hidingLayer(collection, workshop, hideAdded(collection), ['list']),
      };
      yield {
        kind: 'third',
        fault: 'leaves every third added item out of lists',
        layer: () => hidingLayer(collection, workshop, hideAdded(collection, 3), ['list']),
      };
      return;
    case 'readable':
      yield {
        kind: 'added',
        fault: 'does not find added items',
        layer: () => hidingLayer(collection, workshop, hideAdded(collection), ['get']),
      };
      yield {
        kind: 'all',
        fault: 'finds no item',
        layer: () => (call, serve) => {
          const reply = serve(call.request);
          return isOwn(call) && reply.status < 300 ? workshop.reply(operation, 404, reply) : reply;
        },
      };
      return;
    case 'id-unique':
      yield {
        kind: 'repeated',
        fault: 'gives the identifier of an earlier item',
        layer: () => {
          let first: JsonValue | undefined;
          return changingItems(collection, isOwn, (item) => {
            first ??= valueAt(item, idPlace);
            return first === undefined ? item : withValueAt(item, idPlace, first);
          });
        },
      };
      return;
    case 'id-fresh':
      yield {
        kind: 'reused',
        fault: 'gives the identifier of a removed item again',
        layer: () => reusing(collection),
      };
      return;
    case 'id-assigned':
      yield {
        kind: 'taken',
        fault: 'takes the identifier that a client sends',
        layer: () => (call, serve) => {
          const reply = serve(call.request);
          const body = isOwn(call) ? jsonBody(call.request) : undefined;
          const sent = valueAt(body, idPlace);
          return sent === undefined
            ? reply
            : mapItems(collection, operation, reply, (item) => withValueAt(item, idPlace, sent));
        },
      };
      return;
    case 'stored':
      yield {
        kind: 'forgotten',
        fault: 'answers as if it changed the item, which stays as it is',
        layer: () => stale(collection, operation),
      };
      return;
    case 'id-kept':
      yield {
        kind: 'changed',
        fault: 'returns the item under another identifier',
        layer: () => {
          const schema = resource.certain && schemaAt(resource.certain.item, idPlace);
          const other = schema && createOther(schema);
          const changed = new Set<string>();
          return (call, serve) => {
            const reply = serve(call.request);
            if (call.operation === undefined || other === undefined) return reply;
            if (isOwn(call) && call.id !== undefined && reply.status < 300) changed.add(call.id);
            return mapItems(collection, call.operation, reply, (item, id) =>
              changed.has(id)
                ? withValueAt(item, idPlace, other(valueAt(item, idPlace) ?? null))
                : item,
            );
          };
        },
      };
      return;
    case 'others-kept':
      if (roleOf(collection, operation) === 'remove')
        yield {
          kind: 'another',
          fault: 'removes another item as well',
          layer: () =>
            hidingLayer(collection, workshop, (call, reply, hidden, seen) => {
              if (!isOwn(call) || reply.status >= 300) return;
              const other = seen.findLast((each) => each !== call.id && !hidden.has(each));
              if (other !== undefined) hidden.add(other);
            }),
        };
      else yield* breakOthers(collection, operation);
      return;
    case 'removed':
      yield {
        kind: 'kept',
        fault: 'answers as if it removed the item, which stays',
        layer: () => {
          const known = new Set<string>();
          return (call, serve) => {
            if (isOwn(call) && call.id !== undefined && known.has(call.id))
              return workshop.successReply(operation, serve({ ...call.request, method: 'GET' }));
            const reply = serve(call.request);
            if (call.operation && roleOf(collection, call.operation))
              for (const [id] of listItems(collection, call.operation, reply)) known.add(id);
            return reply;
          };
        },
      };
  }
}

/** Hides every n-th item that is added. */
function hideAdded(collection: Collection, every = 1) {
  let count = 0;
  return (call: Call, reply: Reply, hidden: Set<string>): void => {
    if (call.operation === undefined || roleOf(collection, call.operation) !== 'create') return;
    for (const [id] of listItems(collection, call.operation, reply)) {
      count += 1;
      if (count % every === 0) hidden.add(id);
    }
  };
}

/** A member that a change does not send is changed by it. */
function* breakOthers(collection: Collection, operation: Operation): Faults {
  const members = [...(collection.resource.certain?.item.shape().properties ?? [])].filter(
    ([name, schema]) => name !== collection.idPlace[0] && !schema.shape().readOnly,
  );
  for (const [member, schema] of members) {
    const other = createOther(schema);
    yield {
      kind: member,
      fault: `changes ${member} where it is not sent`,
      layer: () => {
        const changed = new Set<string>();
        return (call, serve) => {
          const reply = serve(call.request);
          if (call.operation === undefined || roleOf(collection, call.operation) === undefined)
            return reply;
          const body = jsonBody(call.request);
          if (call.operation === operation && call.id !== undefined && reply.status < 300) {
            if (isJsonObject(body) && ownMember(body, member) === undefined) changed.add(call.id);
            else changed.delete(call.id);
          }
          return mapItems(collection, call.operation, reply, (item, id) => {
            const value = ownMember(item, member);
            const wrong = value === undefined || !changed.has(id) ? undefined : other(value);
            return wrong === undefined ? item : { ...item, [member]: wrong };
          });
        };
      },
    };
    return;
  }
}

/** Shows items as they were before a change. */
function stale(collection: Collection, operation: Operation): Layer {
  const shown = new Map<string, JsonObject>();
  const frozen = new Set<string>();
  return (call, serve) => {
    const role = roleOf(collection, call.operation);
    const reply = serve(call.request);
    if (call.operation === undefined || role === undefined) return reply;
    if (call.operation === operation) {
      if (call.id !== undefined && reply.status < 300 && shown.has(call.id)) frozen.add(call.id);
      return reply;
    }
    if (role === 'list' || role === 'get' || role === 'create')
      for (const [id, item] of listItems(collection, call.operation, reply))
        if (!frozen.has(id)) shown.set(id, item);
    if (role !== 'list' && role !== 'get') return reply;
    return mapItems(collection, call.operation, reply, (item, id) =>
      frozen.has(id) ? (shown.get(id) ?? item) : item,
    );
  };
}

/** Shows the next added item under the identifier of a removed one. */
function reusing(collection: Collection): Layer {
  const { idPlace } = collection;
  let free: JsonValue | undefined;
  const known = new Map<string, JsonValue>();
  const names = new Map<string, { readonly real: string; readonly shown: JsonValue }>();
  return (call, serve) => {
    const role = roleOf(collection, call.operation);
    const { operation, id } = call;
    if (operation === undefined || role === undefined) return serve(call.request);
    const named = id === undefined ? undefined : names.get(id);
    const url =
      named === undefined || id === undefined
        ? call.request.url
        : call.request.url.replace(
            `/${encodeURIComponent(id)}`,
            `/${encodeURIComponent(named.real)}`,
          );
    const reply = serve({ ...call.request, url });
    if (role === 'remove' && reply.status < 300 && id !== undefined && named === undefined)
      free ??= known.get(id);
    return mapItems(collection, operation, reply, (item, real) => {
      const own = valueAt(item, idPlace) ?? null;
      known.set(real, own);
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
  const collection = findCollection(workshop, operation);
  if (collection === undefined) return;
  const isCreate = roleOf(collection, operation) === 'create';
  if (!isCreate && facet === 'stored') {
    yield {
      kind: 'lost',
      fault: 'loses all but the first of several changes at the same time',
      layer: () => {
        const layer = stale(collection, operation);
        return together(
          operation,
          (call, serve) => layer(call, serve),
          (call, serve) =>
            call.operation === operation ? serve(call.request) : layer(call, serve),
        );
      },
    };
    return;
  }
  const { idPlace } = collection;
  yield {
    kind: facet === 'unique' ? 'same-id' : 'lost',
    fault:
      facet === 'unique'
        ? 'gives one identifier to items added at the same time'
        : 'stores only the first of items added at the same time',
    layer: () => {
      let first: JsonValue | undefined;
      const hide = hideAdded(collection);
      let isLate = false;
      const hiding = hidingLayer(collection, workshop, (call, reply, hidden) => {
        if (isLate) hide(call, reply, hidden);
      });
      return together(
        operation,
        (call, serve) => {
          isLate = facet === 'stored';
          const reply = hiding(call, serve);
          isLate = false;
          if (facet === 'stored' || reply === undefined || reply instanceof Promise) return reply;
          return mapItems(collection, operation, reply, (item) =>
            first === undefined ? item : withValueAt(item, idPlace, first),
          );
        },
        (call, serve) => {
          const reply = hiding(call, serve);
          if (call.operation === operation && reply && !(reply instanceof Promise))
            mapItems(collection, operation, reply, (item) => {
              first = valueAt(item, idPlace);
              return item;
            });
          return reply;
        },
      );
    },
  };
}

/** Handles all but the first of the requests to an operation that are under way at once in one way. */
function together(operation: Operation, late: Layer, usual: Layer): Layer {
  let underWay = 0;
  return async (call, serve) => {
    if (call.operation !== operation) return await usual(call, serve);
    underWay += 1;
    const isLate = underWay > 1;
    await new Promise((resolve) => void setImmediate(resolve));
    try {
      return await (isLate ? late : usual)(call, serve);
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
