import { type Operation, isContentIgnored } from '../../contract/openapi/operation.ts';
import { successResponse, refusalStatus } from '../../contract/openapi/response.ts';
import { mayAdd, type Resource } from '../../contract/resource/resource.ts';
import { type Drafts, draftsOf } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { once } from '../../contract/memo/once.ts';
import { announcesDenial } from './auth.ts';

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
 * Whether an operation is about a single item of a resource whose items are known: those that were
 * added or listed. Nested items without a read operation may belong elsewhere, such as a tag of a
 * contact.
 */
export function isOfItem(operation: Operation, resources: readonly Resource[]): boolean {
  return itemOperations(resources).has(operation) && operation.path.includes('{');
}

const itemOperations = once(
  (resources: readonly Resource[]) =>
    new Set(
      resources.flatMap(({ parents, get, replace, update, remove }) =>
        parents.length === 0 || get !== undefined ? [get, replace, update, remove] : [],
      ),
    ),
);

/**
 * Whether some request must provoke a response: success, and refusals of invalid requests, of
 * callers without a key, of missing items and over the rate limit. Others, such as 403 and 500,
 * depend on the data of the server; one requirement of the whole service covers them all.
 */
export function isReachable(operation: Operation, status: string, context: Contract): boolean {
  return reachableStatuses(context)(operation).has(status.toUpperCase());
}

const reachableStatuses = once((context: Contract) =>
  once((operation: Operation): ReadonlySet<string> => {
    const listed = new Set(operation.responses.map(({ status }) => status.toUpperCase()));
    const reached = [successResponse(operation)?.status ?? '', String(context.rateLimit?.status)];
    if (mayAdd(operation) && isOfItem(operation, context.resources)) reached.push('201');
    for (const code of listRefusals(operation, context))
      reached.push(listed.has(code) ? code : listed.has('4XX') ? '4XX' : 'DEFAULT');
    return new Set(reached.map((status) => status.toUpperCase()));
  }),
);

/** The statuses of refusals that some request provokes. */
function* listRefusals(operation: Operation, { resources }: Contract): Generator<string> {
  if (announcesDenial(operation)) yield '401';
  const isNamed = operation.parameters.some(isOpenIdentifier);
  if (isNamed && isOfItem(operation, resources) && !mayAdd(operation)) yield '404';
  const refused = refusalStatus(operation);
  const isRefused = takesMembers(operation) || operation.parameters.some(isBreakable);
  if (refused !== undefined && isRefused) yield String(refused);
}

function takesMembers(operation: Operation): boolean {
  return !isContentIgnored(operation.method) && memberContent(operation)?.schema !== undefined;
}

/** A path parameter that accepts any text or integer, not only listed values. */
export function isOpenIdentifier({ in: place, schema }: Parameter): boolean {
  const { values, types } = schema.shape();
  const isText = types.some((type) => type === 'string' || type === 'integer');
  return place === 'path' && values === undefined && isText;
}

/** A query parameter for which some text is invalid. */
export function isBreakable({ in: place, schema }: Parameter): boolean {
  const { values, types } = schema.shape();
  const isNumber = types.every((type) => ['integer', 'number', 'boolean'].includes(type));
  return place === 'query' && types.length > 0 && (isNumber || values !== undefined);
}
