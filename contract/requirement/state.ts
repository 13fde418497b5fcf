import { announcesDenial } from './auth.ts';
import { refusalStatus, refusalStatuses } from './reachable-responses.ts';
import { jsonContent } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import { answersItem, type Resource } from '../resource/resource.ts';
import { jsonEquals } from '../json/value.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';
import { type Draft, type Drafts, draftsOf, type Level, type StateFacet } from './requirement.ts';

/** What holds for lists: no item twice, and every added item in them as it was added. */
export function* listListState(resource: Resource): Drafts {
  const { list, create, itemPath } = resource;
  const draft = stateOf(list);
  if (create === undefined && itemPath === undefined) return;
  yield draft({ facet: 'distinct' }, `${list.id} never returns an item twice in one list.`);
  if (!create) return;
  const listed = `An item added by ${create.id} is in a list that has room for all items.`;
  yield draft({ facet: 'listed' }, listed);
  for (const member of otherMembers(resource)) {
    const sentence = `${list.id} returns \`${member}\` of an added item as ${create.id} accepted it.`;
    yield draft({ facet: 'read', member }, sentence);
  }
}

/** What holds for additions: echoed as sent, an id of their own, no trace of refused ones. */
export function* listCreateState(resource: Resource): Drafts {
  const { create, idProperty, remove } = resource;
  if (!create) return;
  const { id } = create;
  const draft = stateOf(create);
  yield* listEchoes(create, resource);
  if (!isGivenByClients(create, idProperty)) {
    yield draft({ facet: 'id-unique' }, `${id} gives each item a unique \`${idProperty}\`.`);
    const fresh = `${id} never reuses the \`${idProperty}\` of a removed item.`;
    if (remove) yield draft({ facet: 'id-fresh' }, fresh, 'should');
    const assigned = `${id} assigns \`${idProperty}\` itself and does not use one that the client sends.`;
    yield draft({ facet: 'id-assigned' }, assigned);
  }
  yield* listNotWritten(create, 'stores nothing', refuses);
}

/** The request names the item itself: who gives which identifier is up to the client. */
function isGivenByClients({ requestBody }: Operation, idProperty: string): boolean {
  const sent = jsonContent(requestBody?.content ?? [])
    ?.schema?.shape()
    .properties.get(idProperty);
  return sent !== undefined && !sent.shape().readOnly;
}

/** Whether the document says that a request may be refused with a status, also in general terms. */
function refuses(operation: Operation, status: number): boolean {
  if (status !== 401) return hasStatus(operation, status) || refusalStatus(operation) === status;
  const isListed = operation.responses.some((one) => /^(401|4XX|default)$/i.test(one.status));
  return isListed && announcesDenial(operation);
}

function hasStatus({ responses }: Operation, status: number): boolean {
  return responses.some((response) => response.status === String(status));
}

/** Nothing is said of the characters of the text. */
function isFreeText(node: SchemaNode): boolean {
  const { types, values, format, pattern } = node.shape();
  const isOpen = values === undefined && format === undefined && pattern === undefined;
  return types.includes('string') && types.length === 1 && isOpen;
}

/** What holds for single reads: an item is found, and as it was added or listed. */
export function* listGetState({ get, item, idProperty }: Resource): Drafts {
  if (!get) return;
  const draft = stateOf(get);
  yield draft({ facet: 'readable' }, `${get.id} finds an item that was added or listed.`);
  for (const member of item.shape().properties.keys()) {
    const answer =
      member === idProperty ? 'the requested item' : `\`${member}\` as it was added or listed`;
    yield draft({ facet: 'read', member }, `${get.id} returns ${answer}.`);
  }
}

/** What holds for changes: answered and stored as sent, the identifier kept, no trace of refused ones. */
export function* listChangeState(resource: Resource): Drafts {
  const { replace, update, idProperty } = resource;
  for (const operation of [replace, update]) {
    if (!operation) continue;
    const { id } = operation;
    const draft = stateOf(operation);
    if (answersItem(operation, resource)) yield* listEchoes(operation, resource);
    yield draft({ facet: 'stored' }, `Later responses show what ${id} changed as it was sent.`);
    yield draft({ facet: 'id-kept' }, `${id} does not change the \`${idProperty}\` of the item.`);
    const others = `${id} does not change members that are not sent.`;
    if (operation === update) yield draft({ facet: 'others-kept' }, others);
    yield* listNotWritten(operation, 'changes nothing');
  }
}

/** What holds for removals. */
export function* listRemoveState({ create, remove }: Resource): Drafts {
  // Where nothing is added, a removal may be no more than a change of what is there.
  if (!remove || !create) return;
  const sentence = `An item removed by ${remove.id} is in no later response.`;
  yield stateOf(remove)({ facet: 'removed' }, sentence);
  yield stateOf(remove)({ facet: 'others-kept' }, `${remove.id} removes no other item.`);
  yield* listNotWritten(remove, 'removes nothing');
}

/** The refusals of a change that leave the item as it is, of those that the document has. */
function* listNotWritten(operation: Operation, effect: string, isListed = hasStatus): Drafts {
  for (const status of refusalStatuses)
    if (isListed(operation, status))
      yield stateOf(operation)(
        { facet: 'not-written', status },
        `${operation.id} ${effect} when it returns ${status}.`,
      );
}

/** The members of an item that a request may hold are answered as they were sent. */
function* listEchoes(operation: Operation, resource: Resource): Drafts {
  const sent = operation.requestBody?.content[0]?.schema?.shape().properties;
  const draft = stateOf(operation);
  for (const member of otherMembers(resource)) {
    const node = sent?.get(member);
    const answered = resource.item.shape().properties.get(member);
    if (!node || (answered && !isAlike(node, answered))) continue;
    // A null that no response can show, but for a patch, where it removes the member.
    if (operation.method !== 'PATCH' && answered && takesNull(node) && !takesNull(answered))
      continue;
    const { id } = operation;
    yield draft({ facet: 'echo', member }, `${id} returns \`${member}\` as it was sent.`);
    const kept = `${id} keeps leading and trailing white space in \`${member}\`.`;
    if (isFreeText(node)) yield draft({ facet: 'spaces', member }, kept, 'should');
  }
}

function stateOf(operation: Operation) {
  return (facet: StateFacet, sentence: string, level?: Level): Draft =>
    draftsOf(operation)({ kind: 'state', ...facet }, sentence, operation.pointer, level);
}

/** The members of an item but its identifier. */
function otherMembers({ item, idProperty }: Resource): readonly string[] {
  return [...item.shape().properties.keys()].filter((name) => name !== idProperty);
}

/** Deepest nesting that is compared. */
const deepest = 4;

/** Whether what one schema takes can come back by the other: members of both have the same form. */
function isAlike(one: SchemaNode, other: SchemaNode, depth = 0): boolean {
  if (one.pointer === other.pointer || depth > deepest) return true;
  const [left, right] = [one.shape(), other.shape()];
  if (left.alternatives.length > 0 || right.alternatives.length > 0) return true;
  if (renderTypes(left) !== renderTypes(right)) return false;
  if (!jsonEquals(left.values ?? null, right.values ?? null)) return false;
  if (left.items && right.items && !isAlike(left.items, right.items, depth + 1)) return false;
  return [...left.properties].every(([name, member]) => {
    const same = right.properties.get(name);
    return same === undefined || isAlike(member, same, depth + 1);
  });
}

/** False where a schema excludes null at its top. */
function takesNull(node: SchemaNode, depth = 0): boolean {
  const { types, alternatives } = node.shape();
  if (!types.includes('null') || depth > deepest) return false;
  return alternatives.length === 0 || alternatives.some((one) => takesNull(one, depth + 1));
}

/** The types but null, in one order. */
function renderTypes({ types }: Shape): string {
  return types
    .filter((type) => type !== 'null')
    .toSorted()
    .join();
}
