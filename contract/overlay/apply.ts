import type { Finding } from '../diagnostic/diagnostic-log.ts';
import type { Origin } from '../diagnostic/origin.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { keepItems, removeMember, setMember } from '../mend/base/edit.ts';
import type { Location, Overlay } from './action.ts';

/** Is told what overlays do. */
export interface OverlayListener {
  /** A value that came out of an overlay. */
  readonly added: (value: object, origin: Origin) => void;
  /** An action that did not do what it is for. */
  readonly report: (origin: Origin, finding: Finding) => void;
}

/** Changes a document that was just read, in place. */
export function applyOverlays(
  document: JsonObject,
  overlays: readonly Overlay[],
  listener: OverlayListener,
): void {
  for (const { source, actions } of overlays)
    for (const { pointer, find, change } of actions) {
      const finding =
        change === 'remove'
          ? remove(document, find(document))
          : update(document, find(document), change.update ?? null, (value, inUpdate) =>
              listener.added(value, { source, pointer: `${pointer}/update${inUpdate}` }),
            );
      if (finding !== undefined)
        listener.report({ source, pointer: appendPointer(pointer, 'target') }, finding);
    }
}

/** Told of a value that was put into the document, with its pointer in the update. */
type Added = (value: object, inUpdate: string) => void;

const nothing: Finding = {
  level: 'warning',
  reason: 'selects nothing of the document',
  remedy: 'Correct the target, or remove the action.',
};

function remove(document: JsonObject, targets: readonly Location[]): Finding | undefined {
  if (targets.length === 0) return nothing;
  const lost = new Map<JsonValue, Set<string | number>>();
  for (const target of targets) {
    const name = target.at(-1);
    const holder = valueAt(document, target.slice(0, -1));
    if (name === undefined || holder === undefined)
      return {
        level: 'error',
        reason: 'selects the whole document, which cannot be removed',
        remedy: 'Name the part that is to go.',
      };
    lost.set(holder, (lost.get(holder) ?? new Set()).add(name));
  }
  for (const [holder, names] of lost)
    if (isJsonArray(holder))
      keepItems(
        holder,
        holder.filter((_, index) => !names.has(index)),
      );
    else if (isJsonObject(holder)) for (const name of names) removeMember(holder, String(name));
  return undefined;
}

function update(
  document: JsonObject,
  targets: readonly Location[],
  change: JsonValue,
  added: Added,
): Finding | undefined {
  if (targets.length === 0) return nothing;
  // A target may select one value twice.
  const values = new Set(targets.map((target) => valueAt(document, target)));
  const refused = [...values].filter((value) => !merge(value, change, '', added));
  return refused.length === 0
    ? undefined
    : {
        level: 'error',
        reason: isJsonObject(change)
          ? 'selects a value that is no object or list'
          : 'selects an object, and the update is none',
        remedy: 'Select the object that holds the value, and update its member.',
      };
}

/** False where the value takes no such update. */
function merge(
  value: JsonValue | undefined,
  change: JsonValue,
  inUpdate: string,
  added: Added,
): boolean {
  if (isJsonArray(value)) {
    const items = isJsonArray(change)
      ? change.map((item, index) => copy(item, `${inUpdate}/${index}`, added))
      : [copy(change, inUpdate, added)];
    keepItems(value, [...value, ...items]);
    return true;
  }
  if (!isJsonObject(value) || !isJsonObject(change)) return false;
  for (const [name, member = null] of Object.entries(change)) {
    const known = ownMember(value, name);
    const at = appendPointer(inUpdate, name);
    const isAlike =
      (isJsonObject(known) && isJsonObject(member)) || (isJsonArray(known) && isJsonArray(member));
    if (isAlike) merge(known, member, at, added);
    else setMember(value, name, copy(member, at, added));
  }
  return true;
}

/** Each target has its own: later actions may change one of them. */
function copy(value: JsonValue, inUpdate: string, added: Added): JsonValue {
  const own = structuredClone(value);
  if (typeof own === 'object' && own !== null) added(own, inUpdate);
  return own;
}

function valueAt(document: JsonObject, location: Location): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of location)
    value = isJsonArray(value)
      ? value[Number(token)]
      : isJsonObject(value)
        ? ownMember(value, String(token))
        : undefined;
  return value;
}
