import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { once } from '../../memo/once.ts';
import type { Reading, Trace } from './trace.ts';

/**
 * Why a valid request may have been refused, in words that follow a status; undefined where nothing
 * allows it. A document says which bodies and parameters are valid by their form, and seldom what
 * they have to mean: where it announces a refusal, values that the suite made up may earn it, but
 * where they are those of a resource. One that lists its open questions leaves nothing else open.
 */
export function explainByDocument(reading: Reading, trace: Trace): string | undefined {
  const { exchange, operation, response, documented } = reading;
  const { intent, request } = exchange;
  const { status } = response;
  if (intent.kind !== 'valid' || status < 400 || status >= 500) return undefined;
  const [guess] = intent.guessed ?? [];
  if (guess !== undefined) return `the suite does not know a \`${guess}\` that exists (--id)`;
  if (trace.contract.openQuestions.length > 0) return undefined;
  if ((status === 401 || status === 403) && operation.credential.kind !== 'none')
    return isServedWithKey(trace) ? 'the key may not allow this operation' : undefined;
  if (documented === undefined) return undefined;
  const isResource = isOfResource(trace.contract, operation);
  const isMissing = status === 404 || status === 410;
  if (stateStatuses.has(status) && !(isResource && isMissing))
    return 'which the document announces';
  if (isResource) return undefined;
  const isMadeUp =
    request.body !== undefined ||
    operation.parameters.some(({ required, examples }) => required && examples.length === 0);
  if (!isMadeUp || servedOperations(trace).has(operation.id)) return undefined;
  return 'which the document announces, for values that the suite generated';
}

/** Statuses that depend on what the target holds, and not on the form of a request. */
const stateStatuses: ReadonlySet<number> = new Set([
  402, 403, 404, 408, 409, 410, 412, 423, 424, 425, 428, 451,
]);

function isOfResource({ resources }: Contract, { id }: Operation): boolean {
  return resources.some(({ list, create, get, replace, update, remove }) =>
    [list, create, get, replace, update, remove].some((operation) => operation?.id === id),
  );
}

/** The operations that served some valid request. */
const servedOperations = once(
  ({ readings }: Trace): ReadonlySet<string> =>
    new Set(
      readings.flatMap(({ succeeded, exchange, operation }) =>
        succeeded && exchange.intent.kind === 'valid' ? [operation.id] : [],
      ),
    ),
);

/** Whether some operation that wants a key took the one of the run. */
const isServedWithKey = once(({ readings }: Trace): boolean =>
  readings.some(
    ({ succeeded, exchange, operation }) =>
      succeeded && exchange.request.credential === 'valid' && operation.credential.kind !== 'none',
  ),
);

/**
 * Whether a response refuses a request that breaks the contract as the document has it. `excused`: it
 * refuses it for another reason, which may come first. Of the operations of resources, and where the
 * document lists its open questions, only a status that is announced will do.
 */
export function readRefusal(
  { response: { status }, operation, documented }: Reading,
  wanted: number,
  contract: Contract,
): 'kept' | 'excused' | 'failed' {
  if (status === wanted || isEither(status, wanted, operation)) return 'kept';
  if (contract.openQuestions.length > 0 || isOfResource(contract, operation)) return 'failed';
  if (status < 400 || status >= 500) return 'failed';
  const alike = wanted === 401 ? [401, 403] : [400, 422];
  return alike.includes(status) && documented !== undefined ? 'kept' : 'excused';
}

/** Of a document that lists both 400 and 422 for refusals, either will do. */
function isEither(status: number, wanted: number, { responses }: Operation): boolean {
  const isListed = responses.some((each) => each.status === String(status));
  return isListed && bodyStatuses.has(status) && bodyStatuses.has(wanted);
}

const bodyStatuses: ReadonlySet<number> = new Set([400, 422]);
