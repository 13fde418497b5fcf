import { isMergePatch } from '../../contract/openapi/media-type.ts';
import { refusalStatus } from '../../contract/openapi/response.ts';
import { absentRequest, longestList, nearestSize } from '../probes/reads.ts';
import * as fc from 'fast-check';
import { canonicalInteger } from '../../contract/json/number.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import {
  arbitraryOf,
  boundaryValues,
  fitText,
  isUsualInteger,
  telltaleLengths,
} from '../generate/arbitrary.ts';
import { tagBody, tagDrawn, type BodyTemplate } from '../generate/template.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { renderPlain, successId } from '../judge/trace/trace.ts';
import { listBreaks, readBreak, refusedBody } from '../probes/broken-body.ts';
import type { PlanContext, Probe, Run } from '../probes/probe.ts';
import {
  absentId,
  addedId,
  additionPath,
  drawnRequest,
  itemPath,
  itemRequest,
  readBack,
  readRequest,
  seenIds,
  writersOf,
  type Writer,
} from '../probes/requests.ts';
import { dealParts, type Part, type Shard } from '../shard/shard.ts';
import { validIntent } from '../transport/exchange.ts';
import { isCarried } from '../transport/request-parts.ts';
import type { Request } from '../transport/session.ts';

/** The inputs of one fuzzing probe. */
interface FuzzTask {
  readonly resource: Resource;
  /**
   * The operations that write its items, those that add items first; empty if nothing may be added.
   */
  readonly writers: readonly Writer[];
  /** Index among the fuzzing probes of the resource, which seeds its random values. */
  readonly round: number;
  /** Number of requests. */
  readonly size: number;
  /** The shard that sends it; undefined without shards. */
  readonly shard: Shard | undefined;
}

/** A probe of one round, which adds items by default. `operation` and `name` form its id. */
function fuzzProbe(
  { round, size }: FuzzTask,
  operation: string,
  name: string,
  probe: Pick<Probe, 'proves' | 'run'> & Partial<Probe>,
): Probe {
  const id = `${operation}/fuzz ${round + 1}: ${name}`;
  return { id, phase: 'fuzz', rank: 9, requests: size, writes: true, ...probe };
}

/** A kind of fuzzing probes. */
interface Turn {
  readonly name: string;
  readonly requests: number;
  readonly make: (task: FuzzTask, create: Writer) => Probe;
}

/**
 * The kinds of fuzzing probes in their order, with the requests of each. Those that need many
 * requests for rare values come first.
 */
const turns: readonly Turn[] = [
  { name: 'generated', requests: 24, make: generatedProbe },
  { name: 'sequence', requests: 24, make: sequenceProbe },
  { name: 'generated', requests: 24, make: generatedProbe },
  { name: 'invalid', requests: 22, make: invalidProbe },
  { name: 'generated', requests: 24, make: generatedProbe },
  { name: 'together', requests: 16, make: togetherProbe },
];

/**
 * Probes that spend exactly a number of requests on properties and model-based sequences: generated
 * additions that are read back, bodies that are invalid in one way, sequences against a model,
 * concurrent additions. Each resource gets its share. `readOnly`: only sequences of reads. Each
 * probe belongs to one shard and has the same seed as without shards.
 */
export function listFuzzProbes(
  context: PlanContext,
  requests: number,
  readOnly: boolean,
  shard?: Shard,
): readonly Probe[] {
  const { resources } = context.contract;
  const share = Math.floor(requests / Math.max(1, resources.length));
  const parts = resources.flatMap((resource, index) => {
    const rest = index === 0 ? requests % resources.length : 0;
    return fill(resource, context, share + rest, readOnly, shard);
  });
  const own = shard === undefined ? parts : dealParts(parts, shard.count)[shard.index - 1];
  return (own ?? []).map(({ make }) => make());
}

function fill(
  resource: Resource,
  { contract }: PlanContext,
  requests: number,
  readOnly: boolean,
  shard: Shard | undefined,
): readonly (Part & { readonly make: () => Probe })[] {
  const writers = readOnly ? [] : writersOf(contract)(resource);
  const [create] = writers;
  const parts: (Part & { readonly make: () => Probe })[] = [];
  for (let left = requests, round = 0; left > 0; round += 1) {
    const turn = create === undefined ? undefined : turns[round % turns.length];
    const size = Math.min(turn?.requests ?? 24, left);
    const task = { resource, writers, round, size, shard };
    parts.push({
      kind: `${resource.collectionPath} ${turn?.name ?? 'sequence'}`,
      requests: size,
      make: () => (turn && create ? turn.make(task, create) : sequenceProbe(task)),
    });
    left -= size;
  }
  return parts;
}

/** Adds generated items, then reads some of them and one long list. */
function generatedProbe(task: FuzzTask, create: Writer): Probe {
  const { resource, size, round } = task;
  const { id: operation } = create.operation;
  return fuzzProbe(task, operation, 'generated', {
    proves: [successId(create.operation)],
    run: async (run) => {
      // Reads back nearly all of the first few hundred items, then fewer.
      const back = Math.floor(size * (round < 40 ? 1 / 2 : 1 / 4));
      const ids: string[] = [];
      for (const body of drawBodies(task, create, run, size - back)) {
        const added = await run.session.send(drawnRequest(create, run, body));
        const id = addedId(added, run, resource);
        if (id !== undefined) ids.push(id);
      }
      if (back > 1) await run.session.send(longestList(resource));
      for (const id of ids.slice(0, Math.max(0, back - 1))) await readBack(run, resource, id);
    },
  });
}

/** Rounds of two to eight concurrent additions, each followed by reads of the new items. */
function togetherProbe(task: FuzzTask, create: Writer): Probe {
  const { resource, size, round } = task;
  const { id: operation } = create.operation;
  const stored = requirementId.concurrency(operation, 'stored');
  return fuzzProbe(task, operation, 'together', {
    proves: [requirementId.concurrency(operation, 'unique'), stored],
    run: async (run) => {
      const end = run.session.exchanges.length + size;
      const left = (): number => end - run.session.exchanges.length;
      const bodies = [...drawBodies(task, create, run, size)];
      for (let turn = round; bodies.length > 0 && left() > 0; turn += 3) {
        const some = bodies.splice(0, Math.min(2 + (turn % 7), left()));
        const requests = some.map((body) => drawnRequest(create, run, body));
        const exchanges = await run.session.sendTogether(requests);
        const ids = exchanges.flatMap((exchange) => addedId(exchange, run, resource) ?? []);
        for (const id of ids.slice(0, Math.max(0, left())))
          await readBack(run, resource, id, [stored]);
      }
    },
  });
}

/**
 * Generates valid bodies for one probe. The first of a run are the edge values of each member, one
 * at a time. Of the others, half increment their free integers from addition to addition, to cover
 * every remainder; a quarter do so starting at integer limits; and a quarter have a text of the
 * next critical length. Shards interleave their numbers, to leave no gaps.
 */
function drawBodies(
  { round, shard }: FuzzTask,
  { template, resource, operation }: Writer,
  run: Run,
  count: number,
): readonly JsonObject[] {
  const drawn = run.random
    // The salt determines the random values, so changing it changes what a seed sends.
    .sample(arbitraryOf(template.node), count, `deep ${operation.id} ${round}`)
    .filter(isJsonObject);
  const edges = edgeChanges(template.node);
  const added = run.known.added(resource).size;
  return drawn.map((body, index) => {
    const edge = edges[round * count + index];
    const changed = {
      ...body,
      ...(edge ?? {
        ...countUp(template, body, added + index, run.random.seed, shard),
        ...measure(template, body, added + index),
      }),
    };
    return template.node.isValid(changed) ? changed : body;
  });
}

function edgeChanges(node: SchemaNode): readonly JsonObject[] {
  return [...node.shape().properties].flatMap(([name, member]) =>
    boundaryValues(member).map((value) => ({ [name]: value })),
  );
}

/** Limits of smaller integer types. */
const ends = [2n ** 31n, -(2n ** 31n), 2n ** 15n, 2n ** 32n, 2n ** 40n, 2n ** 53n] as const;

function countUp(
  { node }: BodyTemplate,
  body: JsonObject,
  position: number,
  seed: number,
  { index, count }: Pick<Shard, 'index' | 'count'> = { index: 1, count: 1 },
): JsonObject {
  if (position % 4 === 3) return {};
  const end = position % 4 === 1 ? (ends[Math.floor(position / 4) % ends.length] ?? 0n) : 0n;
  const step = Math.floor(position / 2) * count + index - 1;
  const value = canonicalInteger(end + BigInt((seed % 1000) * 7 + step));
  const free = [...node.shape().properties].filter(
    ([name, member]) =>
      Object.hasOwn(body, name) &&
      member.shape().types.includes('integer') &&
      member.shape().values === undefined &&
      isUsualInteger(member.shape(), value),
  );
  return Object.fromEntries(free.map(([name]) => [name, value]));
}

/** The tagged text, cut or padded to a length at which storage often ends. */
function measure({ tagged: name }: BodyTemplate, body: JsonObject, position: number): JsonObject {
  const text = name === undefined ? undefined : body[name];
  const length = telltaleLengths[Math.floor(position / 4) % telltaleLengths.length];
  if (position % 4 !== 2 || name === undefined || typeof text !== 'string' || length === undefined)
    return {};
  return { [name]: fitText(text, length, length) };
}

/** Additions that a random change makes invalid in exactly one way, then a list. */
function invalidProbe(task: FuzzTask, create: Writer): Probe {
  const { operation, resource } = create;
  const { id } = operation;
  return fuzzProbe(task, id, 'invalid', {
    proves: [requirementId.state(id, `not-written.${refusalStatus(operation) ?? 400}`)],
    run: async (run) => {
      for (const request of drawInvalid(task, create, run, task.size - 1))
        await run.session.send(request);
      await run.session.send(longestList(resource));
    },
  });
}

/**
 * Generates valid bodies and breaks each in one random way. Fewer, if a broken body is still valid.
 */
function drawInvalid(task: FuzzTask, writer: Writer, run: Run, count: number): readonly Request[] {
  const { template, operation, resource } = writer;
  const status = refusalStatus(operation);
  const requests: Request[] = [];
  if (status === undefined) return requests;
  const tries = count * 6;
  const places = run.random.sample(fc.nat(), tries, `invalid ${operation.id} ${task.round}`);
  const references = run.known.references(resource);
  for (const [index, drawn] of drawBodies(task, writer, run, tries).entries()) {
    if (requests.length >= count) break;
    const valid = tagDrawn(template, tagBody(template, drawn, 'tag', references), run.nextTag());
    const breaks = [...listBreaks(run.contract, operation, template.wrap(valid))];
    const broken = breaks[(places[index] ?? 0) % breaks.length];
    const invalid = broken && readBreak(operation, broken);
    if (invalid === undefined) continue;
    const path = additionPath(writer, run);
    requests.push({ operation, path, ...refusedBody(invalid, status) });
  }
  return requests;
}

/** A possible next request; undefined if it is not possible now. */
type Action = (draw: Draw) => Request | undefined;

/** Generates one value; every call returns another one. */
type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T | undefined;

/** Sequences of actions on items of the run. Their exchanges are judged afterwards. */
function sequenceProbe(task: FuzzTask): Probe {
  const { list } = task.resource;
  return fuzzProbe(task, list.id, 'sequence', {
    writes: task.writers.length > 0,
    proves: [requirementId.status(list.id, 200)],
    run: (run) => runSequence(task, run),
  });
}

/** Attempts to find an action for a request, because there may be no item for it. */
const maxTries = 20;

/** How many of the latest items are used; older ones are only checked by the judges. */
const memory = 100;

async function runSequence(task: FuzzTask, run: Run): Promise<void> {
  const { exchanges } = run.session;
  const end = exchanges.length + task.size;
  const actions = listActions(task, run);
  const salt = `sequence ${task.resource.collectionPath} ${task.round}`;
  const tries = maxTries * task.size;
  const chosen = run.random.sample(fc.constantFrom(...actions), tries, salt);
  let draws = 0;
  const draw: Draw = (arbitrary) => run.random.sample(arbitrary, 1, `${salt} ${(draws += 1)}`)[0];
  for (const act of chosen) {
    if (exchanges.length >= end) return;
    const request = act(draw);
    if (request !== undefined) await run.session.send(request);
  }
}

/** Everything that a client can do with a resource. Frequent actions are listed several times. */
function listActions(task: FuzzTask, run: Run): readonly Action[] {
  const { resource, writers } = task;
  const { get, remove } = resource;
  const added: Ids = () => run.known.added(resource).keys();
  const removed: Ids = () => run.known.removed(resource);
  const actions = [listItems(task), listItems(task)];
  if (get !== undefined) {
    const readKnown = toOne(added, (id) => readRequest(resource, id));
    const readRemoved = toOne(removed, (id) => absentRequest(run, get, id));
    const readAbsent: Action = (draw) => readRemoved(draw) ?? farRequest(task, run);
    actions.push(readKnown, readKnown, readAbsent);
  }
  for (const writer of writers) {
    const valid = writeValid(writer, run, added);
    actions.push(valid, valid, writeInvalid(task, writer, run, added));
    if (writer.act === 'create') actions.push(valid);
  }
  if (writers.length === 0 || remove === undefined) return actions;
  const intent = validIntent([successId(remove)]);
  const removeOne = toOne(added, (id) => itemRequest(remove, resource, id, intent));
  const removeOwn: Action = (draw) =>
    run.known.added(resource).size > 3 ? removeOne(draw) : undefined;
  actions.push(removeOwn, removeOwn);
  for (const gone of [...writers.map(({ operation }) => operation), remove])
    if (gone !== resource.create)
      actions.push(toOne(removed, (id) => absentRequest(run, gone, id)));
  return actions;
}

/** Reads an id far from those that counters assign. */
function farRequest({ resource }: FuzzTask, run: Run): Request | undefined {
  const { get, idParameter } = resource;
  if (idParameter === undefined) return undefined;
  const tagged = { ...run, tag: run.nextTag() };
  return absentRequest(run, get, absentId(idParameter, tagged, seenIds(resource, run), true));
}

/** A list request with any filters and any valid limit. */
function listItems({ resource: { list, filters, limit } }: FuzzTask): Action {
  return (draw) => {
    const query: Record<string, string> = {};
    for (const { parameter } of filters) {
      const value = draw(fc.option(arbitraryOf(parameter.schema))) ?? null;
      // Most servers treat an empty value as missing, and refuse long ones.
      if (isCarried(parameter, value)) query[parameter.name] = renderPlain(value);
    }
    if (limit !== undefined) {
      const { parameter, minimum: min = 1, maximum: max = 1000 } = limit;
      const wanted = draw(fc.option(fc.integer({ min, max: Math.max(min, max) })));
      const size = typeof wanted === 'number' ? nearestSize(limit, wanted) : undefined;
      if (size !== undefined) query[parameter.name] = size;
    }
    return { operation: list, query, intent: validIntent() };
  };
}

/** The ids of some items of the run at present, oldest first. */
type Ids = () => Iterable<string>;

/**
 * A request for one of some items. Half of the time one of the latest five, because new items are
 * lost first.
 */
function toOne(all: Ids, request: (id: string, draw: Draw) => Request | undefined): Action {
  return (draw) => {
    const pool = [...all()].slice(draw(fc.boolean()) === true ? -memory : -5);
    const id = pool.length === 0 ? undefined : draw(fc.constantFrom(...pool));
    return id === undefined ? undefined : request(id, draw);
  };
}

/** A request that adds an item, or changes a known one. */
function write(
  { act, resource }: Writer,
  added: Ids,
  request: (draw: Draw, path?: Request['path']) => Request | undefined,
): Action {
  return act === 'create'
    ? (draw) => request(draw)
    : toOne(added, (id, draw) => request(draw, itemPath(resource, id)));
}

function writeValid(writer: Writer, run: Run, added: Ids): Action {
  const bodies = arbitraryOf(writer.template.node);
  return write(writer, added, (draw, path) => {
    const drawn = draw(bodies);
    return isJsonObject(drawn) ? drawnRequest(writer, run, drawn, path) : undefined;
  });
}

/**
 * A body that is invalid in one way. Never for merge patches, in which null means removal (RFC
 * 7396).
 */
function writeInvalid(task: FuzzTask, writer: Writer, run: Run, added: Ids): Action {
  const isMerge = isMergePatch(writer.operation);
  return write(writer, added, (draw, path) => {
    const round = draw(fc.nat({ max: 1_000_000 })) ?? 0;
    const [request] = isMerge ? [] : drawInvalid({ ...task, round }, writer, run, 1);
    return request && path ? { ...request, path } : request;
  });
}
