import type { Contract } from '../../contract/contract.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { addAll } from '../../contract/list/list.ts';
import { type JsonValue, renderJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { resolvePointer } from '../../contract/json/pointer.ts';
import type { MisplacedItem } from '../items/store/store.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ChoiceIds, Service } from '../sandbox/service.ts';
import type { MockRuntime } from './served-document.ts';

/** What came of serving another document. */
export interface Reload {
  /** What differs, one short line each: `added the operation removePet`. */
  readonly changes: readonly string[];
  /** Items that do not fit; they are served again once they fit a later document. */
  readonly setAside: readonly (MisplacedItem & { readonly sandbox: string })[];
  /** Items of the seed and choices of sandboxes that do not fit: why each is left out. */
  readonly leftOut: readonly string[];
}

/** Serves another document and keeps every sandbox. Changes nothing where it throws. */
export async function reloadRuntime(runtime: MockRuntime, contract: Contract): Promise<Reload> {
  const changes = listChanges(runtime.contract, contract);
  const leftOut: string[] = [];
  const service = runtime.plan(contract, (fault) => leftOut.push(fault.message));
  runtime.adopt(service);
  const setAside = runtime.sandboxes.all.flatMap((sandbox) => {
    const settings = applySettings(runtime, sandbox, sandbox);
    addAll(leftOut, settings.leftOut);
    return settings.setAside.map((item) => ({ ...item, sandbox: sandbox.name }));
  });
  return { changes, setAside, leftOut };
}

/** Gives a sandbox choices and limits of its own, without those that the document does not have. */
export function applySettings(
  runtime: MockRuntime,
  sandbox: Sandbox,
  { choices, limits }: Pick<Sandbox, 'choices' | 'limits'>,
): Pick<Reload, 'leftOut'> & { readonly setAside: readonly MisplacedItem[] } {
  const isPossible = (some: ChoiceIds): boolean => findService(runtime, some) !== undefined;
  const unknown = isPossible(choices)
    ? []
    : Object.entries(choices).filter(([id, choice]) => !isPossible({ [id]: choice }));
  const leftOut = unknown.map(
    ([id, choice]) =>
      `The sandbox ${sandbox.name} chose ${id}=${choice}, which the document does not have.`,
  );
  sandbox.limits = limits;
  try {
    runtime.service.openMeter(undefined, limits);
  } catch (error) {
    if (!hasCode(error, 'limit')) throw error;
    sandbox.limits = {};
    leftOut.push(
      `The sandbox ${sandbox.name} had limits that the document does not have. ${error.message}`,
    );
  }
  const left = new Set(unknown.map(([id]) => id));
  const possible = Object.entries(choices).filter(([id]) => !left.has(id));
  return { leftOut, setAside: runtime.choose(sandbox, Object.fromEntries(possible)) };
}

/** The service for some choices; undefined if the document does not have them. */
export function findService(runtime: MockRuntime, choices: ChoiceIds): Service | undefined {
  try {
    return runtime.serviceFor(choices);
  } catch (error) {
    if (!hasCode(error, 'choice')) throw error;
    return undefined;
  }
}

/** Differences of two documents, a line each: operations, fields, limits, open questions. */
function listChanges(before: Contract, after: Contract): readonly string[] {
  return [
    ...(before.basePath === after.basePath ? [] : [`the base path is ${after.basePath || '/'}`]),
    ...compare('operation', operationsOf(before), operationsOf(after)),
    ...after.resources.flatMap((resource) => fieldChanges(before, resource)),
    ...(textOf(before.document['x-rate-limit']) === textOf(after.document['x-rate-limit'])
      ? []
      : ['changed the rate limit']),
    ...compare('question', questionsOf(before), questionsOf(after)),
  ];
}

function operationsOf({ operations, document }: Contract): ReadonlyMap<string, string> {
  return new Map(operations.map((operation) => [operation.id, describe(operation, document)]));
}

function describe({ method, path, pointer }: Operation, document: JsonValue): string {
  return `${method} ${path} ${textOf(resolvePointer(document, pointer))}`;
}

function questionsOf({ openQuestions }: Contract): ReadonlyMap<string, string> {
  return new Map(
    openQuestions.map(({ id, choices, default: usual }) => [
      id,
      `${choices.map((choice) => choice.id).join()} ${usual}`,
    ]),
  );
}

/** Fields of what clients send and are answered. */
function fieldChanges(before: Contract, resource: Resource): readonly string[] {
  const former = before.resources.find(
    ({ collectionPath }) => collectionPath === resource.collectionPath,
  );
  if (former === undefined) return [];
  const place = resource.collectionPath;
  return [
    ...new Set([
      ...compare(`field of ${place}`, fieldsOf(former.item), fieldsOf(resource.item)),
      ...compare(`field of ${place}`, fieldsOf(sentSchema(former)), fieldsOf(sentSchema(resource))),
    ]),
  ];
}

function sentSchema({ create, item }: Resource): SchemaNode {
  return create?.requestBody?.content[0]?.schema ?? item;
}

function fieldsOf(schema: SchemaNode): ReadonlyMap<string, string> {
  const { properties, required } = schema.shape();
  return new Map(
    [...properties].map(([name, node]) => [name, `${required.has(name)} ${textOf(node.schema)}`]),
  );
}

function compare(
  kind: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = [...after].flatMap(([name, text]) => {
    const former = before.get(name);
    if (former === undefined) return [`added the ${kind} ${name}`];
    return former === text ? [] : [`changed the ${kind} ${name}`];
  });
  const removed = [...before.keys()]
    .filter((name) => !after.has(name))
    .map((name) => `removed the ${kind} ${name}`);
  return [...changed, ...removed];
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : renderJson(value);
}
