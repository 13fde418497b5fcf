import type { Operation } from '../../../contract/openapi/operation.ts';
import { plainRequestBody } from '../../generate/request-body.ts';
import { validIntent, type Intent } from '../../transport/exchange.ts';
import type { Request } from '../../transport/session.ts';
import { writes } from '../../transport/target.ts';
import { NothingToSend, type Run } from '../probe.ts';

/** A valid request by the operation's own description, without its intent. */
export type PlainRequest = Omit<Request, 'intent'> & {
  /** Path parameters whose value nobody told. */
  readonly guessed: readonly string[];
};

/**
 * A valid request: all that is required, with identifiers that the target showed. To change or
 * remove something it goes to what this run added, unless nothing of the target is of value.
 * @throws {NothingToSend} where there is no such thing
 * @throws {UndrawableSchema} where no valid body is found
 */
export function plainRequest(operation: Operation, run: Run): PlainRequest {
  const { path, guessed, isOwn } = run.paths.choose(operation);
  const isChange = writes(operation) && operation.path.includes('{');
  if (isChange && !isOwn && !run.disposable && !run.paths.isGiven(operation))
    throw new NothingToSend('the run created no item that it could change');
  const made = plainRequestBody(operation);
  return {
    operation,
    path,
    guessed,
    ...(made === undefined
      ? {}
      : { body: made.body, headers: { 'content-type': made.contentType } }),
  };
}

/** A request that keeps the contract. */
export function asValid(
  { guessed, ...request }: PlainRequest,
  exercises: readonly string[] = [],
): Request {
  const intent: Intent = {
    ...validIntent(exercises),
    ...(guessed.length === 0 ? {} : { guessed: [...guessed] }),
  };
  return { ...request, intent };
}
