import type { Contract } from '../../contract/contract.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { addAll } from '../../contract/list/list.ts';
import { type JsonValue, renderJson } from '../../contract/json/value.ts';
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
export function reloadRuntime(runtime: MockRuntime, contract: Contract): Reload {
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

/** Differences of two documents, a line each: operations, fields, rate limit, open questions. */
function listChanges(before: Contract, after: Contract): readonly string[] {
  const changes: string[] = [];
  if (before.basePath !== after.basePath) changes.push(`the base path is ${after.basePath || '/'}`);
  const [former, latter] = [partsOf(before, after), partsOf(after, before)];
  for (const [name, text] of latter)
    if (!former.has(name)) changes.push(`added the ${name}`);
    else if (former.get(name) !== text) changes.push(`changed the ${name}`);
  for (const name of former.keys()) if (!latter.has(name)) changes.push(`removed the ${name}`);
  return changes;
}

/** What is compared of a document, by what it is called; fields of the collections that another has, too. */
function partsOf(contract: Contract, other: Contract): ReadonlyMap<string, string> {
  const { document, operations, resources, openQuestions } = contract;
  const parts = new Map<string, string>();
  for (const { id, method, path, pointer } of operations)
    parts.set(`operation ${id}`, `${method} ${path} ${textOf(resolvePointer(document, pointer))}`);
  const shared = new Set(other.resources.map(({ collectionPath }) => collectionPath));
  for (const { collectionPath, create, item } of resources) {
    const sent = create?.requestBody?.content[0]?.schema ?? item;
    for (const schema of shared.has(collectionPath) ? [item, sent] : []) {
      const { properties, required } = schema.shape();
      for (const [name, node] of properties) {
        const part = `field of ${collectionPath} ${name}`;
        const text = `${required.has(name)} ${textOf(node.schema)}`;
        parts.set(part, `${parts.get(part) ?? ''} ${text}`);
      }
    }
  }
  parts.set('rate limit', textOf(document['x-rate-limit']));
  for (const { id, choices, default: usual } of openQuestions)
    parts.set(`question ${id}`, `${choices.map((choice) => choice.id).join()} ${usual}`);
  return parts;
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : renderJson(value);
}
