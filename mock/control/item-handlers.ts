import type { JsonValue } from '../../contract/index.ts';
import type { Input } from '../operation/response/outcome.ts';
import { type Refusal, isRefusal, refuse } from '../operation/response/refusal.ts';
import { type ControlRequest, type Handlers, done, json, missing, pathText } from './handler.ts';
import { readNumber, textOf } from './input.ts';
import type { ItemCollection, NamedItem } from '../items/control/item-collection.ts';
import { presentCollection } from '../items/control/present-collection.ts';

/** What reads and changes single items. */
export const itemHandlers: Handlers = {
  listCollections: ({ sandbox }) => json(sandbox.collections.map(presentCollection)),
  listItems: (request) => {
    const collection = collectionOf(request);
    return isRefusal(collection) ? collection : json(listItems(collection, request.input));
  },
  addItem: (request) => {
    const collection = collectionOf(request);
    if (isRefusal(collection)) return collection;
    request.sandbox.admit();
    return json(presentItem(collection.add(request.body)), 201);
  },
  replaceItem: (request) => {
    const collection = collectionOf(request);
    if (isRefusal(collection)) return collection;
    request.sandbox.admit();
    const replaced = collection.replace(pathText(request.input, 'item'), request.body);
    return replaced === undefined ? missing('item', request.input) : json(presentItem(replaced));
  },
  removeItem: (request) => {
    const collection = collectionOf(request);
    if (isRefusal(collection)) return collection;
    return collection.remove(pathText(request.input, 'item'))
      ? done()
      : missing('item', request.input);
  },
};

function collectionOf({ sandbox, input }: ControlRequest): ItemCollection | Refusal {
  const path = textOf(input.parameters.get('query collection')) ?? '';
  const found = sandbox.collection(path);
  if (found !== undefined) return found;
  const known = sandbox.collections.map((one) => one.path).slice(0, mostNamed);
  const there = known.length === 0 ? 'the document has none' : `known: ${known.join(', ')}`;
  return refuse('not_found', `There is no collection "${path}"; ${there}.`);
}

/** So many collections are named to who asks for another. */
const mostNamed = 10;

function listItems(collection: ItemCollection, { parameters }: Input): JsonValue {
  const { total, items } = collection.list({
    text: textOf(parameters.get('query text')) ?? '',
    offset: readNumber(parameters.get('query offset')) ?? 0,
    limit: readNumber(parameters.get('query limit')) ?? 0,
  });
  return { total, items: items.map(presentItem) };
}

function presentItem({ id, item }: NamedItem): JsonValue {
  return { id, item };
}
