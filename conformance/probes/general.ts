import { absentProbes } from './absent.ts';
import type { Contract } from '../../contract/contract.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { requirementsByOperation } from '../family/requirements.ts';
import { listSingleChanges, type SingleChange } from '../family/state/single-resource.ts';
import { boundaryValues } from '../generate/arbitrary.ts';
import { limitEdges, listLimits, mostLimitedMembers } from '../generate/edges.ts';
import { isValidRequest, plainRequestValue, plainValues } from '../generate/plain-value.ts';
import { isSame } from '../judge/trace/item.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { successId } from '../judge/trace/trace.ts';
import { once } from '../memo/once.ts';
import { readJson } from '../transport/exchange.ts';
import { writes } from '../transport/target.ts';
import { createProbe, NothingToSend, type Phase, type PlanContext, type Probe } from './probe.ts';
import {
  asValid,
  bodySchema,
  isServed,
  leftOut,
  membersOf,
  plainRequest,
  writersOf,
} from './requests.ts';

/** The operations of which nothing but their own description is known. */
export const listGeneralOperations = once((contract: Contract): readonly Operation[] => {
  const covered = new Set(
    contract.resources.flatMap((resource) => {
      const { list, get, remove, idParameter } = resource;
      const writers = writersOf(contract)(resource).map(({ operation }) => operation);
      if (idParameter === undefined) return [list, ...writers];
      return [list, get, ...writers, ...(writers.length > 0 ? [remove] : [])];
    }),
  );
  return contract.operations.filter((operation) => !covered.has(operation));
});

/** In which phase a valid request to an operation goes: where its path names something, once resources have items. */
export function phaseOf({ method, path }: Operation, { resources }: Contract): Phase {
  if (method === 'DELETE') return 'remove';
  if (method === 'PUT' || method === 'PATCH') return 'change';
  return resources.length > 0 && path.includes('{') ? 'values' : 'create';
}

/**
 * One valid request to each operation of which nothing but its own description is known: first what
 * shows and makes things, from the shortest paths on, then what changes them, then what removes them.
 */
export function listGeneralProbes({ contract }: PlanContext): readonly Probe[] {
  const sorted = listGeneralOperations(contract).toSorted(
    (one, other) => depthOf(one) - depthOf(other) || turnOf(one) - turnOf(other),
  );
  const removals = sorted.filter(({ method }) => method === 'DELETE').toReversed();
  return [...sorted.filter(({ method }) => method !== 'DELETE'), ...removals].map((operation) => {
    const optional = leftOut(operation);
    const shown = [
      ...shownBySuccess(contract, operation),
      ...optional.map(({ optionalId }) => optionalId),
    ];
    return generalProbe(contract, operation, 'plain', 0, shown, {
      run: (run) => {
        const request = plainRequest(operation, run);
        const exercises = lacking(operation, readJson(request.body));
        return run.session.send(asValid(request, exercises));
      },
    });
  });
}

function generalProbe(
  contract: Contract,
  operation: Operation,
  name: string,
  rank: number,
  proves: readonly string[],
  probe: Pick<Probe, 'run'> & Partial<Probe>,
): Probe {
  const isWrite = writes(operation);
  const id = `${operation.id}/${name}`;
  return createProbe({
    id,
    phase: phaseOf(operation, contract),
    rank,
    writes: isWrite,
    proves,
    ...probe,
  });
}

/** Parameters in the path: what has fewer is asked first. */
function depthOf({ path }: Operation): number {
  return path.split('{').length - 1;
}

/** Lists show what is there, then additions make more; those within an item that was added are empty first. */
function turnOf({ method, path }: Operation): number {
  const isWithin = path.includes('{');
  return method === 'POST' ? 1 : method === 'GET' ? (isWithin ? 2 : 0) : 3;
}

/** The requirements that a body may leave out what it lacks. */
function lacking(operation: Operation, value: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(value)) return [];
  const left = leftOut(operation).filter(({ name }) => !Object.hasOwn(value, name));
  return left.map(({ optionalId }) => optionalId);
}

/** The requirements that a valid request shows, if it is served. */
function shownBySuccess(contract: Contract, operation: Operation): readonly string[] {
  const success = successId(operation);
  const status = success.slice(success.lastIndexOf('.') + 1);
  return shownBy(contract, operation, status, ['robustness', 'status', 'header', 'body']);
}

/** The requirements of the response to a request that is refused. */
export function shownByRefusal(
  contract: Contract,
  operation: Operation,
  refused: number,
): readonly string[] {
  const { responses } = operation;
  const listed = responses.find(({ status }) => status === String(refused)) ?? responses.at(-1);
  return shownBy(contract, operation, listed?.status, ['header', 'body']);
}

/** The requirements of some families that a response with a status shows, or any response. */
function shownBy(
  contract: Contract,
  { id }: Operation,
  status: string | undefined,
  families: readonly string[],
): readonly string[] {
  return (requirementsByOperation(contract).get(id) ?? []).flatMap(({ id: shown, subject }) => {
    const isOfStatus =
      subject.kind === 'robustness' || ('status' in subject && subject.status === status);
    return families.includes(subject.kind) && isOfStatus ? [shown] : [];
  });
}

/** Whole bodies: with every member, with few, and with each at the ends of its limits. */
export function listGeneralBodyProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) => {
    const node = bodySchema(operation);
    if (node === undefined) return [];
    return [
      wholeProbe(contract, operation, node),
      ...bareProbes(contract, operation, node),
      ...edgeProbes(contract, operation, node),
    ];
  });
}

/**
 * What was added with every member is read again: only then all members are seen. So is the one item of
 * a path, which is changed twice: it may have been as the first request sends it.
 */
function wholeProbe(contract: Contract, operation: Operation, node: SchemaNode): Probe {
  const single = listSingleChanges(contract).find(({ change }) => change === operation);
  const read = operation.method === 'POST' ? findRead(contract, operation) : single?.get;
  const members = membersOf(operation);
  const taken = members.map(({ takenId }) => takenId);
  const stored = single === undefined ? [] : [requirementId.state(operation.id, 'stored')];
  return generalProbe(contract, operation, 'every member', 1, [...taken, ...stored], {
    requests: (read === undefined ? 1 : 2) * (single === undefined ? 1 : 2),
    run: async (run) => {
      const value = plainRequestValue(node, 'all');
      if (value === undefined) throw new NothingToSend('no valid value with all members was found');
      const sent = members.filter(({ name }) => isJsonObject(value) && Object.hasOwn(value, name));
      const exercises = sent.map(({ takenId }) => takenId);
      for (const body of single === undefined ? [value] : [value, otherBody(node, value, single)]) {
        const request = asValid(plainRequest(operation, run), exercises, body);
        if (!isServed(await run.session.send(request)) || read === undefined) return;
        const reading = plainRequest(read, run);
        if (reading.guessed.length === 0) await run.session.send(asValid(reading));
      }
    },
  });
}

/** The operation that shows an item of the collection that another adds to. */
function findRead({ operations }: Contract, { path }: Operation): Operation | undefined {
  const start = path.endsWith('/') ? path : `${path}/`;
  return operations.find(
    (one) =>
      one.method === 'GET' &&
      one.path.startsWith(start) &&
      /^\{[^{}/]+\}\/?$/.test(one.path.slice(start.length)),
  );
}

/** Another value of each member that a GET after a change has to show, as far as it has others. */
function otherBody(
  node: SchemaNode,
  body: JsonValue,
  { members, sentPlace }: SingleChange,
): JsonValue {
  let changed = body;
  for (const name of members.keys()) {
    const place = [...sentPlace, name];
    const member = schemaAt(node, place);
    const old = valueAt(body, place);
    const others = member === undefined ? [] : plainValues(member);
    const next = others
      .map((value) => ({ value, body: withValueAt(changed, place, value) }))
      .find((each) => !isSame(each.value, old) && isValidRequest(node, each.body));
    changed = next?.body ?? changed;
  }
  return changed;
}

/** A body without the members that the usual one has beyond those required. */
function bareProbes(contract: Contract, operation: Operation, node: SchemaNode): readonly Probe[] {
  const optional = leftOut(operation).map(({ optionalId }) => optionalId);
  if (optional.length === 0) return [];
  const probe = generalProbe(contract, operation, 'required members only', 2, optional, {
    run: async (run) => {
      const plain = plainRequest(operation, run);
      const { value } = sampleSchema(node, { direction: 'request', members: 'required' });
      const usual = readJson(plain.body);
      if (!isJsonObject(usual) || !isValidRequest(node, value)) return;
      const left = lacking(operation, value);
      const already = new Set(lacking(operation, usual));
      if (left.some((id) => !already.has(id))) await run.session.send(asValid(plain, left, value));
    },
  });
  return [probe];
}

/** Whole bodies with one member each at the end of one of its limits; the ends are found when they are sent. */
function edgeProbes(contract: Contract, operation: Operation, node: SchemaNode): readonly Probe[] {
  const members = membersOf(operation).filter(({ member }) => !member.shape().readOnly);
  if (members.length > mostLimitedMembers) return [];
  const edges = members.flatMap(({ name, member, takenId }) => {
    const count = listLimits(member).length + freeTextsOf(member).length;
    return Array.from({ length: count }, (_, at) => ({ name, member, takenId, at }));
  });
  return edges.map(({ name, member, takenId, at }, index) =>
    generalProbe(contract, operation, `limit ${at + 1} of ${name}`, index < 8 ? 2 : 3, [takenId], {
      isPart: true,
      run: async (run) => {
        const whole = plainRequestValue(node, 'all');
        if (!isJsonObject(whole)) return;
        const usual = whole[name];
        const ends = limitEdges(member).filter(
          ({ isShownBy }) => usual === undefined || !isShownBy(usual),
        );
        const edge = [...ends.map(({ value }) => value), ...freeTextsOf(member)][at];
        const value = edge === undefined ? undefined : { ...whole, [name]: edge };
        if (value !== undefined && isValidRequest(node, value))
          await run.session.send(asValid(plainRequest(operation, run), [takenId], value));
      },
    }),
  );
}

/** Texts with letters beyond ASCII of a member without limits: the edge of its type. */
function freeTextsOf(member: SchemaNode): readonly JsonValue[] {
  const { readOnly, values, examples } = member.shape();
  if (readOnly || values !== undefined || listLimits(member).length > 0) return [];
  const isExample = (value: JsonValue): boolean => examples.some((each) => each === value);
  return boundaryValues(member).filter((value) => typeof value === 'string' && !isExample(value));
}

/** Requests for what is not there, where the document has a 404 for it. */
export function listGeneralAbsentProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) =>
    absentProbes(contract, operation, 'far', { phase: 'invalid', rank: 2 }),
  );
}
