import * as fc from 'fast-check';
import {
  isJsonObject,
  requirementId,
  renderJson,
  successStatus,
  type JsonObject,
  type Operation,
  type Resource,
  type SchemaNode,
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
  const { node } = task.template;
  return [
    ...lists,
    ...reads,
    ...Array.from({ length: 3 }, () => createCommand(task, node, run)),
    refusedCommand(task, run),
    ...changeCommands(task, run),
  ];
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

const nothing = command(
  'nothing',
  () => undefined,
  () => false,
);

/** A list with any filters and any lawful limit. */
function listCommand({ resource: { list, filters, limit } }: FuzzTask): fc.Arbitrary<FuzzCommand> {
  const values = filters.map(
    ({ parameter: { name, schema } }) => [name, arbitraryOf(schema).map(renderPlain)] as const,
  );
  if (limit !== undefined) {
    const { parameter, minimum: min = 1, maximum: max = 1000 } = limit;
    values.push([parameter.name, fc.integer({ min, max }).map(String)]);
  }
  const some = values.map(([, value]) => fc.option(value, { nil: undefined }));
  return fc.tuple(...some).map((drawn) => {
    const query = Object.fromEntries(
      values.flatMap(([name], at) => (drawn[at] === undefined ? [] : [[name, drawn[at]]])),
    );
    const intent = { kind: 'valid', exercises: [], mayRefuse: [] } as const;
    const name = `list ${new URLSearchParams(query).toString()}`;
    return command(name, () => ({ operation: list, query, intent }));
  });
}

function readKnown({ resource }: FuzzTask): fc.Arbitrary<FuzzCommand> {
  return fc.nat().map((pick) =>
    command(
      'read a known item',
      (model) => readRequest(resource, pickFrom(model.ours(), pick), false),
      (model) => model.ours().length > 0,
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
      (model) => {
        const gone = model.removed();
        const id = gone[pick % Math.max(1, gone.length)] ?? unknown;
        if (get === undefined || idParameter === undefined) return undefined;
        const requirement = requirementId.status(get.id, 404);
        const intent = { kind: 'absent', requirement, id } as const;
        return { operation: get, path: { [idParameter.name]: id }, intent };
      },
      (model) => isDocumented && model.stateOf(unknown) === undefined,
    ),
  );
}

function createCommand(task: FuzzTask, node: SchemaNode, run: Run): fc.Arbitrary<FuzzCommand> {
  return arbitraryOf(node).map((drawn) =>
    command('add', () => (isJsonObject(drawn) ? addition(task, drawn, run) : undefined)),
  );
}

function refusedCommand(task: FuzzTask, run: Run): fc.Arbitrary<FuzzCommand> {
  return fc
    .nat({ max: 1_000_000 })
    .map((round) =>
      command('add, to be refused', () => invalidAdditions({ ...task, round }, run, 1)[0]),
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
  if (template === undefined) return fc.constant(nothing);
  return fc.tuple(arbitraryOf(template.node), fc.nat()).map(([drawn, pick]) =>
    command(
      operation.id,
      (model) => {
        const members = isJsonObject(drawn) ? drawn : {};
        const known = [...run.known.references(resource)].filter(
          ([name]) => template.references.has(name) && Object.hasOwn(members, name),
        );
        const body: JsonObject = { ...members, ...Object.fromEntries(known) };
        const sent =
          template.tagged !== undefined && Object.hasOwn(body, template.tagged)
            ? tagged(template, body, run.nextTag())
            : body;
        const mayRefuse = [...template.limited.values()].map(({ id }) => id);
        const id = pickFrom(model.ours(), pick);
        return changeRequest(resource, operation, id, mayRefuse, renderJson(sent));
      },
      (model) => model.ours().length > 0 && isJsonObject(drawn),
    ),
  );
}

function removeCommand({ resource }: FuzzTask, remove: Operation): fc.Arbitrary<FuzzCommand> {
  return fc.nat().map((pick) =>
    command(
      remove.id,
      (model) => changeRequest(resource, remove, pickFrom(model.ours(), pick), []),
      (model) => model.ours().length > 3,
    ),
  );
}

function changeRequest(
  { idParameter: parameter }: Resource,
  operation: Operation,
  id: string,
  mayRefuse: readonly string[],
  body?: string,
): Request | undefined {
  if (parameter === undefined || id === '') return undefined;
  const exercises = [requirementId.status(operation.id, successStatus(operation)?.status ?? '200')];
  return {
    operation,
    path: { [parameter.name]: id },
    intent: { kind: 'valid', exercises, mayRefuse },
    ...(body === undefined ? {} : { body }),
  };
}
