import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import type { Resource } from '../resource/resource.ts';
import { type Drafts, type RequirementDraft, draftsOf } from './requirement.ts';

/** The status of a lawful request, and the 404 of one for an item that does not exist. */
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
  const success = successStatus(operation);
  if (success) yield draft(success, 'for a valid request');
  const notFound = operation.responses.find(({ status }) => status === '404');
  if (notFound && isOfItem(operation, resources) && !mayCreate(operation))
    yield draft(notFound, 'when nothing has the requested identifier');
}

/**
 * The response that a lawful request gets: the 201 of a POST, the first 2xx of the document, else the first 3xx, else
 * the one for all other statuses; undefined where only errors are described.
 */
export function successStatus({ method, responses }: Operation): ResponseContract | undefined {
  const first = (form: RegExp): ResponseContract | undefined =>
    responses.find(({ status }) => form.test(status));
  const added = method === 'POST' ? first(/^201$/) : undefined;
  return (
    added ?? first(/^2\d\d$/) ?? first(/^2XX$/i) ?? first(/^3(\d\d|XX)$/i) ?? first(/^default$/)
  );
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
