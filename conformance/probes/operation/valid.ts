import { isJsonObject } from '../../../contract/json/value.ts';
import { jsonContent } from '../../../contract/openapi/media-type.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { readJson } from '../../transport/exchange.ts';
import { requirementsByOperation } from '../../memo/requirements.ts';
import { successId } from '../../judge/trace/trace.ts';
import { writes } from '../../transport/target.ts';
import { createProbe, type Phase, type PlanContext, type Probe } from '../probe.ts';
import { listGeneralOperations } from './covered.ts';
import { asValid, plainRequest } from './request.ts';

/**
 * One valid request to each operation of which nothing but its own description is known: first what
 * shows and makes things, from the shortest paths on, then what changes them, then what removes them.
 */
export function listValidProbes({ contract }: PlanContext): readonly Probe[] {
  const operations = listGeneralOperations(contract);
  const sorted = operations.toSorted(
    (one, other) => depthOf(one) - depthOf(other) || turnOf(one) - turnOf(other),
  );
  const removals = sorted.filter(({ method }) => method === 'DELETE').toReversed();
  return [...sorted.filter(({ method }) => method !== 'DELETE'), ...removals].map((operation) =>
    createProbe({
      id: `${operation.id}/plain`,
      phase: phaseOf(operation),
      rank: 0,
      writes: writes(operation),
      proves: [...shownBySuccess(contract, operation), ...optionalFacets(operation)],
      run: (run) => {
        const request = plainRequest(operation, run);
        return run.session.send(asValid(request, leftOut(operation, request.body)));
      },
    }),
  );
}

/** The requirements that a body may do without a member. */
function optionalFacets(operation: Operation): readonly string[] {
  const shape = jsonContent(operation.requestBody?.content ?? [])?.schema?.shape();
  return [...(shape?.properties.keys() ?? [])]
    .filter((name) => shape?.required.has(name) === false)
    .map((name) => requirementId.requestFacet(operation.id, [name], 'optional'));
}

/** Those that a body shows, if it is taken. */
function leftOut(operation: Operation, body: string | undefined): readonly string[] {
  const sent = readJson(body);
  if (!isJsonObject(sent)) return [];
  const there = new Set(
    Object.keys(sent).map((name) => requirementId.requestFacet(operation.id, [name], 'optional')),
  );
  return optionalFacets(operation).filter((id) => !there.has(id));
}

/** Parameters in the path: what has fewer is asked first. */
function depthOf({ path }: Operation): number {
  return path.split('{').length - 1;
}

/** Lists show what is there, then additions make more. */
function turnOf({ method }: Operation): number {
  return method === 'GET' ? 0 : method === 'POST' ? 1 : 2;
}

/** In which phase a valid request to an operation goes. */
export function phaseOf({ method }: Operation): Phase {
  if (method === 'DELETE') return 'remove';
  return method === 'PUT' || method === 'PATCH' ? 'change' : 'create';
}

/** The requirements that a valid request shows, if it is served. */
function shownBySuccess(contract: Contract, operation: Operation): readonly string[] {
  const success = successId(operation);
  const status = success.slice(success.lastIndexOf('.') + 1);
  return (requirementsByOperation(contract).get(operation.id) ?? [])
    .filter(({ subject }) =>
      subject.kind === 'robustness'
        ? true
        : (subject.kind === 'status' ||
            subject.kind === 'header' ||
            (subject.kind === 'body' && subject.part !== 'error')) &&
          subject.status === status,
    )
    .map(({ id }) => id);
}
