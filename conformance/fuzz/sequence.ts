import * as fc from 'fast-check';
import { isJsonObject } from '../../contract/json/value.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { tagNumber } from '../generate/tag.ts';
import { readTrace } from '../family/read-trace.ts';
import { scopeIn, scopeOf } from '../judge/trace/trace.ts';
import { Model } from '../judge/trace/model.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { renderPlain, successId } from '../judge/trace/trace.ts';
import { nearestSize } from '../probes/lists.ts';
import type { Probe, Run } from '../probes/probe.ts';
import {
  absentRequest,
  drawnRequest,
  itemPath,
  itemRequest,
  readRequest,
  type Writer,
} from '../probes/requests.ts';
import { validIntent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { drawInvalid } from './invalid.ts';
import { fuzzProbe, type FuzzTask } from './task.ts';

/** What a client may do next, by what is known of the items; undefined where that is not possible now. */
type Action = (model: Model, draw: Draw) => Request | undefined;

/** Draws one value; each call has another one. */
type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T | undefined;

/** Sequences of actions that a model chooses items for; their exchanges are judged afterwards. */
export function sequenceProbe(task: FuzzTask): Probe {
  const { list } = task.resource;
  return fuzzProbe(task, list.id, 'sequence', {
    writes: task.writers.length > 0,
    proves: [requirementId.status(list.id, 200)],
    run: (run) => runSequence(task, run),
  });
}

/** Actions that are drawn for each request before a probe gives up: a model may find nothing to do. */
const mostTries = 20;

/** How far back a model looks, in exchanges: older items are left to the checks. */
const memory = 300;

async function runSequence(task: FuzzTask, run: Run): Promise<void> {
  const { exchanges } = run.session;
  const model = new Model(task.resource);
  const end = exchanges.length + task.size;
  const actions = listActions(task, run);
  const salt = `sequence ${task.resource.collectionPath} ${task.round}`;
  const tries = mostTries * task.size;
  const chosen = run.random.sample(fc.constantFrom(...actions), tries, salt);
  let read = Math.max(0, exchanges.length - memory);
  let draws = 0;
  const draw: Draw = (arbitrary) => run.random.sample(arbitrary, 1, `${salt} ${(draws += 1)}`)[0];
  for (const act of chosen) {
    if (exchanges.length >= end) return;
    const scope = scopeIn(task.resource, run.known.within(task.resource).path);
    for (const reading of readTrace(run.contract, exchanges.slice(read)).readings)
      if (scopeOf(task.resource, reading) === scope) model.note(reading);
    read = exchanges.length;
    const request = act(model, draw);
    if (request !== undefined) await run.session.send(request);
  }
}

/** Everything that a client can do with a resource, what is done more often several times. */
function listActions(task: FuzzTask, run: Run): readonly Action[] {
  const { resource, writers } = task;
  const { get, remove } = resource;
  const readKnown: Action = (model, draw) =>
    toOne(model.idsOf('there'), draw, (id) => readRequest(resource, id));
  const actions = [listItems(task), listItems(task)];
  if (get !== undefined) actions.push(readKnown, readKnown, readUnknown(task, run));
  for (const writer of writers) {
    const write = writeValid(writer, run);
    actions.push(write, write, writeInvalid(task, writer, run));
    if (writer.act === 'create') actions.push(write);
  }
  if (writers.length === 0 || remove === undefined) return actions;
  const intent = validIntent([successId(remove)]);
  const removeOwn: Action = (model, draw) =>
    model.idsOf('there').length > 3
      ? toOne(model.idsOf('there'), draw, (id) => itemRequest(remove, resource, id, intent))
      : undefined;
  actions.push(removeOwn, removeOwn);
  for (const gone of [...writers.map(({ operation }) => operation), remove])
    if (gone !== resource.create)
      actions.push((model, draw) =>
        toOne(model.idsOf('removed'), draw, (id) => absentRequest(run, resource, gone, id)),
      );
  return actions;
}

/** A list with any filters and any valid limit. */
function listItems({ resource: { list, filters, limit } }: FuzzTask): Action {
  return (_model, draw) => {
    const query: Record<string, string> = {};
    for (const { parameter } of filters) {
      const value = draw(fc.option(arbitraryOf(parameter.schema)));
      const text = renderPlain(value ?? '');
      // Most servers take an empty value for none.
      if (text !== '') query[parameter.name] = text;
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

/** A request for one of some items; the latest as often as all others: what was just stored is lost first. */
function toOne(
  ids: readonly string[],
  draw: Draw,
  request: (id: string) => Request | undefined,
): Request | undefined {
  const pool = draw(fc.boolean()) === true ? ids : ids.slice(-5);
  const id = pool.length === 0 ? undefined : draw(fc.constantFrom(...pool));
  return id === undefined ? undefined : request(id);
}

/** An item that was removed, else an identifier far from those that counters give out. */
function readUnknown({ resource }: FuzzTask, run: Run): Action {
  const { get, idParameter } = resource;
  const isNumber = idParameter?.schema.shape().types.includes('integer') ?? false;
  const numbers = fc
    .integer({ min: 1_500_000_000, max: 2_100_000_000 })
    .map((id) => String(id + tagNumber(run.tag)));
  return (model, draw) => {
    const gone = model.idsOf('removed');
    const id = draw(gone.length > 0 ? fc.constantFrom(...gone) : isNumber ? numbers : fc.uuid());
    if (id === undefined || model.states.get(id)?.kind === 'there') return undefined;
    return absentRequest(run, resource, get, id);
  };
}

/** A request that adds an item, or changes one that is known. */
function toTarget(
  { act, resource }: Writer,
  model: Model,
  draw: Draw,
  request: (path?: Request['path']) => Request | undefined,
): Request | undefined {
  return act === 'create'
    ? request()
    : toOne(model.idsOf('there'), draw, (id) => request(itemPath(resource, id)));
}

function writeValid(writer: Writer, run: Run): Action {
  const bodies = arbitraryOf(writer.template.node);
  return (model, draw) =>
    toTarget(writer, model, draw, (path) => {
      const drawn = draw(bodies);
      return isJsonObject(drawn) ? drawnRequest(writer, run, drawn, path) : undefined;
    });
}

/** A body that breaks the contract in one way; a merge patch takes null for a removal (RFC 7396). */
function writeInvalid(task: FuzzTask, writer: Writer, run: Run): Action {
  const { requestBody } = writer.operation;
  const isMerge = requestBody?.content[0]?.mediaType === 'application/merge-patch+json';
  return (model, draw) =>
    isMerge
      ? undefined
      : toTarget(writer, model, draw, (path) => {
          const round = draw(fc.nat({ max: 1_000_000 })) ?? 0;
          const [request] = drawInvalid({ ...task, round }, writer, run, 1);
          return request && path ? { ...request, path } : request;
        });
}
