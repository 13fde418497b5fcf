import { requirementsOf } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { canonicalInteger } from '../../contract/json/number.ts';
import { isOpenIdentifier } from '../family/reachable-responses.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { statusOf } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { listGeneralOperations } from './general.ts';
import { createProbe, NothingToSend, type PlanContext, type Probe, type Run } from './probe.ts';
import { absentId, itemPath, validRequest } from './valid-request.ts';
import { variantRequest, type Writer } from './writer.ts';

/** The requirement that an operation answers 404 for what is not there; undefined where it has none. */
export function notFoundOf(contract: Contract, { id }: Operation): string | undefined {
  return requirementsOf(contract).get(requirementId.status(id, 404))?.id;
}

/** Sends requests for one identifier after another, until one gets the 404 that it has to. */
function absentProbe(
  operation: Operation,
  requirement: string,
  probe: Pick<Probe, 'id' | 'phase'> & Partial<Probe>,
  listIds: (run: Run) => readonly string[],
  requestOf: (id: string, run: Run) => Omit<Request, 'intent'>,
): Probe {
  return createProbe({
    writes: writes(operation),
    proves: [requirement],
    run: async (run) => {
      for (const id of listIds(run)) {
        const intent = { kind: 'absent', requirement, id } as const;
        const exchange = await run.session.send({ ...requestOf(id, run), intent });
        if (statusOf(exchange) === 404) return;
      }
    },
    ...probe,
  });
}

/** Where the identifier is that nothing has: just behind those that are there, far off, or the next one. */
type Where = 'near' | 'far' | 'next';

/** Reads of items that nobody has. */
export function listAbsentReads(contract: Contract, resource: Resource): readonly Probe[] {
  return [
    ...absentRead(contract, resource, 'near', 2),
    ...absentRead(contract, resource, 'far', 1),
  ];
}

/**
 * A read of the identifier that the next item is likely to get, sent before it is added: one that is
 * read later shows a 404 that a cache remembered.
 */
export function listNextProbes(contract: Contract, resource: Resource): readonly Probe[] {
  return absentRead(contract, resource, 'next', 1).map((probe) => ({ ...probe, phase: 'values' }));
}

function absentRead(
  contract: Contract,
  resource: Resource,
  where: Where,
  rank: number,
): readonly Probe[] {
  const { get, idParameter } = resource;
  const requirement = get && notFoundOf(contract, get);
  if (get === undefined || idParameter === undefined || requirement === undefined) return [];
  const probe = { id: `${get.id}/absent: ${where}`, phase: 'get', rank } as const;
  const listIds = (run: Run): readonly string[] => {
    const seen = seenIds(resource, run);
    const known =
      where === 'near' ? [] : [where === 'next' ? nextId(resource, run) : shiftedId(seen)];
    const likely = known.flatMap((each) => {
      const id = each === undefined ? undefined : canonicalInteger(each);
      const isValid = id !== undefined && idParameter.schema.validate(id).length === 0;
      return isValid && !seen.includes(String(id)) ? [String(id)] : [];
    });
    return [...likely, absentId(idParameter, run, seen, where === 'far')];
  };
  const requestOf = (id: string) => ({ operation: get, path: itemPath(resource, id) });
  return [absentProbe(get, requirement, probe, listIds, requestOf)];
}

/** One that 32 bits cannot tell from an item that is there. */
function shiftedId(seen: readonly string[]): bigint | undefined {
  const known = seen.find((id) => /^\d{1,15}$/.test(id));
  return known === undefined ? undefined : BigInt(known) + 2n ** 61n;
}

/** One more than the largest identifier that the run was given; undefined where nothing says that. */
function nextId(resource: Resource, { known }: Run): bigint | undefined {
  const given = [...known.added(resource).keys()].filter((id) => /^\d+$/.test(id)).map(BigInt);
  const [largest] = given.toSorted((a, b) => Number(b - a));
  return largest === undefined ? undefined : largest + 1n;
}

/** Identifiers of all items seen so far. */
export function seenIds(resource: Resource, { known }: Run): readonly string[] {
  return [...known.listed(resource).keys(), ...known.added(resource).keys()];
}

/** Changes and a removal of items that are not there. */
export function listAbsentChanges(
  contract: Contract,
  resource: Resource,
  writers: readonly Writer[],
): readonly Probe[] {
  const operations = [...writers.map(({ operation }) => operation), resource.remove];
  const listIds = (run: Run): readonly string[] => {
    const asked = run.session.exchanges.flatMap(({ intent: each }) =>
      each.kind === 'absent' ? [each.id] : [],
    );
    return [absentId(resource.idParameter, run, [...seenIds(resource, run), ...asked], true)];
  };
  return operations.flatMap((operation, index) => {
    const requirement = operation && notFoundOf(contract, operation);
    if (operation === undefined || requirement === undefined) return [];
    const writer = writers[index];
    const probe = { id: `${operation.id}/absent`, phase: 'remove' } as const;
    return [
      absentProbe(operation, requirement, probe, listIds, (id, run) => {
        const path = itemPath(resource, id);
        return writer ? variantRequest(writer, run, undefined, path) : { operation, path };
      }),
    ];
  });
}

/** The same for operations that belong to no resource, where the document has a 404. */
export function listGeneralAbsentProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) => {
    const requirement = notFoundOf(contract, operation);
    const last = operation.parameters.findLast((parameter) => parameter.in === 'path');
    if (requirement === undefined || last === undefined || !isOpenIdentifier(last)) return [];
    const probe = { id: `${operation.id}/absent`, phase: 'invalid', rank: 2 } as const;
    const listIds = (run: Run): readonly string[] => {
      if (operation.method === 'PUT' && !run.disposable)
        throw new NothingToSend('it may create an item that it does not find');
      return [absentId(last, run, [], true)];
    };
    const requestOf = (id: string, run: Run) => {
      const { target: _target, ...request } = validRequest(operation, run);
      return { ...request, path: { ...run.paths.choose(operation).path, [last.name]: id } };
    };
    return [absentProbe(operation, requirement, probe, listIds, requestOf)];
  });
}
