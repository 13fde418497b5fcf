import type { Resource } from '../resource/resource.ts';
import type { RequirementDraft } from './requirement.ts';
import { requirementId } from './requirement.ts';

/**
 * Lists what a resource documents from one request to the next: created items are stored, listed and
 * read back as they were sent.
 */
export function* listStateRequirements(resource: Resource): Generator<RequirementDraft> {
  yield* listListState(resource);
  if (resource.create) yield* listCreateState(resource, resource.create.id);
  if (resource.get) yield* listGetState(resource, resource.get.id);
  if (resource.remove) {
    const { id, pointer } = resource.remove;
    yield {
      id: requirementId.state(id, 'removed'),
      family: 'state',
      operation: id,
      pointer,
      sentence: `What ${id} removed is in no later response.`,
    };
  }
}

function members(resource: Resource): readonly string[] {
  return [...resource.item.shape().properties.keys()];
}

function* listListState(resource: Resource): Generator<RequirementDraft> {
  const { list } = resource;
  const of = { family: 'state', operation: list.id, pointer: list.pointer } as const;
  yield {
    ...of,
    id: requirementId.state(list.id, 'distinct'),
    sentence: `${list.id} answers no item twice in one list.`,
  };
  if (!resource.create) return;
  yield {
    ...of,
    id: requirementId.state(list.id, 'listed'),
    sentence: `What ${resource.create.id} added is in a list that has room for all items.`,
  };
  for (const name of members(resource)) {
    if (name === resource.idProperty) continue;
    yield {
      ...of,
      id: requirementId.state(list.id, `read.${name}`),
      sentence: `${list.id} answers \`${name}\` of an added item as ${resource.create.id} took it.`,
    };
  }
}

function* listCreateState(resource: Resource, create: string): Generator<RequirementDraft> {
  const of = {
    family: 'state',
    operation: create,
    pointer: resource.create?.pointer ?? '',
  } as const;
  const sent =
    resource.create?.requestBody?.content[0]?.schema?.shape().properties ??
    new Map<string, unknown>();
  for (const name of members(resource)) {
    if (name === resource.idProperty || !sent.has(name)) continue;
    yield {
      ...of,
      id: requirementId.state(create, `echo.${name}`),
      sentence: `${create} answers \`${name}\` as it was sent.`,
    };
  }
  const id = resource.idProperty;
  yield {
    ...of,
    id: requirementId.state(create, 'id-unique'),
    sentence: `${create} gives each item an \`${id}\` that no other item has.`,
  };
  yield {
    ...of,
    id: requirementId.state(create, 'id-assigned'),
    sentence: `${create} assigns \`${id}\` itself and takes none from the client.`,
  };
  yield {
    ...of,
    id: requirementId.state(create, 'not-written.400'),
    sentence: `${create} stores nothing where it answers 400.`,
  };
  yield {
    ...of,
    id: requirementId.state(create, 'not-written.401'),
    sentence: `${create} stores nothing where it answers 401.`,
  };
  const parallel = { ...of, family: 'concurrency' } as const;
  yield {
    ...parallel,
    id: requirementId.concurrency(create, 'unique'),
    sentence: `Items added at the same time get different \`${id}\`s.`,
  };
  yield {
    ...parallel,
    id: requirementId.concurrency(create, 'stored'),
    sentence: 'Items added at the same time are all stored.',
  };
}

function* listGetState(resource: Resource, get: string): Generator<RequirementDraft> {
  const of = { family: 'state', operation: get, pointer: resource.get?.pointer ?? '' } as const;
  yield {
    ...of,
    id: requirementId.state(get, 'readable'),
    sentence: `${get} finds an item that was added or listed.`,
  };
  for (const name of members(resource)) {
    const sentence =
      name === resource.idProperty
        ? `${get} answers the item that was asked for.`
        : `${get} answers \`${name}\` as it was added or listed.`;
    yield { ...of, id: requirementId.state(get, `read.${name}`), sentence };
  }
}
