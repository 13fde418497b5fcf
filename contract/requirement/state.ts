import type { Operation } from '../openapi/operation.ts';
import type { Resource } from '../resource/resource.ts';
import type { RequirementDraft, Subject } from './requirement.ts';

/** What holds for lists: no item twice, and every added item in them as it was added. */
export function* listListState(resource: Resource): Generator<RequirementDraft> {
  const { list, create } = resource;
  const draft = draftsOf(list);
  yield draft(
    { kind: 'state', facet: 'distinct' },
    `${list.id} answers no item twice in one list.`,
  );
  if (!create) return;
  yield draft(
    { kind: 'state', facet: 'listed' },
    `What ${create.id} added is in a list that has room for all items.`,
  );
  for (const member of otherMembers(resource)) {
    yield draft(
      { kind: 'state', facet: 'read', member },
      `${list.id} answers \`${member}\` of an added item as ${create.id} took it.`,
    );
  }
}

/** What holds for additions: echoed as sent, an id of their own, no trace of refused ones. */
export function* listCreateState(resource: Resource): Generator<RequirementDraft> {
  const { create, idProperty } = resource;
  if (!create) return;
  const draft = draftsOf(create);
  const sent = create.requestBody?.content[0]?.schema?.shape().properties;
  for (const member of otherMembers(resource)) {
    if (sent?.has(member))
      yield draft(
        { kind: 'state', facet: 'echo', member },
        `${create.id} answers \`${member}\` as it was sent.`,
      );
  }
  yield draft(
    { kind: 'state', facet: 'id-unique' },
    `${create.id} gives each item an \`${idProperty}\` that no other item has.`,
  );
  yield draft(
    { kind: 'state', facet: 'id-assigned' },
    `${create.id} assigns \`${idProperty}\` itself and takes none from the client.`,
  );
  for (const status of [400, 401] as const)
    yield draft(
      { kind: 'state', facet: 'not-written', status },
      `${create.id} stores nothing where it answers ${status}.`,
    );
}

/** What holds for single reads: an item is found, and as it was added or listed. */
export function* listGetState({ get, item, idProperty }: Resource): Generator<RequirementDraft> {
  if (!get) return;
  const draft = draftsOf(get);
  yield draft(
    { kind: 'state', facet: 'readable' },
    `${get.id} finds an item that was added or listed.`,
  );
  for (const member of item.shape().properties.keys()) {
    const answer =
      member === idProperty
        ? 'the item that was asked for'
        : `\`${member}\` as it was added or listed`;
    yield draft({ kind: 'state', facet: 'read', member }, `${get.id} answers ${answer}.`);
  }
}

/** What holds for removals. */
export function* listRemoveState({ remove }: Resource): Generator<RequirementDraft> {
  if (!remove) return;
  const sentence = `What ${remove.id} removed is in no later response.`;
  yield draftsOf(remove)({ kind: 'state', facet: 'removed' }, sentence);
}

/** What holds for additions at the same time. */
export function* listConcurrencyRequirements({
  create,
  idProperty,
}: Resource): Generator<RequirementDraft> {
  if (!create) return;
  for (const [facet, demand] of [
    ['unique', `get different \`${idProperty}\`s`],
    ['stored', 'are all stored'],
  ] as const) {
    const sentence = `Items added at the same time ${demand}.`;
    yield draftsOf(create)({ kind: 'concurrency', facet }, sentence);
  }
}

type Draft = (subject: Subject, sentence: string) => RequirementDraft;

function draftsOf({ id, pointer }: Operation): Draft {
  return (subject, sentence) => ({ operation: id, subject, sentence, pointer });
}

/** The members of an item but its identifier. */
function otherMembers({ item, idProperty }: Resource): readonly string[] {
  return [...item.shape().properties.keys()].filter((name) => name !== idProperty);
}
