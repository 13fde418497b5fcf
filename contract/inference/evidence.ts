import type { Operation } from '../openapi/operation.ts';
import type { Evidence, InferredResource, InferredRole } from './inferred-resource.ts';
import { membersOf } from './member.ts';

/** What the response of success, and what is sent, say of a role. */
export function evidenceOfView(
  operation: Operation,
  role: InferredRole,
  resource: InferredResource,
): readonly Evidence[] {
  const { response, view } = resource.success(operation);
  const evidence: Evidence[] = [];
  const add = (kind: Evidence['kind'], text: string, weight: number): void =>
    void evidence.push({ kind, text, weight });
  if (role === 'create') {
    if (response?.status === '201') add('method', 'it is answered 201', 0.2);
    if (response?.headers.some(({ name }) => name.toLowerCase() === 'location') === true)
      add('location', 'the response has a Location', 0.2);
    if (resource.itemPath !== undefined)
      add('path', `items have the path ${resource.itemPath}`, 0.1);
  }
  if (view === undefined) return evidence;
  const where = view.place.length === 0 ? 'the body' : `the member ${view.place.join('.')}`;
  if (role === 'list' && view.isList) add('schema', `${where} is an array`, 0.3);
  if (view.idMember !== undefined) add('id', `${where} has the id ${view.idMember}`, 0.2);
  const twin = itemSchemaOf(resource, operation);
  if (twin !== undefined && twin.pointer === view.item.pointer)
    add('schema', `${where} has the schema of ${twin.operation.id}`, 0.3);
  else if (twin !== undefined) {
    const own = membersOf(view.item);
    const shared = [...twin.members].filter((name) => own.has(name)).length;
    if (shared > 0)
      add(
        'schema',
        `${where} shares ${shared} of ${twin.members.length} members with ${twin.operation.id}`,
        (0.3 * shared) / twin.members.length,
      );
  }
  return evidence;
}

interface Twin {
  readonly operation: Operation;
  readonly pointer: string;
  readonly members: readonly string[];
}

/** The item as another operation of the resource shows it: GET first. */
function itemSchemaOf(resource: InferredResource, besides: Operation): Twin | undefined {
  const other = resource.showing.find((operation) => operation !== besides);
  const item = other && resource.success(other).view?.item;
  return item && { operation: other, pointer: item.pointer, members: [...membersOf(item).keys()] };
}
