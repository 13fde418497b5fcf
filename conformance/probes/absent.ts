import type { Contract } from '../../contract/contract.ts';
import { canonicalInteger } from '../../contract/json/number.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { requirementsOf } from '../family/requirements.ts';
import { isOpenIdentifier } from '../family/status.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { itemResourceOf } from '../judge/trace/trace.ts';
import { statusOf } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type Probe, type Run } from './probe.ts';
import {
  absentId,
  itemPath,
  ownBody,
  seenIds,
  validRequest,
  variantRequest,
  writersOf,
} from './requests.ts';

/** Where the identifier is that nothing has: just behind those that are there, far off, or the next one. */
type Where = 'near' | 'far' | 'next';

/** The requirement that an operation returns 404 for what is not there; undefined where it has none. */
export function notFoundOf(
  contract: Contract,
  operation: Operation | undefined,
): string | undefined {
  return operation && requirementsOf(contract).get(requirementId.status(operation.id, 404))?.id;
}

/**
 * Requests for one identifier after another that nothing has, until one gets the 404 that it has to:
 * reads, changes and removals of items, and what only its own description is known of. None where the
 * document has no 404 for that, or lists all identifiers.
 */
export function absentProbes(
  contract: Contract,
  operation: Operation | undefined,
  where: Where,
  more: Pick<Probe, 'phase'> & Partial<Probe>,
): readonly Probe[] {
  const requirement = notFoundOf(contract, operation);
  const parameter = operation?.parameters.findLast((each) => each.in === 'path');
  if (operation === undefined || requirement === undefined || parameter === undefined) return [];
  if (!isOpenIdentifier(parameter)) return [];
  const resource = itemResourceOf(contract, operation);
  return [
    createProbe({
      id: `${operation.id}/absent: ${where}`,
      writes: writes(operation),
      proves: [requirement],
      run: async (run) => {
        // One of another item, where identifiers are cut to 32 bits, must not be changed.
        const likely = writes(operation) ? undefined : likelyId(where, resource, run);
        const asked = resource === undefined ? [] : seenOrAsked(resource, run);
        const isValid = likely !== undefined && parameter.schema.validate(likely).length === 0;
        const other = absentId(parameter, run, asked, where === 'far');
        for (const id of isValid && !asked.includes(`${likely}`) ? [`${likely}`, other] : [other]) {
          const request = absentRequest(run, operation, id);
          if (request !== undefined && statusOf(await run.session.send(request)) === 404) return;
        }
      },
      ...more,
    }),
  ];
}

/** A request for what is not there; undefined where the operation has no 404 for that. */
export function absentRequest(
  run: Run,
  operation: Operation | undefined,
  id: string,
): Request | undefined {
  const { contract, known } = run;
  const requirement = notFoundOf(contract, operation);
  if (operation === undefined || requirement === undefined) return undefined;
  const intent = { kind: 'absent', requirement, id } as const;
  const resource = itemResourceOf(contract, operation);
  if (resource === undefined) {
    const last = operation.parameters.findLast((each) => each.in === 'path')?.name ?? '';
    const { target: _target, ...request } = validRequest(operation, run);
    return { ...request, path: { ...known.choose(operation).path, [last]: id }, intent };
  }
  const changer = writersOf(contract)(resource).find((each) => each.operation === operation);
  const path = itemPath(resource, id);
  const request = changer
    ? variantRequest(changer, run, {}, path)
    : { operation, path, ...ownBody(operation) };
  return { ...request, intent };
}

/** Identifiers that are there, as far as is seen, and those that requests for what is not there had. */
function seenOrAsked(resource: Resource, run: Run): readonly string[] {
  const asked = run.session.exchanges.flatMap(({ intent }) =>
    intent.kind === 'absent' ? [intent.id] : [],
  );
  return [...seenIds(resource, run), ...asked];
}

/**
 * `far`: one that 32 bits cannot tell from an item that is there; `next`: one more than the largest
 * identifier that the run was given. Undefined where nothing shows one.
 */
function likelyId(
  where: Where,
  resource: Resource | undefined,
  run: Run,
): number | bigint | undefined {
  if (resource === undefined || where === 'near') return undefined;
  const ids = where === 'next' ? [...run.known.added(resource).keys()] : seenIds(resource, run);
  const numbers = ids.filter((id) => /^\d+$/.test(id));
  const [first] =
    where === 'far'
      ? numbers.filter((id) => id.length <= 15)
      : numbers.toSorted((a, b) => Number(BigInt(b) - BigInt(a)));
  return first === undefined
    ? undefined
    : canonicalInteger(BigInt(first) + (where === 'far' ? 2n ** 61n : 1n));
}
