import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { requirementsByOperation } from '../../memo/requirements.ts';

/** The requirements of the response to a request that is refused. */
export function shownByRefusal(
  contract: Contract,
  { id, responses }: Operation,
  refused: number,
): readonly string[] {
  const listed = responses.find(({ status }) => status === String(refused)) ?? responses.at(-1);
  return (requirementsByOperation(contract).get(id) ?? []).flatMap((each) =>
    (each.subject.kind === 'body' || each.subject.kind === 'header') &&
    'status' in each.subject &&
    each.subject.status === listed?.status
      ? [each.id]
      : [],
  );
}
