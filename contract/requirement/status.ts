import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { type Drafts, type RequirementDraft, draftsOf } from './requirement.ts';

/** The status of a lawful request, and the 404 of one for an item that does not exist. */
export function* listStatusRequirements(operation: Operation): Drafts {
  const about = draftsOf(operation);
  const draft = ({ status, pointer }: ResponseContract, sentence: string): RequirementDraft =>
    about({ kind: 'status', status }, `${operation.id} answers ${status} ${sentence}.`, pointer);
  const success = successStatus(operation);
  if (success) yield draft(success, 'to a request that keeps the contract');
  const notFound = operation.responses.find(({ status }) => status === '404');
  if (notFound && operation.path.includes('{') && !mayCreate(operation))
    yield draft(notFound, 'where nothing has the identifier asked for');
}

/** The response that a lawful request gets: the first 2xx of the document, or undefined. */
export function successStatus(operation: Operation): ResponseContract | undefined {
  return operation.responses.find((response) => /^2\d\d$/.test(response.status));
}

/** A PUT that the document lets answer 201 adds an item that is not there (RFC 9110 section 9.3.4). */
function mayCreate({ method, responses }: Operation): boolean {
  return method === 'PUT' && responses.some(({ status }) => status === '201');
}
