import type { Operation } from '../openapi/operation.ts';
import { type ResponseContract, successResponse } from '../openapi/response.ts';
import type { Resource } from '../resource/resource.ts';
import { type Drafts, type RequirementDraft, draftsOf } from './requirement.ts';

/** The status of a valid request, and the 404 of one for an item that does not exist. */
export function* listStatusRequirements(
  operation: Operation,
  resources: readonly Resource[],
): Drafts {
  const about = draftsOf(operation);
  const draft = ({ status, pointer }: ResponseContract, sentence: string): RequirementDraft =>
    about(
      { kind: 'status', status },
      `${operation.id} returns ${status === 'default' ? 'a success' : status} ${sentence}.`,
      pointer,
    );
  const success = successResponse(operation);
  if (success) yield draft(success, 'for a valid request');
  const notFound = operation.responses.find(({ status }) => status === '404');
  if (notFound && isOfItem(operation, resources) && !mayCreate(operation))
    yield draft(notFound, 'when nothing has the requested identifier');
}

/** It is known which items there are: those that were added or listed. */
export function isOfItem({ id, path }: Operation, resources: readonly Resource[]): boolean {
  const isKnown = resources.some(({ get, replace, update, remove }) =>
    [get, replace, update, remove].some((operation) => operation?.id === id),
  );
  return isKnown && path.includes('{');
}

/** A PUT that the document lets answer 201 adds an item that is not there (RFC 9110 section 9.3.4). */
function mayCreate({ method, responses }: Operation): boolean {
  return method === 'PUT' && responses.some(({ status }) => status === '201');
}
