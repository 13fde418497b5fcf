import { documentLimits } from '../../limits/index.ts';
import type { Finding } from '../diagnostic-log.ts';
import type { Origin } from '../origin.ts';
import { appendPointer } from '../../json/pointer.ts';
import {
  addMember,
  isJsonArray,
  isJsonObject,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { keepItems, removeMember, setMember } from '../../json/edit.ts';
import type { Overlay, OverlayAction } from './action.ts';
import { createGrowth, type Growth, measureSize } from './growth.ts';
import { createSpender, rootNode, type Scope, TooManyStepsError } from './target/scope.ts';

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
  const scope: Scope = { root: document, spend: createSpender(), patterns: new Map() };
  const growth = createGrowth();
  for (const { source, actions } of overlays)
    for (const action of actions) {
      const { pointer } = action;
      const added: Added = (value, inUpdate) =>
        listener.added(value, { source, pointer: `${pointer}/update${inUpdate}` });
      const finding = apply(action, scope, growth, added);
      if (finding !== undefined)
        listener.report({ source, pointer: appendPointer(pointer, 'target') }, finding);
    }
}

/** What an action did not do. */
function apply(
  action: OverlayAction,
  scope: Scope,
  growth: Growth,
  added: Added,
): Finding | undefined {
  try {
    return action.change === 'remove'
      ? remove(action, scope)
      : update(action, action.change.update ?? null, scope, growth, added);
  } catch (error) {
    if (error instanceof RangeError) return tooMuch('is nested too deeply');
    if (!(error instanceof TooManyStepsError)) throw error;
    const { most } = documentLimits.overlaySteps;
    return tooMuch(`takes, with the targets before it, more than the ${most} steps that are taken`);
  }
}

/** Told of a value that was put into the document, with its pointer in the update. */
type Added = (value: object, inUpdate: string) => void;

const nothing: Finding = {
  level: 'warning',
  reason: 'selects nothing of the document',
  remedy: 'Correct the target, or remove the action.',
};

function tooMuch(reason: string): Finding {
  const remedy = 'Let it select less, or add less; until then the action is left out.';
  return { level: 'error', reason, remedy };
}

function remove({ find }: OverlayAction, scope: Scope): Finding | undefined {
  const lost = new Map<object, Set<string | number>>();
  const selectsAll = find(rootNode(scope.root), scope, ({ holder, name }) => {
    if (holder === undefined) return true;
    const names = lost.get(holder) ?? new Set();
    lost.set(holder, names.add(name));
    return false;
  });
  if (selectsAll)
    return {
      level: 'error',
      reason: 'selects the whole document, which cannot be removed',
      remedy: 'Name the part that is to go.',
    };
  if (lost.size === 0) return nothing;
  for (const [holder, names] of lost)
    if (Array.isArray(holder))
      keepItems(
        holder,
        holder.filter((_, index) => !names.has(index)),
      );
    else for (const name of names) removeMember(holder, String(name));
  return undefined;
}

function update(
  { find }: OverlayAction,
  change: JsonValue,
  scope: Scope,
  growth: Growth,
  added: Added,
): Finding | undefined {
  // A target may select one value twice.
  const values = new Set<JsonValue>();
  let deepest = 0;
  find(rootNode(scope.root), scope, ({ value, depth }) => {
    values.add(value);
    deepest = Math.max(deepest, depth);
    return false;
  });
  if (values.size === 0) return nothing;
  const size = measureSize(change);
  scope.spend(size.values * values.size);
  const excess = growth.add(size, values.size, deepest);
  if (excess !== undefined) return tooMuch(excess);
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
    const before = value.length;
    const items = isJsonArray(change) ? change : [change];
    for (const [index, item] of items.entries()) {
      const at = isJsonArray(change) ? `${inUpdate}/${index}` : inUpdate;
      setMember(value, before + index, add(item, at, added));
    }
    return true;
  }
  if (!isJsonObject(value) || !isJsonObject(change)) return false;
  for (const [name, member = null] of Object.entries(change)) {
    const known = ownMember(value, name);
    const at = appendPointer(inUpdate, name);
    const isAlike =
      (isJsonObject(known) && isJsonObject(member)) || (isJsonArray(known) && isJsonArray(member));
    if (isAlike) merge(known, member, at, added);
    else setMember(value, name, add(member, at, added));
  }
  return true;
}

/** Each target has its own: later actions may change one of them. */
function add(value: JsonValue, inUpdate: string, added: Added): JsonValue {
  const own = copy(value);
  if (typeof own === 'object' && own !== null) added(own, inUpdate);
  return own;
}

function copy(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  const own: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) addMember(own, name, copy(member));
  return own;
}
