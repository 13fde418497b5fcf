import { requirementsByOperation } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { boundaryValues } from '../generate/boundary.ts';
import { inTurns, listInvalidBodies, refusalsOf } from './broken-body.ts';
import { isValidRequest, plainRequestValue } from '../generate/plain-value.ts';
import { plainRequestBody, renderRequestBody } from '../generate/request-body.ts';
import {
  limitEdges,
  listLimits,
  mostLimitedMembers,
  readTemplate,
} from '../generate/valid-body.ts';
import { changesOf } from '../judge/trace/collection.ts';
import { successId } from '../judge/trace/trace.ts';
import { once } from '../memo/once.ts';
import { readJson, statusOf, validIntent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import {
  createProbe,
  NothingToSend,
  type Phase,
  type PlanContext,
  type Probe,
  type Run,
} from './probe.ts';

/** The operations of which nothing but their own description is known. */
export const listGeneralOperations = once((contract: Contract): readonly Operation[] => {
  const covered = new Set(
    contract.resources.flatMap((resource) => {
      const { list, create, get, idParameter } = resource;
      const hasItems = idParameter !== undefined;
      const reads = hasItems ? [list, get] : [list];
      if (create === undefined || readTemplate(contract, create) === undefined) return reads;
      const changes = changesOf(resource).flatMap(({ act, operation }) =>
        act === 'remove' || readTemplate(contract, operation) !== undefined ? [operation] : [],
      );
      return [...reads, create, ...(hasItems ? changes : [])];
    }),
  );
  return contract.operations.filter((operation) => !covered.has(operation));
});

/** A valid request by the operation's own description. */
export interface PlainRequest extends Omit<Request, 'intent'> {
  /** Path parameters whose value is a guess. */
  readonly guessed: readonly string[];
}

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
  return { operation, path, guessed, ...ownBody(operation) };
}

/** A body by the operation's own description. */
export function ownBody(operation: Operation): Pick<Request, 'body' | 'headers'> {
  const made = plainRequestBody(operation);
  return made === undefined
    ? {}
    : { body: made.body, headers: { 'content-type': made.contentType } };
}

/** A request that keeps the contract; `value`: its body, where it is another one. */
export function asValid(
  { guessed, ...request }: PlainRequest,
  exercises: readonly string[] = [],
  value?: JsonValue,
): Request {
  const media = jsonContent(request.operation.requestBody?.content ?? []);
  const made = value === undefined || !media ? undefined : renderRequestBody(media, value);
  return {
    ...request,
    ...(made && { body: made.body, headers: { 'content-type': made.contentType } }),
    intent: {
      ...validIntent(exercises),
      ...(guessed.length === 0 ? {} : { guessed: [...guessed] }),
    },
  };
}

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
    const optional = membersOf(operation).filter(({ isRequired }) => !isRequired);
    return generalProbe(contract, operation, 'plain', 0, {
      proves: [
        ...shownBySuccess(contract, operation),
        ...optional.map(({ optionalId }) => optionalId),
      ],
      run: (run) => {
        const request = plainRequest(operation, run);
        const sent = readJson(request.body);
        const left = optional.filter(
          ({ name }) => isJsonObject(sent) && !Object.hasOwn(sent, name),
        );
        return run.session.send(
          asValid(
            request,
            left.map(({ optionalId }) => optionalId),
          ),
        );
      },
    });
  });
}

function generalProbe(
  contract: Contract,
  operation: Operation,
  name: string,
  rank: number,
  probe: Pick<Probe, 'proves' | 'run'> & Partial<Probe>,
): Probe {
  const id = `${operation.id}/${name}`;
  return createProbe({
    id,
    phase: phaseOf(operation, contract),
    rank,
    writes: writes(operation),
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

/** The members of a JSON body, with the requirements of what is taken. */
const membersOf = once((operation: Operation) => {
  const shape = jsonContent(operation.requestBody?.content ?? [])?.schema?.shape();
  return [...(shape?.properties ?? [])].map(([name, member]) => ({
    name,
    member,
    isRequired: shape?.required.has(name) === true,
    takenId: requirementId.requestFacet(operation.id, [name], 'taken'),
    optionalId: requirementId.requestFacet(operation.id, [name], 'optional'),
  }));
});

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

/** Bodies of one probe. */
const share = 8;

/** A whole body with every member, and bodies that are broken in one way each. */
export function listGeneralBodyProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) => {
    const node = jsonContent(operation.requestBody?.content ?? [])?.schema;
    const broken = brokenProbes(contract, operation, node);
    if (node === undefined) return broken;
    return [
      wholeProbe(contract, operation, node),
      ...bareProbes(contract, operation, node),
      ...edgeProbes(contract, operation, node),
      ...broken,
    ];
  });
}

/** What was added with every member is read again: only then all members are seen. */
function wholeProbe(contract: Contract, operation: Operation, node: SchemaNode): Probe {
  const read = operation.method === 'POST' ? findRead(contract, operation) : undefined;
  const members = membersOf(operation);
  return generalProbe(contract, operation, 'every member', 1, {
    requests: read === undefined ? 1 : 2,
    proves: members.map(({ takenId }) => takenId),
    run: async (run) => {
      const value = plainRequestValue(node, 'all');
      if (value === undefined) throw new NothingToSend('no valid value with all members was found');
      const sent = members.filter(({ name }) => isJsonObject(value) && Object.hasOwn(value, name));
      const exercises = sent.map(({ takenId }) => takenId);
      const request = asValid(plainRequest(operation, run), exercises, value);
      const added = await run.session.send(request);
      if (read === undefined || (statusOf(added) ?? 300) >= 300) return;
      const reading = plainRequest(read, run);
      if (reading.guessed.length === 0) await run.session.send(asValid(reading));
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

/** A body without the members that the usual one has beyond those required. */
function bareProbes(contract: Contract, operation: Operation, node: SchemaNode): readonly Probe[] {
  const optional = membersOf(operation).filter(({ isRequired }) => !isRequired);
  if (optional.length === 0) return [];
  const probe = generalProbe(contract, operation, 'required members only', 2, {
    proves: optional.map(({ optionalId }) => optionalId),
    run: async (run) => {
      const plain = plainRequest(operation, run);
      const { value } = sampleSchema(node, { direction: 'request', members: 'required' });
      const usual = readJson(plain.body);
      if (!isJsonObject(value) || !isJsonObject(usual) || !isValidRequest(node, value)) return;
      const left = optional.filter(({ name }) => !Object.hasOwn(value, name));
      if (!left.some(({ name }) => Object.hasOwn(usual, name))) return;
      const exercises = left.map(({ optionalId }) => optionalId);
      await run.session.send(asValid(plain, exercises, value));
    },
  });
  return [probe];
}

/** Whole bodies with one member each at the end of one of its limits, a few in each probe. */
function edgeProbes(contract: Contract, operation: Operation, node: SchemaNode): readonly Probe[] {
  const members = membersOf(operation);
  if (members.length > mostLimitedMembers) return [];
  const limited = members
    .filter(({ member }) => !member.shape().readOnly)
    .map((each) => ({
      ...each,
      count: listLimits(each.member).length + freeTextsOf(each.member).length,
    }))
    .filter(({ count }) => count > 0);
  const count = limited.reduce((sum, each) => sum + each.count, 0);
  const bodies = once((whole: JsonObject) =>
    limited.flatMap(({ name, member, takenId }) => {
      const edges = limitEdges(member).filter(
        ({ isShownBy }) => whole[name] === undefined || !isShownBy(whole[name]),
      );
      return [...edges.map((edge) => edge.value), ...freeTextsOf(member)]
        .map((edge) => ({ exercises: [takenId], value: { ...whole, [name]: edge } }))
        .filter(({ value }) => isValidRequest(node, value));
    }),
  );
  return shares(count).map(([start, end], part) =>
    generalProbe(contract, operation, `limits ${part + 1}`, part === 0 ? 2 : 3, {
      requests: end - start,
      proves: limited.map(({ takenId }) => takenId),
      isPart: true,
      run: async (run) => {
        const whole = plainRequestValue(node, 'all');
        if (!isJsonObject(whole)) return;
        for (const { exercises, value } of bodies(whole).slice(start, end))
          await run.session.send(asValid(plainRequest(operation, run), exercises, value));
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

/** Where each probe of so many bodies starts and ends. */
function shares(count: number): readonly (readonly [start: number, end: number])[] {
  return Array.from({ length: Math.ceil(count / share) }, (_, part) => [
    part * share,
    Math.min(count, (part + 1) * share),
  ]);
}

/** As many bodies as there are requirements of what is refused, a few in each probe. */
function brokenProbes(
  contract: Contract,
  operation: Operation,
  node: SchemaNode | undefined,
): readonly Probe[] {
  const status = refusalStatus(operation);
  const refused = refusalsOf(contract)(operation);
  if (status === undefined) return [];
  const bodies = once((_operation: Operation) => {
    const valid =
      node === undefined ? {} : (plainRequestValue(node, 'all') ?? plainRequestValue(node));
    return valid === undefined ? [] : inTurns(listInvalidBodies(contract, operation, valid));
  });
  return shares(refused.length).map(([start, end], part) =>
    generalProbe(contract, operation, `invalid bodies ${part + 1}`, part === 0 ? 2 : 3, {
      phase: 'invalid',
      requests: end - start,
      proves: [
        ...refused.slice(start, end).map(({ id }) => id),
        ...shownByRefusal(contract, operation, status),
      ],
      run: async (run) => {
        const { path = {}, headers: type } = plainRequest(operation, run);
        // The session knows the type of JSON.
        const headers = node === undefined && type !== undefined ? { headers: type } : {};
        for (const { requirement, way, text, unless } of bodies(operation).slice(start, end)) {
          const others = unless === undefined ? {} : { unless };
          const intent = { kind: 'invalid', requirement, way, status, ...others } as const;
          const body = text === undefined ? {} : { body: text };
          await run.session.send({ operation, path, ...headers, ...body, intent });
        }
      },
    }),
  );
}
