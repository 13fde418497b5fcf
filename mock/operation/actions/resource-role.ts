import type { Operation, Resource } from '../../../contract/index.ts';

/** The part that an operation plays for a resource. */
export type ResourceRole = 'list' | 'create' | 'get' | 'replace' | 'update' | 'remove';

const roles: readonly ResourceRole[] = ['list', 'create', 'get', 'replace', 'update', 'remove'];

/** The role of an operation in a resource; undefined for none. */
export function roleOf(resource: Resource, operation: Operation): ResourceRole | undefined {
  return roles.find((role) => resource[role]?.id === operation.id);
}
