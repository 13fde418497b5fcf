import type { Operation } from '../../contract/openapi/operation.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { mayAdd, type Resource } from '../../contract/resource/resource.ts';
import { type Drafts, draftsOf } from '../judge/trace/requirement.ts';

export function* listStatusRequirements(
  operation: Operation,
  resources: readonly Resource[],
): Drafts {
  const { id, responses } = operation;
  const draft = draftsOf(operation);
  const success = successResponse(operation);
  if (success !== undefined) {
    const { status, pointer } = success;
    const returned = status === 'default' ? 'a success' : status;
    yield draft(
      { kind: 'status', status },
      `${id} returns ${returned} for a valid request.`,
      pointer,
    );
  }
  const notFound = responses.find(({ status }) => status === '404');
  if (notFound !== undefined && isOfItem(operation, resources) && !mayAdd(operation))
    yield draft(
      { kind: 'status', status: '404' },
      `${id} returns 404 when nothing has the requested identifier.`,
      notFound.pointer,
    );
}

/**
 * It is known which items there are: those that were added or listed. What cannot be read within another
 * item may be one of elsewhere: a tag of a contact.
 */
export function isOfItem(operation: Operation, resources: readonly Resource[]): boolean {
  const isKnown = resources.some(
    ({ parents, get, replace, update, remove }) =>
      (parents.length === 0 || get !== undefined) &&
      [get, replace, update, remove].includes(operation),
  );
  return isKnown && operation.path.includes('{');
}
