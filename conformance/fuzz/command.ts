import * as fc from 'fast-check';
import {
  isJsonObject,
  requirementId,
  renderJson,
  successStatus,
  type JsonObject,
  type Operation,
} from '../../contract/index.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import type { Model } from '../judge/trace/model.ts';
import type { Run } from '../probes/probe.ts';
import type { Request, Session } from '../transport/session.ts';
import { readTemplate } from '../generate/valid-body.ts';
import { renderPlain } from '../judge/trace/trace.ts';
import { addition, tagged } from './body.ts';
import { invalidAdditions } from './invalid.ts';
import { readRequest, type FuzzTask } from './task.ts';

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
  const lists = [listCommand(task), listCommand(task)];
  const reads =
    task.resource.get !== undefined ? [readKnown(task), readKnown(task), readUnknown(task)] : [];
  if (task.template === undefined) return [...lists, ...reads];
  return [
    ...lists,
    ...reads,
    createCommand(task, run),
    createCommand(task, run),
    createCommand(task, run),
    refusedCommand(task, run),
    ...changeCommands(task, run),
  ];
}

function command(
  name: string,
  check: (model: FuzzModel) => boolean,
  request: (model: FuzzModel) => Request | undefined,
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

/** A list with any filters and any lawful limit. */
function listCommand({ resource: { list, filters, limit } }: FuzzTask): fc.Arbitrary<FuzzCommand> {
  const limits = limit
    ? [
        fc.option(fc.integer({ min: limit.minimum ?? 1, max: limit.maximum ?? 1000 }).map(String), {
          nil: undefined,
        }),
      ]
    : [];
  const names = [
    ...filters.map(({ parameter }) => parameter.name),
    ...(limit !== undefined ? [limit.parameter.name] : []),
  ];
  const values = [
    ...filters.map(({ parameter }) =>
      fc.option(arbitraryOf(parameter.schema).map(renderPlain), { nil: undefined }),
    ),
    ...limits,
  ];
  return fc.tuple(...values).map((drawn) => {
    const query = Object.fromEntries(
      names.flatMap((name, index) => (drawn[index] === undefined ? [] : [[name, drawn[index]]])),
    );
    return command(
      `list ${new URLSearchParams(query).toString()}`,
      () => true,
      () => ({ operation: list, query, intent: { kind: 'valid', exercises: [], mayRefuse: [] } }),
    );
  });
}

function readKnown({ resource }: FuzzTask): fc.Arbitrary<FuzzCommand> {
  return fc.nat().map((pick) =>
    command(
      'read a known item',
      (model) => model.ours().length > 0,
      (model) => readRequest(resource, pickFrom(model.ours(), pick), false),
    ),
  );
}

/** The latest items as often as all others: what was just stored is lost first. */
function pickFrom(ids: readonly string[], pick: number): string {
  const pool = pick % 2 === 0 ? ids : ids.slice(-5);
  return pool[Math.floor(pick / 2) % pool.length] ?? '';
}

/** An item that was removed, else an identifier far from those that counters give out. */
function readUnknown({ resource: { get, idParameter } }: FuzzTask): fc.Arbitrary<FuzzCommand> {
  const isNumber = idParameter?.schema.shape().types.includes('integer') ?? false;
  const far = isNumber
    ? fc.integer({ min: 1_500_000_000, max: 2_147_483_647 }).map(String)
    : fc.uuid();
  const isDocumented = get?.responses.some(({ status }) => status === '404') ?? false;
  return fc.tuple(far, fc.nat()).map(([unknown, pick]) =>
    command(
      'read an unknown item',
      (model) => isDocumented && model.stateOf(unknown) === undefined,
      (model) => {
        const gone = model.removed();
        const id = gone[pick % Math.max(1, gone.length)] ?? unknown;
        if (get === undefined || idParameter === undefined) return undefined;
        return {
          operation: get,
          path: { [idParameter.name]: id },
          intent: { kind: 'absent', requirement: requirementId.status(get.id, 404), id },
        };
      },
    ),
  );
}

function createCommand(task: FuzzTask, run: Run): fc.Arbitrary<FuzzCommand> {
  const { template } = task;
  if (template === undefined)
    return fc.constant(
      command(
        'nothing',
        () => false,
        () => undefined,
      ),
    );
  return arbitraryOf(template.node).map((drawn) =>
    command(
      'add',
      () => true,
      () => (isJsonObject(drawn) ? addition(task, drawn, run) : undefined),
    ),
  );
}

function refusedCommand(task: FuzzTask, run: Run): fc.Arbitrary<FuzzCommand> {
  return fc.nat({ max: 1_000_000 }).map((round) =>
    command(
      'add, to be refused',
      () => true,
      () => invalidAdditions({ ...task, round }, run, 1)[0],
    ),
  );
}

/** Replacements, updates and removals of known items, where the document has them. */
function changeCommands(task: FuzzTask, run: Run): readonly fc.Arbitrary<FuzzCommand>[] {
  const { replace, update, remove } = task.resource;
  const bodies = [replace, update].flatMap((operation) =>
    operation !== undefined ? [changeCommand(task, operation, run)] : [],
  );
  return remove !== undefined ? [...bodies, removeCommand(task, remove)] : bodies;
}

function changeCommand(
  { resource }: FuzzTask,
  operation: Operation,
  run: Run,
): fc.Arbitrary<FuzzCommand> {
  const template = readTemplate(run.contract, operation);
  if (template === undefined)
    return fc.constant(
      command(
        'nothing',
        () => false,
        () => undefined,
      ),
    );
  return fc.tuple(arbitraryOf(template.node), fc.nat()).map(([drawn, pick]) =>
    command(
      operation.id,
      (model) => model.ours().length > 0 && isJsonObject(drawn),
      (model) => {
        const known = Object.fromEntries(
          [...run.known.references(resource)].filter(
            ([name]) =>
              template.references.has(name) && isJsonObject(drawn) && Object.hasOwn(drawn, name),
          ),
        );
        const body: JsonObject = { ...(isJsonObject(drawn) ? drawn : {}), ...known };
        const sent =
          template.tagged !== undefined && Object.hasOwn(body, template.tagged)
            ? tagged(template, body, run.nextTag())
            : body;
        const mayRefuse = [...template.limited.values()].map(({ id }) => id);
        return changeRequest(
          resource.idParameter?.name,
          operation,
          pickFrom(model.ours(), pick),
          mayRefuse,
          renderJson(sent),
        );
      },
    ),
  );
}

function removeCommand({ resource }: FuzzTask, remove: Operation): fc.Arbitrary<FuzzCommand> {
  return fc.nat().map((pick) =>
    command(
      remove.id,
      (model) => model.ours().length > 3,
      (model) =>
        changeRequest(resource.idParameter?.name, remove, pickFrom(model.ours(), pick), []),
    ),
  );
}

function changeRequest(
  parameter: string | undefined,
  operation: Operation,
  id: string,
  mayRefuse: readonly string[],
  body?: string,
): Request | undefined {
  if (parameter === undefined || id === '') return undefined;
  const exercises = [requirementId.status(operation.id, successStatus(operation)?.status ?? '200')];
  return {
    operation,
    path: { [parameter]: id },
    intent: { kind: 'valid', exercises, mayRefuse },
    ...(body === undefined ? {} : { body }),
  };
}
