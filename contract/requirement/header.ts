import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { isReachable } from './reachable-responses.ts';
import { type ContractParts, type Drafts, draftsOf } from './requirement.ts';

/** The headers of a response that the document requires, and those of the rate limit. */
export function* listHeaderRequirements(
  operation: Operation,
  { status, headers }: ResponseContract,
  context: ContractParts,
): Drafts {
  if (!isReachable(operation, status, context)) return;
  const { rateLimit } = context;
  const draft = draftsOf(operation);
  const counted = Object.values(rateLimit?.headers ?? {}).map((name) => String(name).toLowerCase());
  for (const { name, required, pointer } of headers) {
    if (!required && !counted.includes(name.toLowerCase())) continue;
    yield draft(
      { kind: 'header', status, name },
      `A ${status} from ${operation.id} has the header ${name}, in the format that the document defines.`,
      pointer,
    );
  }
}
