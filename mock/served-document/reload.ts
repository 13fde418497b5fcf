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
  /** What differs, one short line each: `added operation removePet`. */
  readonly changes: readonly string[];
  /** Items that do not fit; they are served again once they fit a later document. */
  readonly setAside: readonly (MisplacedItem & { readonly sandbox: string })[];
  /** Items of the seed and choices of sandboxes that do not fit: why each is left out. */
  readonly leftOut: readonly string[];
}

/** Serves another document and keeps every sandbox. Changes nothing where it throws. */
export function reloadRuntime(runtime: MockRuntime, contract: Contract): Reload {
  const changes = listChanges(runtime.service.contract, contract);
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

/** Differences of two documents, a line each: operations, components, files, other members. */
function listChanges(before: Contract, after: Contract): readonly string[] {
  const [former, latter] = [partsOf(before), partsOf(after)];
  const changes: string[] = [];
  for (const [name, text] of latter)
    if (!former.has(name)) changes.push(`added ${name}`);
    else if (former.get(name) !== text) changes.push(`changed ${name}`);
  for (const name of former.keys()) if (!latter.has(name)) changes.push(`removed ${name}`);
  return changes;
}

/** The parts of a document, by what they are called. */
function partsOf({ document, operations }: Contract): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const { paths: _paths, components = {}, 'x-files': files = {}, ...others } = document;
  for (const { id, method, path, pointer } of operations)
    parts.set(`operation ${id}`, `${method} ${path} ${textOf(resolvePointer(document, pointer))}`);
  for (const [kind, members] of Object.entries({ ...Object(components) }))
    for (const [name, value] of Object.entries<JsonValue>({ ...Object(members) }))
      parts.set(`components/${kind}/${name}`, textOf(value));
  // Files that the document refers to are in it by their names.
  for (const [name, value] of Object.entries<JsonValue>({ ...others, ...Object(files) }))
    parts.set(name, textOf(value));
  return parts;
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : renderJson(value);
}
