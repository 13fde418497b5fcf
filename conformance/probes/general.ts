import { refusalStatus } from '../../contract/openapi/response.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { requirementsByOperation, requirementsOf } from '../family/requirements.ts';
import { listPresences, listSingleChanges } from '../family/state/single-resource.ts';
import { isBreakable, isOpenIdentifier } from '../family/status.ts';
import { boundaryValues } from '../generate/arbitrary.ts';
import { limitEdges, listLimits, withOthers } from '../generate/edges.ts';
import { plainRequestValue } from '../generate/plain-value.ts';
import { carriedMembers } from '../generate/request-body.ts';
import { requirementId, type ParameterFacet } from '../judge/trace/requirement.ts';
import { itemResourceOf, successId } from '../judge/trace/trace.ts';
import type { Request } from '../transport/session.ts';
import { once } from '../../contract/memo/once.ts';
import { validIntent } from '../transport/exchange.ts';
import { isCarried } from '../transport/request-parts.ts';
import { isMadeByPut } from './known-items.ts';
import { absentProbes } from './reads.ts';
import { inTurns, listInvalidBodies, refusalsOf, refusedBody } from './broken-body.ts';
import {
  createProbe,
  NothingToSend,
  type Phase,
  type PlanContext,
  type Probe,
  type Run,
} from './probe.ts';
import {
  absentId,
  addItem,
  bodySchema,
  describe,
  isServed,
  itemRequest,
  lackedIds,
  lastParameter,
  leftOut,
  membersOf,
  plainlyLacked,
  plainRequest,
  validRequest,
  variantRequest,
  writersOf,
} from './requests.ts';

/** Operations outside of resources, known only by their own description. */
const generalOperations = once((contract: Contract): readonly Operation[] => {
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

/**
 * The phase of a valid request: after resources have items, if its path has an id; a removal of
 * what contains them, after all that needs them.
 */
function phaseOf(operation: Operation, contract: Contract): Phase {
  const { method, path } = operation;
  const { resources } = contract;
  if (method === 'DELETE')
    return resources.some(({ list }) => list.path.startsWith(`${path}/`))
      ? 'remove-parent'
      : 'remove';
  if (method === 'PUT' || method === 'PATCH' || isMadeByPut(operation, contract)) return 'change';
  return resources.length > 0 && path.includes('{') ? 'values' : 'create';
}

/**
 * Probes of operations outside of resources: valid requests; bodies with all members, with few, and
 * with each member at its limits; invalid bodies; and requests for missing items. Operations that
 * read and create go first, from the shortest paths on, then those that change, then those that
 * remove.
 */
export function* listGeneralProbes({ contract }: PlanContext): Generator<Probe> {
  const operations = generalOperations(contract);
  const turn = (operation: Operation): number => turnOf(operation, contract);
  const sorted = operations.toSorted((one, other) => turn(one) - turn(other));
  const removals = sorted.filter(({ method }) => method === 'DELETE').toReversed();
  for (const operation of [...sorted.filter(({ method }) => method !== 'DELETE'), ...removals])
    yield plainProbe(contract, operation);
  for (const operation of operations) yield* bodyProbes(contract, operation);
  for (const operation of operations) yield* invalidProbes(contract, operation);
  for (const operation of operations)
    yield* absentProbes(contract, operation, 'far', { phase: 'invalid', rank: 2 });
}

/**
 * Paths with fewer parameters go first. Lists show existing items, then additions create more;
 * lists nested in a new item are empty at first.
 */
function turnOf(operation: Operation, contract: Contract): number {
  const { method, path } = operation;
  const depth = path.split('{').length - 1;
  const isLate = method !== 'GET' || isMadeByPut(operation, contract);
  return 4 * depth + (method === 'POST' ? 1 : isLate ? 3 : depth > 0 ? 2 : 0);
}

function plainProbe(contract: Contract, operation: Operation): Probe {
  const success = successId(operation);
  const read = listPresences(contract).find(({ change }) => change === operation)?.get;
  const unused = read && unusedOf(operation);
  const state = requirementId.state(
    operation.id,
    operation.method === 'PUT' ? 'stored' : 'removed',
  );
  return createProbe(operation, 'plain', {
    phase: phaseOf(operation, contract),
    rank: 0,
    proves: [
      ...shownBy(contract, operation, success.slice(success.lastIndexOf('.') + 1), [
        'robustness',
        'status',
      ]),
      ...leftOut({ operation }).map(({ optionalId }) => optionalId),
      ...(read ? [state] : []),
    ],
    requests: read ? (unused ? 4 : 2) : 1,
    run: async (run) => {
      const request = plainRequest(operation, run);
      const requests = unused ? [request, atUnusedPath(request, unused, run)] : [request];
      const intent = { kind: 'unspecified', way: 'reads what was put or removed there' } as const;
      for (const each of requests) {
        const exchange = await run.session.send(each);
        if (read && isServed(exchange))
          await run.session.send({ operation: read, target: exchange.request.target, intent });
      }
    },
  });
}

/**
 * The path parameter of a PUT that may add something where nothing is (RFC 9110, section 9.3.4):
 * where something is, a PUT that does nothing goes unnoticed.
 */
function unusedOf(operation: Operation): Parameter | undefined {
  const parameter = lastParameter(operation);
  const mayAdd =
    operation.method === 'PUT' && operation.responses.some(({ status }) => status === '201');
  return mayAdd && parameter && isOpenIdentifier(parameter) ? parameter : undefined;
}

/** The same request where nothing is. */
function atUnusedPath(request: Request, parameter: Parameter, run: Run): Request {
  const { name } = parameter;
  const path = { ...request.path, [name]: absentId(parameter, run, [], false) };
  return { ...request, path, intent: { ...validIntent(), guessed: [name] } };
}

/**
 * The requirements of headers, bodies and other families that a response with a status can prove.
 */
function shownBy(
  contract: Contract,
  { id }: Operation,
  status: string | undefined,
  others: readonly string[] = [],
): readonly string[] {
  return (requirementsByOperation(contract).get(id) ?? [])
    .filter(
      ({ subject }) =>
        ['header', 'body', ...others].includes(subject.kind) &&
        (subject.kind === 'robustness' || ('status' in subject && subject.status === status)),
    )
    .map((requirement) => requirement.id);
}

/** The requirements that the response to a refused request can prove. */
function shownByRefusal(contract: Contract, operation: Operation, refused: number) {
  const { responses } = operation;
  const listed = responses.find(({ status }) => status === String(refused)) ?? responses.at(-1);
  return shownBy(contract, operation, listed?.status);
}

function bodyProbes(contract: Contract, operation: Operation): readonly Probe[] {
  const node = bodySchema(operation);
  if (node === undefined) return [];
  const phase = phaseOf(operation, contract);
  const members = membersOf({ operation });
  const probes = [wholeProbe(contract, operation, node)];
  const optional = leftOut({ operation }).map(({ optionalId }) => optionalId);
  if (optional.length > 0)
    probes.push(
      createProbe(operation, 'required members only', {
        phase,
        rank: 2,
        proves: optional,
        run: async (run) => {
          const { value } = sampleSchema(node, { direction: 'request', members: 'required' });
          if (!node.isValid(value, 'request')) return;
          const left = lackedIds({ operation }, value);
          const already = plainlyLacked(operation);
          if (left.some((id) => !already.includes(id)))
            await run.session.send(plainRequest(operation, run, left, value));
        },
      }),
    );
  const requirements = requirementsOf(contract);
  const edges = members.flatMap(({ name, member, takenId }) => {
    if (!requirements.has(takenId) || member.shape().readOnly) return [];
    const count = listLimits(member).length || freeTextsOf(member).length;
    return Array.from({ length: count }, (_, at) => ({ name, member, takenId, at }));
  });
  return [
    ...probes,
    // One complete body per limit, built when it is sent.
    ...edges.map(({ name, member, takenId, at }, index) =>
      createProbe(operation, `limit ${at + 1} of ${name}`, {
        phase,
        rank: index < 8 ? 2 : 3,
        proves: [takenId],
        isPart: true,
        run: async (run) => {
          const whole = plainRequestValue(node, 'all');
          if (!isJsonObject(whole)) return;
          const { [name]: usual } = whole;
          const ends = limitEdges(member)
            .filter(({ isShownBy }) => usual === undefined || !isShownBy(usual))
            .map(({ value }) => value);
          const edge = [...ends, ...freeTextsOf(member)][at];
          const value = { ...whole, [name]: edge ?? null };
          const isSent = Object.hasOwn(carriedMembers(operation, value), name);
          if (edge !== undefined && isSent && node.isValid(value, 'request'))
            await run.session.send(plainRequest(operation, run, [takenId], value));
        },
      }),
    ),
  ];
}

/** Texts with non-ASCII letters for a member without limits, as the edge values of its type. */
function freeTextsOf(member: SchemaNode): readonly JsonValue[] {
  const { types, values, examples } = member.shape();
  const isFree = types.includes('string') && values === undefined;
  if (!isFree || listLimits(member).length > 0) return [];
  return boundaryValues(member).filter(
    (value) => typeof value === 'string' && !examples.includes(value),
  );
}

/**
 * Items added with all members are read again, because only then all members can be seen. A single
 * item is read too, and changed twice, because it may already have had the first values.
 */
function wholeProbe(contract: Contract, operation: Operation, node: SchemaNode): Probe {
  const single = listSingleChanges(contract).find(({ change }) => change === operation);
  const read = operation.method === 'POST' ? findRead(contract, operation) : single?.get;
  const members = membersOf({ operation });
  const stored = single === undefined ? [] : [requirementId.state(operation.id, 'stored')];
  return createProbe(operation, 'every member', {
    phase: phaseOf(operation, contract),
    requests: (read === undefined ? 1 : 2) * (single === undefined ? 1 : 2),
    proves: [...members.map(({ takenId }) => takenId), ...stored],
    run: async (run) => {
      const value = plainRequestValue(node, 'all');
      if (value === undefined) throw new NothingToSend('no valid value with all members was found');
      const carried = isJsonObject(value) ? carriedMembers(operation, value) : {};
      const sent = members.filter(({ name }) => Object.hasOwn(carried, name));
      const exercises = sent.map(({ takenId }) => takenId);
      const { members: shown, sentPlace = [] } = single ?? {};
      const places = [...(shown?.keys() ?? [])].map((name) => [...sentPlace, name]);
      const bodies = single === undefined ? [value] : [value, withOthers(node, value, places)];
      for (const body of bodies) {
        const request = plainRequest(operation, run, exercises, body);
        if (!isServed(await run.session.send(request)) || read === undefined) return;
        const reading = plainRequest(read, run);
        if (reading.intent.kind === 'valid' && reading.intent.guessed === undefined)
          await run.session.send(reading);
      }
    },
  });
}

/** The operation that reads an item of the collection that another operation adds to. */
function findRead({ operations }: Contract, { path }: Operation): Operation | undefined {
  const start = path.endsWith('/') ? path : `${path}/`;
  return operations.find(
    (one) =>
      one.method === 'GET' &&
      one.path.startsWith(start) &&
      /^\{[^{}/]+\}\/?$/.test(one.path.slice(start.length)),
  );
}

/**
 * One invalid body per requirement. A document may have thousands, so each is built when it is
 * sent.
 */
function invalidProbes(contract: Contract, operation: Operation): readonly Probe[] {
  const status = refusalStatus(operation);
  if (status === undefined) return [];
  const node = bodySchema(operation);
  const shown = shownByRefusal(contract, operation, status);
  return refusalsOf(contract)(operation).map((refusal, index) => {
    const { id } = refusal;
    return createProbe(operation, `invalid: ${id.slice(operation.id.length + 1)}`, {
      phase: 'invalid',
      rank: index < 8 ? 2 : 3,
      proves: [id, ...shown],
      run: async (run) => {
        const { path, headers } = plainRequest(operation, run);
        const valid = node && (plainRequestValue(node, 'all') ?? plainRequestValue(node));
        const isUnknown = node !== undefined && valid === undefined;
        const bodies = isUnknown
          ? []
          : listInvalidBodies(contract, operation, valid ?? {}, [refusal]);
        const [invalid] = inTurns(bodies.filter(({ requirement }) => requirement === id));
        if (invalid === undefined)
          throw new NothingToSend('no body was found that breaks it and nothing else');
        await run.session.send({
          operation,
          path,
          // The session sets the media type of JSON.
          ...(node === undefined && headers && { headers }),
          ...refusedBody(invalid, status),
        });
      },
    });
  });
}

/** Each limit and each enumerated value of each query parameter, alone. */
export function listParameterValueProbes({ contract }: PlanContext): Iterable<Probe> {
  return contract.operations.values().flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query' && !isOfList(contract, operation, parameter))
      .flatMap((parameter) =>
        validValues(parameter).map(([facet, value], index) => {
          const requirement = requirementId.parameter(operation.id, parameter.name, facet);
          return createProbe(operation, `parameter: ${parameter.name}=${describe(value)}`, {
            phase: phaseOf(operation, contract),
            rank: facet === 'values' && index > 0 ? 4 : 2,
            proves: [requirement],
            isPart: facet === 'values',
            run: async (run) => {
              const request = await requestFor(operation, run, requirement);
              if (isCarried(parameter, value) && parameter.schema.isValid(value))
                await run.session.send({ ...request, values: new Map([[parameter, value]]) });
            },
          });
        }),
      ),
  );
}

/** A valid request. The session fills in parents. A removal removes a new item. */
async function requestFor(operation: Operation, run: Run, requirement: string): Promise<Request> {
  const { contract } = run;
  const adder = contract.resources
    .flatMap((each) => writersOf(contract)(each))
    .find((writer) => writer.act === 'create' && writer.operation === operation);
  if (adder !== undefined) {
    return { ...variantRequest(adder, run), intent: validIntent([requirement]) };
  }
  const resource = itemResourceOf(contract, operation);
  if (resource === undefined && !generalOperations(contract).includes(operation))
    return { operation, intent: validIntent([requirement]) };
  if (resource === undefined || operation.method !== 'DELETE')
    return plainRequest(operation, run, [requirement]);
  const id = await addItem(run, resource);
  if (id === undefined) throw new NothingToSend('the suite can add no item to remove');
  return itemRequest(operation, resource, id, validIntent([requirement]));
}

/** List parameters of a resource have their own probes, which check the listed items. */
function isOfList({ resources }: Contract, operation: Operation, parameter: Parameter): boolean {
  return resources.some(
    ({ list, limit, filters }) =>
      list.id === operation.id &&
      (limit?.parameter === parameter || filters.some((filter) => filter.parameter === parameter)),
  );
}

/** Values that a parameter must accept, each with the facet that says so. */
function validValues({ schema }: Parameter): readonly (readonly [ParameterFacet, JsonValue])[] {
  const found: [ParameterFacet, JsonValue][] = [];
  for (const facet of ['minimum', 'maximum'] as const) {
    const value = extremeOf(schema, facet);
    if (value !== undefined) found.push([facet, value]);
  }
  for (const value of schema.shape().values ?? []) found.push(['values', value]);
  return found;
}

/**
 * Query parameters with an invalid text, if the document has refusals. Few documents forbid
 * ignoring such a value, so the response may be a success or a refusal, and only its form is
 * judged.
 */
export function listBrokenParameterProbes({ contract }: PlanContext): readonly Probe[] {
  const isAll = contract.openQuestions.length === 0;
  const operations = isAll ? contract.operations : generalOperations(contract);
  return operations.flatMap((operation) => {
    const status = refusalStatus(operation);
    const parameter = operation.parameters.find(isBreakable);
    const proves = status === undefined ? [] : shownByRefusal(contract, operation, status);
    if (parameter === undefined || proves.length === 0) return [];
    const way = `an invalid \`${parameter.name}\``;
    const probe = createProbe(operation, `unspecified: ${way}`, {
      phase: 'invalid',
      rank: 3,
      proves,
      run: async (run) => {
        const { target: _target, ...request } = validRequest(operation, run);
        const query = { ...request.query, [parameter.name]: 'no-such-value' };
        await run.session.send({ ...request, query, intent: { kind: 'unspecified', way } });
      },
    });
    return [probe];
  });
}
