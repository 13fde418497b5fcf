import * as fc from 'fast-check';
import { refusalStatus } from '../../contract/requirement/reachable-responses.ts';
import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import type { Model } from '../judge/trace/model.ts';
import { nearestSize } from '../probes/parameter.ts';
import type { Run } from '../probes/probe.ts';
import type { Request, Session } from '../transport/session.ts';
import { readTemplate, type BodyTemplate } from '../generate/valid-body.ts';
import { renderPlain, successId } from '../judge/trace/trace.ts';
import { itemRequest, validRequest } from '../probes/valid-request.ts';
import { validIntent } from '../transport/exchange.ts';
import { addition, tagged } from './body.ts';
import { invalidAdditions } from './invalid.ts';
import { tagNumber } from '../generate/tag.ts';
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
  const { resource, template } = task;
  const lists = [listCommand(task), listCommand(task)];
  const read = knownCommand('read a known item', (id) => readRequest(resource, id, false));
  const reads = resource.get !== undefined ? [read, read, readUnknown(task, run)] : [];
  if (template === undefined) return [...lists, ...reads];
  const add = arbitraryOf(template.node).map((drawn) =>
    command('add', () => (isJsonObject(drawn) ? addition(task, drawn, run) : undefined)),
  );
  const addInvalid = fc
    .nat({ max: 1_000_000 })
    .map((round) =>
      command('add, to be refused', () => invalidAdditions({ ...task, round }, run, 1)[0]),
    );
  return [...lists, ...reads, add, add, add, addInvalid, ...changeCommands(task, run)];
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
function knownCommand(
  name: string,
  request: (id: string) => Request | undefined,
  least = 0,
): fc.Arbitrary<FuzzCommand> {
  return fc.nat().map((pick) =>
    command(
      name,
      (model) => request(pickFrom(model.ours(), pick)),
      (model) => model.ours().length > least,
    ),
  );
}

/** The latest items as often as all others: what was just stored is lost first. */
function pickFrom(ids: readonly string[], pick: number): string {
  const pool = pick % 2 === 0 ? ids : ids.slice(-5);
  return pool[Math.floor(pick / 2) % pool.length] ?? '';
}

/** An item that was removed, else an identifier far from those that counters give out. */
function readUnknown({ resource }: FuzzTask, run: Run): fc.Arbitrary<FuzzCommand> {
  const { get, idParameter } = resource;
  const isNumber = idParameter?.schema.shape().types.includes('integer') ?? false;
  const far = isNumber
    ? fc
        .integer({ min: 1_500_000_000, max: 2_100_000_000 })
        .map((id) => String(id + tagNumber(run.tag)))
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
        return itemRequest(get, resource, id, { kind: 'absent', requirement, id });
      },
      (model) => isDocumented && model.stateOf(unknown) === undefined,
    ),
  );
}

/** Replacements, updates and removals of known items, where the document has them. */
function changeCommands(task: FuzzTask, run: Run): readonly fc.Arbitrary<FuzzCommand>[] {
  const { resource } = task;
  const { replace, update, remove } = resource;
  const templates = [replace, update].flatMap((operation) => {
    const template = operation && readTemplate(run.contract, operation);
    return template?.node.shape().types.includes('object') === true ? [template] : [];
  });
  const changes = templates.flatMap((template) => {
    const change = changeCommand(resource, template, run);
    return [change, change, ...invalidChange(task, template, run)];
  });
  if (remove === undefined) return changes;
  const request = (id: string) => changeRequest(resource, remove, id, []);
  const gone = [...templates.map(({ operation }) => operation), remove].flatMap((operation) =>
    changeGone(resource, operation, run),
  );
  return [...changes, knownCommand(remove.id, request, 3), ...gone];
}

/** A change that breaks the contract in one way; a merge patch takes null for a removal (RFC 7396). */
function invalidChange(
  task: FuzzTask,
  template: BodyTemplate,
  run: Run,
): readonly fc.Arbitrary<FuzzCommand>[] {
  const { operation } = template;
  const { idParameter } = task.resource;
  const isMerge = operation.requestBody?.content[0]?.mediaType === 'application/merge-patch+json';
  const status = refusalStatus(operation);
  if (isMerge || status === undefined || idParameter === undefined) return [];
  const build = (round: number, id: string): Request | undefined => {
    const [request] = invalidAdditions({ ...task, template, status, round }, run, 1);
    return request && { ...request, path: { [idParameter.name]: id } };
  };
  return [
    fc.tuple(fc.nat({ max: 1_000_000 }), fc.nat()).map(([round, pick]) =>
      command(
        `${operation.id}, to be refused`,
        (model) => build(round, pickFrom(model.ours(), pick)),
        (model) => model.ours().length > 0,
      ),
    ),
  ];
}

/** A request to an item that was removed, where the document has a 404 for that. */
function changeGone(
  resource: Resource,
  operation: Operation,
  run: Run,
): readonly fc.Arbitrary<FuzzCommand>[] {
  const requirement = requirementId.status(operation.id, 404);
  if (run.contract.requirementOf(requirement) === undefined) return [];
  const build = (id: string): Request => {
    const request = itemRequest(operation, resource, id, { kind: 'absent', requirement, id });
    return { ...drawnBody(operation, run), ...request };
  };
  return [
    fc.nat().map((pick) =>
      command(
        `${operation.id} of a removed item`,
        (model) => build(pickFrom(model.removed(), pick)),
        (model) => model.removed().length > 0,
      ),
    ),
  ];
}

function drawnBody(operation: Operation, run: Run): Pick<Request, 'body'> {
  const { body } = validRequest(operation, run);
  return body === undefined ? {} : { body };
}

function changeCommand(
  resource: Resource,
  template: BodyTemplate,
  run: Run,
): fc.Arbitrary<FuzzCommand> {
  const { operation, node, references, limited } = template;
  return fc.tuple(arbitraryOf(node), fc.nat()).map(([drawn, pick]) =>
    command(
      operation.id,
      (model) => {
        const members = isJsonObject(drawn) ? drawn : {};
        const known = [...run.known.references(resource)].filter(
          ([name]) => references.has(name) && Object.hasOwn(members, name),
        );
        const body: JsonObject = { ...members, ...Object.fromEntries(known) };
        const isTagged = template.tagged !== undefined && Object.hasOwn(body, template.tagged);
        const sent = isTagged ? tagged(template, body, run.nextTag()) : body;
        const mayRefuse = [...limited.values()].map(({ id }) => id);
        const id = pickFrom(model.ours(), pick);
        return changeRequest(resource, operation, id, mayRefuse, renderJson(sent));
      },
      (model) => model.ours().length > 0 && isJsonObject(drawn),
    ),
  );
}

function changeRequest(
  resource: Resource,
  operation: Operation,
  id: string,
  mayRefuse: readonly string[],
  body?: string,
): Request | undefined {
  if (resource.idParameter === undefined || id === '') return undefined;
  const intent = validIntent([successId(operation)], mayRefuse);
  const request = itemRequest(operation, resource, id, intent);
  return body === undefined ? request : { ...request, body };
}
