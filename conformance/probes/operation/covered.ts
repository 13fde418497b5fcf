import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { readTemplate } from '../../generate/valid-body.ts';
import { changesOf } from '../../judge/trace/collection.ts';
import { once } from '../../memo/once.ts';

/** The operations whose requests come from what is known of a resource. */
const coveredIds = once((contract: Contract): ReadonlySet<string> => {
  const ids = contract.resources.flatMap((resource) => coveredBy(contract, resource));
  return new Set(ids.map(({ id }) => id));
});

function coveredBy(contract: Contract, resource: Resource): readonly Operation[] {
  const { list, create, get, idParameter } = resource;
  const isMade = create !== undefined && readTemplate(contract, create) !== undefined;
  const reads = [list, ...(get !== undefined && idParameter !== undefined ? [get] : [])];
  if (!isMade) return reads;
  const changes = changesOf(resource).flatMap(({ act, operation }) =>
    act === 'remove' || readTemplate(contract, operation) !== undefined ? [operation] : [],
  );
  return [...reads, create, ...(idParameter === undefined ? [] : changes)];
}

/** The operations of which nothing but their own description is known. */
export function listGeneralOperations(contract: Contract): readonly Operation[] {
  return contract.operations.filter(({ id }) => !coveredIds(contract).has(id));
}
