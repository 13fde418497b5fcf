import * as fc from 'fast-check';
import { canonicalInteger } from '../../contract/json/number.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { arbitraryOf, boundaryValues } from '../generate/arbitrary.ts';
import type { BodyTemplate } from '../generate/template.ts';
import { telltaleLengths } from '../generate/text.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { successId } from '../judge/trace/trace.ts';
import { longestList } from '../probes/lists.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { addedId, drawnRequest, readBack, type Writer } from '../probes/requests.ts';
import type { Shard } from '../shard/shard.ts';
import { readRateLimit } from '../transport/pacing.ts';
import { fuzzProbe, type FuzzTask } from './task.ts';

/** Additions drawn from the schema, then reads of some of them and one long list. */
export function generatedProbe(task: FuzzTask, create: Writer): Probe {
  const { id } = create.operation;
  return fuzzProbe(task, id, 'generated', {
    proves: [successId(create.operation)],
    run: (run) => addAndRead(task, create, run),
  });
}

async function addAndRead(task: FuzzTask, create: Writer, run: Run): Promise<void> {
  const { resource, size, round } = task;
  // Nearly all of the first few hundred items are read back, then some.
  const back = Math.floor(size * (round < 40 ? 1 / 2 : 1 / 4));
  const ids: string[] = [];
  for (const body of drawBodies(task, create, run, size - back)) {
    const added = await run.session.send(drawnRequest(create, run, body));
    const id = addedId(added, run, resource);
    if (id !== undefined) ids.push(id);
  }
  if (back > 1) await run.session.send(longestList(resource));
  for (const id of ids.slice(0, Math.max(0, back - 1))) {
    await readBack(run, resource, id);
  }
}

/** Rounds of two to eight additions at the same time, each followed by reads of what was added. */
export function togetherProbe(task: FuzzTask, create: Writer): Probe {
  const { id } = create.operation;
  return fuzzProbe(task, id, 'together', {
    proves: [requirementId.concurrency(id, 'unique'), requirementId.concurrency(id, 'stored')],
    run: (run) => addTogether(task, create, run),
  });
}

async function addTogether(task: FuzzTask, create: Writer, run: Run): Promise<void> {
  const { resource, size, round } = task;
  const end = run.session.exchanges.length + size;
  const bodies = [...drawBodies(task, create, run, size)];
  const salt = `together ${resource.collectionPath} ${round}`;
  const sizes = run.random.sample(fc.integer({ min: 2, max: 8 }), size, salt);
  for (const wanted of sizes) {
    const left = end - run.session.exchanges.length;
    const count = Math.min(wanted, left, room(run), bodies.length);
    if (count < 1) return;
    const requests = bodies.splice(0, count).map((body) => drawnRequest(create, run, body));
    const exchanges = await run.session.sendTogether(requests);
    const ids = exchanges.flatMap((exchange) => addedId(exchange, run, resource) ?? []);
    for (const id of ids.slice(0, Math.max(0, end - run.session.exchanges.length))) {
      await readBack(run, resource, id, [requirementId.concurrency(create.operation.id, 'stored')]);
    }
  }
}

/** How many requests the target still allows the key. One at least: the session waits. */
function room({ session, contract }: Run): number {
  const names = contract.rateLimit?.headers;
  const last = session.exchanges.findLast(
    ({ request, outcome }) => request.credential === 'valid' && outcome.kind === 'answered',
  );
  const remaining =
    names && last?.outcome.kind === 'answered'
      ? readRateLimit(last.outcome.response, names).remaining
      : undefined;
  return Math.max(1, remaining ?? Number.POSITIVE_INFINITY);
}

/**
 * Draws valid bodies for one probe. The very first of a run are the edges of each member, one at a
 * time. Of the others half count their free integers up from addition to addition, so that no
 * remainder is left out, a quarter do so from where types end, and a quarter have a text of the
 * next telltale length. Shards count up side by side, so that no number is left out between them.
 */
export function drawBodies(
  { round, shard }: FuzzTask,
  { template, resource, operation }: Writer,
  run: Run,
  count: number,
): readonly JsonObject[] {
  const drawn = run.random
    // The salt decides the draws, and so which requests a seed sends.
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
    return template.node.validate(changed).length === 0 ? changed : body;
  });
}

function edgeChanges(node: SchemaNode): readonly JsonObject[] {
  return [...node.shape().properties].flatMap(([name, member]) =>
    boundaryValues(member).map((value) => ({ [name]: value })),
  );
}

/** Where integers of fewer bytes end. */
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
      member.shape().values === undefined,
  );
  return Object.fromEntries(free.map(([name]) => [name, value]));
}

/** The text that is to carry the tag, cut or filled to a length at which storage may end. */
function measure({ tagged: name }: BodyTemplate, body: JsonObject, position: number): JsonObject {
  const text = name === undefined ? undefined : body[name];
  const length = telltaleLengths[Math.floor(position / 4) % telltaleLengths.length];
  if (position % 4 !== 2 || name === undefined || typeof text !== 'string' || length === undefined)
    return {};
  const characters = Array.from(text).slice(0, length);
  return { [name]: characters.join('') + 'x'.repeat(length - characters.length) };
}
