import type { Operation, Resource } from '../../../contract/index.ts';

const roles = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

/** The part that an operation plays for a resource; undefined for none. */
export function roleOf(resource: Resource, operation: Operation) {
  return roles.find((role) => resource[role]?.id === operation.id);
}
