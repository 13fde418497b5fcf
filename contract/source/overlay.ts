import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import { hasCode } from '../error/petstore-error.ts';
import * as codec from '../json/codec.ts';
import { keepItems, removeMember, setMember } from '../json/edit.ts';
import { appendPointer, parsePointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  maximumDepth,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import {
  type DiagnosticLog,
  documentError,
  type Finding,
  messageOf,
  type SourceText,
} from './diagnostic.ts';
import { readSound } from './text.ts';

const action = codec.refine(
  codec.openObject({
    /** JSONPath (RFC 9535). */
    target: codec.text,
    update: codec.optional(codec.json),
    remove: codec.optional(codec.flag),
  }),
  ({ update, remove }) => remove === true || update !== undefined,
  'an action with `update` or `remove: true`',
);

const form = codec.openObject({
  overlay: codec.refine(
    codec.text,
    (version) => /^1\.0\.\d+$/.test(version),
    'a known version of OpenAPI Overlay: write `overlay: 1.0.0`',
  ),
  actions: codec.list(action),
});

/** An OpenAPI Overlay 1.0: changes to another document, in order. */
export interface Overlay {
  readonly text: string;
  readonly source: SourceText;
  readonly actions: readonly {
    /** Its pointer in the overlay: `#/actions/0`. */
    readonly pointer: string;
    readonly target: JSONPathQuery;
    /** Undefined for an action that removes its targets. */
    readonly update: JsonValue | undefined;
  }[];
}

/** Reads an OpenAPI Overlay 1.0. Throws a ContractError with a position for anything else. */
export async function readOverlay(text: string, name: string): Promise<Overlay> {
  const { value = null, locate } = await readSound(text, name);
  const refuse = (pointer: string, message: string): never => {
    const place = locate(parsePointer(pointer));
    throw documentError('invalid-overlay', name, message, { pointer, place });
  };
  const readForm = () => {
    try {
      return form.read(value, '#');
    } catch (cause) {
      if (!hasCode(cause, 'shape')) throw cause;
      const { place = '#', detail } = cause;
      return refuse(place, detail.slice(place.length + 1));
    }
  };
  // A document may be deeper than the package's default limit.
  const environment = new JSONPathEnvironment({ maxRecursionDepth: maximumDepth });
  const actions = readForm().actions.map(({ target, update, remove }, index) => {
    const pointer = appendPointer('#/actions', index);
    try {
      const query = environment.compile(target);
      return { pointer, target: query, update: remove === true ? undefined : update };
    } catch (cause) {
      const message = `is not a JSONPath query (RFC 9535): ${messageOf(cause)}`;
      return refuse(`${pointer}/target`, message);
    }
  });
  return { text, source: { name, locate }, actions };
}

/** Changes a freshly read document in place; reports actions without an effect. */
export function applyOverlays(
  document: JsonObject,
  overlays: readonly Overlay[],
  log: DiagnosticLog,
): void {
  for (const { source, actions } of overlays)
    for (const { pointer, target, update } of actions) {
      const add = (value: object, inUpdate: string): void =>
        log.setOrigin(value, { source, pointer: `${pointer}/update${inUpdate}` });
      const finding =
        update === undefined
          ? removeTargets(document, target)
          : updateTargets(document, target, update, add);
      if (finding !== undefined)
        log.reportAt({ source, pointer: appendPointer(pointer, 'target') }, finding);
    }
}

const selectsNothing: Finding = {
  code: 'unused-action',
  message: 'selects nothing in the document',
  fix: 'Correct the target, or remove the action.',
};

function removeTargets(document: JsonObject, target: JSONPathQuery): Finding | undefined {
  const removed = new Map<object, Set<string | number>>();
  for (const { location } of target.query(Object(document)).nodes) {
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

/** Called with a value that was added to the document, and its pointer in the update. */
type Added = (value: object, inUpdate: string) => void;

function updateTargets(
  document: JsonObject,
  target: JSONPathQuery,
  update: JsonValue,
  added: Added,
): Finding | undefined {
  // A target may select one value twice.
  const values: ReadonlySet<unknown> = new Set(target.query(Object(document)).values());
  if (values.size === 0) return selectsNothing;
  const merged = Array.from(values, (value) => merge(value, update, '', added));
  if (!merged.includes(false)) return undefined;
  const message = 'selects a value that such an update cannot be merged into';
  const fix = 'Select the object that holds the value, and update its member.';
  return { code: 'invalid-overlay', message, fix };
}

/** False if the update has another type than the value. */
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
