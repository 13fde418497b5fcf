import type { Operation } from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';

const roles = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

/** The part that an operation plays for the resource of a collection. */
export interface ResourceRole {
  readonly collection: Collection;
  readonly role: (typeof roles)[number];
}

/** The parts of operations by their ids: the first collection that has the operation counts. */
export function indexRoles(
  collections: readonly Collection[],
): ReadonlyMap<Operation['id'], ResourceRole> {
  const index = new Map<string, ResourceRole>();
  for (const collection of collections)
    for (const role of roles) {
      const id = collection.resource[role]?.id;
      if (id !== undefined && !index.has(id)) index.set(id, { collection, role });
    }
  return index;
}
