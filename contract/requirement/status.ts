import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { type Drafts, type RequirementDraft, draftsOf } from './requirement.ts';

/** The status of a lawful request, and the 404 of one for an item that does not exist. */
export function* listStatusRequirements(operation: Operation): Drafts {
  const about = draftsOf(operation);
  const draft = ({ status, pointer }: ResponseContract, sentence: string): RequirementDraft =>
    about(
      { kind: 'status', status },
      `${operation.id} answers ${status === 'default' ? 'with a success' : status} ${sentence}.`,
      pointer,
    );
  const success = successStatus(operation);
  if (success) yield draft(success, 'to a request that keeps the contract');
  const notFound = operation.responses.find(({ status }) => status === '404');
  if (notFound && operation.path.includes('{') && !mayCreate(operation))
    yield draft(notFound, 'where nothing has the identifier asked for');
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

/** A PUT that the document lets answer 201 adds an item that is not there (RFC 9110 section 9.3.4). */
function mayCreate({ method, responses }: Operation): boolean {
  return method === 'PUT' && responses.some(({ status }) => status === '201');
}
