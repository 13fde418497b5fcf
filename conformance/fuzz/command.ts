import * as fc from 'fast-check';
import { isJsonObject } from '../../contract/json/value.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { tagNumber } from '../generate/tag.ts';
import type { Model } from '../judge/trace/model.ts';
import { renderPlain, successId } from '../judge/trace/trace.ts';
import { notFoundOf } from '../probes/absent.ts';
import { nearestSize } from '../probes/lists.ts';
import type { Run } from '../probes/probe.ts';
import { itemPath, itemRequest, readRequest } from '../probes/valid-request.ts';
import { drawnRequest, variantRequest, type Writer } from '../probes/writer.ts';
import { validIntent } from '../transport/exchange.ts';
import type { Request, Session } from '../transport/session.ts';
import { drawInvalid } from './invalid.ts';
import type { FuzzTask } from './task.ts';

/** The model that commands see. */
export interface FuzzModel extends Model {
  /** Requests that the sequence may still send. */
  readonly left: () => number;
  /** Takes in the exchanges that have come since the last time. */
  readonly catchUp: () => void;
}

type FuzzCommand = fc.AsyncCommand<FuzzModel, Session>;

/** One arbitrary for each thing that a client can do with a resource. */
export function listCommands(task: FuzzTask, run: Run): readonly fc.Arbitrary<FuzzCommand>[] {
  const { resource, writers } = task;
  const { get, remove } = resource;
  const lists = [listCommand(task), listCommand(task)];
  const read = toOwn('read a known item', (id) => readRequest(resource, id));
  const reads = get === undefined ? [] : [read, read, ...readUnknown(task, run)];
  const writes = writers.flatMap((writer) => {
    const valid = writeCommand(writer, run);
    const isCreate = writer.act === 'create';
    return [valid, valid, ...(isCreate ? [valid] : []), ...invalidCommand(task, writer, run)];
  });
  if (writers.length === 0 || remove === undefined) return [...lists, ...reads, ...writes];
  const removal = toOwn(
    remove.id,
    (id) => {
      const request = { operation: remove, path: itemPath(resource, id) };
      return { ...request, intent: validIntent([successId(remove)]) };
    },
    3,
  );
  return [...lists, ...reads, ...writes, removal, ...goneCommands(task, run)];
}

function command(
  name: string,
  request: (model: FuzzModel) => Request | undefined,
  check: (model: FuzzModel) => boolean = () => true,
): FuzzCommand {
  return {
    toString: () => name,
    check: (model) => model.left() > 0 && check(model),
    run: async (model, session) => {
      const wanted = request(model);
      if (wanted !== undefined) await session.send(wanted);
      model.catchUp();
    },
  };
}

/** A list with any filters and any valid limit. */
function listCommand({ resource: { list, filters, limit } }: FuzzTask): fc.Arbitrary<FuzzCommand> {
  const values = filters.map(
    ({ parameter: { name, schema } }): [string, fc.Arbitrary<string | undefined>] => [
      name,
      arbitraryOf(schema).map(renderPlain),
    ],
  );
  if (limit !== undefined) {
    const { parameter, minimum: min = 1, maximum: max = 1000 } = limit;
    const sizes = fc.integer({ min, max: Math.max(min, max) });
    values.push([parameter.name, sizes.map((size) => nearestSize(limit, size))]);
  }
  const some = values.map(([, value]) => fc.option(value, { nil: undefined }));
  return fc.tuple(...some).map((drawn) => {
    const query = Object.fromEntries(
      values.flatMap(([name], at) => (drawn[at] === undefined ? [] : [[name, drawn[at]]])),
    );
    const name = `list ${new URLSearchParams(query).toString()}`;
    return command(name, () => ({ operation: list, query, intent: validIntent() }));
  });
}

/** A request for one of the items that this run added, where there are more than `least`. */
function toOwn(
  name: string,
  request: (id: string) => Request | undefined,
  least = 0,
): fc.Arbitrary<FuzzCommand> {
  return toItem(name, (model) => model.ours(), request, least);
}

/** A request for one of some items. */
function toItem(
  name: string,
  listIds: (model: FuzzModel) => readonly string[],
  request: (id: string) => Request | undefined,
  least = 0,
): fc.Arbitrary<FuzzCommand> {
  return fc.nat().map((pick) =>
    command(
      name,
      (model) => request(pickFrom(listIds(model), pick)),
      (model) => listIds(model).length > least,
    ),
  );
}

/** The latest items as often as all others: what was just stored is lost first. */
function pickFrom(ids: readonly string[], pick: number): string {
  const pool = pick % 2 === 0 ? ids : ids.slice(-5);
  return pool[Math.floor(pick / 2) % pool.length] ?? '';
}

/** An item that was removed, else an identifier far from those that counters give out. */
function readUnknown({ resource }: FuzzTask, run: Run): readonly fc.Arbitrary<FuzzCommand>[] {
  const { get, idParameter } = resource;
  const requirement = get && notFoundOf(run.contract, get);
  if (get === undefined || requirement === undefined) return [];
  const isNumber = idParameter?.schema.shape().types.includes('integer') ?? false;
  const far = isNumber
    ? fc
        .integer({ min: 1_500_000_000, max: 2_100_000_000 })
        .map((id) => String(id + tagNumber(run.tag)))
    : fc.uuid();
  return [
    fc.tuple(far, fc.nat()).map(([unknown, pick]) =>
      command(
        'read an unknown item',
        (model) => {
          const gone = model.removed();
          const id = gone[pick % Math.max(1, gone.length)] ?? unknown;
          return itemRequest(get, resource, id, { kind: 'absent', requirement, id });
        },
        (model) => model.stateOf(unknown) === undefined,
      ),
    ),
  ];
}

/** A request that adds an item, or changes one that is known. */
function toTarget(
  { act, resource }: Writer,
  name: string,
  request: (path: Request['path']) => Request | undefined,
  pick: number,
): FuzzCommand {
  return act === 'create'
    ? command(name, () => request({}))
    : command(
        name,
        (model) => request(itemPath(resource, pickFrom(model.ours(), pick))),
        (model) => model.ours().length > 0,
      );
}

function writeCommand(writer: Writer, run: Run): fc.Arbitrary<FuzzCommand> {
  const { operation, template } = writer;
  return fc
    .tuple(arbitraryOf(template.node), fc.nat())
    .map(([drawn, pick]) =>
      toTarget(
        writer,
        operation.id,
        (path) => (isJsonObject(drawn) ? drawnRequest(writer, run, drawn, path) : undefined),
        pick,
      ),
    );
}

/** A body that breaks the contract in one way; a merge patch takes null for a removal (RFC 7396). */
function invalidCommand(
  task: FuzzTask,
  writer: Writer,
  run: Run,
): readonly fc.Arbitrary<FuzzCommand>[] {
  const { operation } = writer;
  if (operation.requestBody?.content[0]?.mediaType === 'application/merge-patch+json') return [];
  return [
    fc.tuple(fc.nat({ max: 1_000_000 }), fc.nat()).map(([round, pick]) =>
      toTarget(
        writer,
        `${operation.id}, to be refused`,
        (path) => {
          const [request] = drawInvalid({ ...task, round }, writer, run, 1);
          return request && { ...request, path };
        },
        pick,
      ),
    ),
  ];
}

/** Requests to an item that was removed, where the document has a 404 for that. */
function goneCommands(
  { resource, writers }: FuzzTask,
  run: Run,
): readonly fc.Arbitrary<FuzzCommand>[] {
  const changers = writers.filter(({ act }) => act !== 'create');
  const operations = [...changers.map(({ operation }) => operation), resource.remove];
  return operations.flatMap((operation, index) => {
    const requirement = operation && notFoundOf(run.contract, operation);
    if (operation === undefined || requirement === undefined) return [];
    const changer = changers[index];
    const request = (id: string): Request => {
      const path = itemPath(resource, id);
      const plain = changer ? variantRequest(changer, run, undefined, path) : { operation, path };
      return { ...plain, intent: { kind: 'absent', requirement, id } };
    };
    return [toItem(`${operation.id} of a removed item`, (model) => model.removed(), request)];
  });
}
