import type { Operation } from '../../contract/index.ts';
import type { Collection } from '../collection.ts';
import { successStatus } from '../operation-facts.ts';
import { type Action, type Call, type Input, reply } from '../outcome.ts';
import { parsePathTemplate } from '../path-template.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** Answers one item. */
export function compileGet(collection: Collection, operation: Operation): Action {
  const template = parsePathTemplate(operation.path);
  const status = successStatus(operation);
  return (input, call) => {
    const id = collection.idOf(input);
    const item = id === undefined ? undefined : collection.find(call, template)?.get(id);
    return item === undefined ? noSuchItem(collection, input, call) : reply(status, item.text);
  };
}

/** The refusal for an id that no item has. */
export function noSuchItem(collection: Collection, input: Input, _call: Call): Refusal {
  const { idProperty } = collection.resource;
  return refuse('not_found', `Nothing has the ${idProperty} ${collection.idOf(input) ?? 'that was sent'}.`);
}
