import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import { keepItems, removeMember, setMember } from '../json/edit.ts';
import { appendPointer, renderFragment } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  maximumDepth,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { documentError, messageOf } from './diagnostic.ts';
import type { DiagnosticLog, Finding, SourceText } from './diagnostic-log.ts';
import { readSound } from './text.ts';

/** An OpenAPI Overlay 1.0: changes to another document, in their order. */
export interface Overlay {
  readonly text: string;
  readonly source: SourceText;
  readonly actions: readonly OverlayAction[];
}

interface OverlayAction {
  /** Its place in the overlay: `#/actions/0`. */
  readonly pointer: string;
  /** JSONPath (RFC 9535). */
  readonly target: JSONPathQuery;
  readonly change: 'remove' | { readonly update: JsonValue };
}

type Tokens = readonly (string | number)[];

/** Reads an OpenAPI Overlay 1.0. Throws a ContractError, with the place, for anything else. */
export async function readOverlay(text: string, name: string): Promise<Overlay> {
  const { value, locate } = await readSound(text, name);
  if (!isJsonObject(value))
    throw documentError('invalid-overlay', name, 'the document is not an object');
  const refuse = (tokens: Tokens, message: string): never => {
    const place = locate(tokens.map(String));
    throw documentError('invalid-overlay', name, message, {
      pointer: renderFragment(tokens),
      place,
    });
  };
  const { overlay: version, actions } = value;
  if (typeof version !== 'string' || !/^1\.0\.\d+$/.test(version))
    refuse(['overlay'], 'is not a known version of OpenAPI Overlay: write `overlay: 1.0.0`');
  if (!isJsonArray(actions) || actions.length === 0)
    return refuse(['actions'], 'must be a list of actions');
  // A document may be deeper than the package visits by default.
  const environment = new JSONPathEnvironment({ maxRecursionDepth: maximumDepth });
  return {
    text,
    source: { name, locate },
    actions: actions.map((action, index) => readAction(action, index, environment, refuse)),
  };
}

function readAction(
  action: JsonValue,
  index: number,
  environment: JSONPathEnvironment,
  refuse: (tokens: Tokens, message: string) => never,
): OverlayAction {
  const at = ['actions', index];
  if (!isJsonObject(action)) return refuse(at, 'must be an object');
  const { target, update, remove = false } = action;
  if (typeof target !== 'string')
    return refuse([...at, 'target'], 'must be a JSONPath query such as `$.paths`');
  if (typeof remove !== 'boolean') return refuse([...at, 'remove'], 'must be true or false');
  if (!remove && update === undefined) return refuse(at, 'has neither `update` nor `remove: true`');
  const pointer = renderFragment(at);
  const change = remove ? 'remove' : { update: update ?? null };
  try {
    return { pointer, target: environment.compile(target), change };
  } catch (cause) {
    const message = `is not a JSONPath query (RFC 9535): ${messageOf(cause)}`;
    return refuse([...at, 'target'], message);
  }
}

/** Changes a document that was just read, in place; reports actions that had no effect. */
export function applyOverlays(
  document: JsonObject,
  overlays: readonly Overlay[],
  log: DiagnosticLog,
): void {
  for (const { source, actions } of overlays)
    for (const { pointer, target, change } of actions) {
      const add = (value: object, inUpdate: string): void =>
        log.setOrigin(value, { source, pointer: `${pointer}/update${inUpdate}` });
      const finding =
        change === 'remove'
          ? removeTargets(document, target)
          : updateTargets(document, target, change.update, add);
      if (finding !== undefined)
        log.reportAt({ source, pointer: appendPointer(pointer, 'target') }, finding);
    }
}

const selectsNothing: Finding = {
  code: 'unused-action',
  message: 'selects nothing in the document',
  fix: 'Correct the target, or remove the action.',
};

/** The values that a target selects, with the names and indexes that lead to them. */
function select(document: JsonObject, target: JSONPathQuery) {
  return target.query(Object(document)).nodes;
}

function removeTargets(document: JsonObject, target: JSONPathQuery): Finding | undefined {
  const removed = new Map<object, Set<string | number>>();
  for (const { location } of select(document, target)) {
    const name = location.at(-1);
    if (name === undefined)
      return {
        code: 'invalid-overlay',
        message: 'selects the whole document, which cannot be removed',
        fix: 'Select the part to remove.',
      };
    let holder: unknown = document;
    for (const token of location.slice(0, -1)) holder = Object(holder)[token];
    if (typeof holder !== 'object' || holder === null) continue;
    removed.set(holder, (removed.get(holder) ?? new Set()).add(name));
  }
  for (const [holder, names] of removed)
    if (Array.isArray(holder))
      keepItems(
        holder,
        holder.filter((_, index) => !names.has(index)),
      );
    else for (const name of names) removeMember(holder, String(name));
  return removed.size === 0 ? selectsNothing : undefined;
}

/** Called with a value that was put into the document, and its pointer in the update. */
type Added = (value: object, inUpdate: string) => void;

function updateTargets(
  document: JsonObject,
  target: JSONPathQuery,
  update: JsonValue,
  added: Added,
): Finding | undefined {
  // A target may select one value twice.
  const values: ReadonlySet<unknown> = new Set(select(document, target).map(({ value }) => value));
  if (values.size === 0) return selectsNothing;
  let isRefused = false;
  for (const value of values) if (!merge(value, update, '', added)) isRefused = true;
  if (!isRefused) return undefined;
  const message = isJsonObject(update)
    ? 'selects a value that is neither an object nor a list'
    : 'selects an object, but the update is not an object';
  const fix = 'Select the object that holds the value, and update its member.';
  return { code: 'invalid-overlay', message, fix };
}

/** False where the update does not fit the value. */
function merge(value: unknown, update: JsonValue, inUpdate: string, added: Added): boolean {
  if (Array.isArray(value)) {
    const before = value.length;
    const items = isJsonArray(update) ? update : [update];
    for (const [index, item] of items.entries()) {
      const at = isJsonArray(update) ? `${inUpdate}/${index}` : inUpdate;
      setMember(value, before + index, copyOf(item, at, added));
    }
    return true;
  }
  if (!isJsonObject(value) || !isJsonObject(update)) return false;
  for (const [name, member = null] of Object.entries(update)) {
    const known = ownMember(value, name);
    const at = appendPointer(inUpdate, name);
    const isAlike =
      (isJsonObject(known) && isJsonObject(member)) || (isJsonArray(known) && isJsonArray(member));
    if (isAlike) merge(known, member, at, added);
    else setMember(value, name, copyOf(member, at, added));
  }
  return true;
}

/** Each target gets its own copy: later actions may change one of them. */
function copyOf(value: JsonValue, inUpdate: string, added: Added): JsonValue {
  const own = structuredClone(value);
  if (typeof own === 'object' && own !== null) added(own, inUpdate);
  return own;
}
