import { addAll } from '../list/list.ts';
import { relative, sep } from 'node:path';
import { messageOf } from './contract-error.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { TextLocator, TextPlace } from './place.ts';
import type { DocumentIssue } from './issue.ts';
import { listReferences, mapReferences } from './references.ts';
import { createTargetFinder, type DocumentPlace, remedyOf } from './reference-target.ts';
import { readText } from './text.ts';

/** One document made of a root file and the files that its references name. */
export interface Bundle {
  /** The root document; the other files stand whole under `x-files`, and every `$ref` is local. */
  readonly document: JsonObject;
  /** The other files, in the order they were first named. */
  readonly parts: readonly BundlePart[];
  /** References that were not followed, and files that could not be read. */
  readonly issues: readonly BundleIssue[];
  /** Why references were not followed, by the path in them. */
  readonly closed: ReadonlyMap<string, ClosedReference>;
}

/** Why a reference was not followed, and what would have it followed: `Correct the reference`. */
export interface ClosedReference {
  readonly reason: string;
  readonly remedy: string;
}

export interface BundlePart {
  /** Its name under `x-files`. */
  readonly name: string;
  readonly text: string;
  /** What stands under `x-files`. */
  readonly value: JsonValue;
  readonly locate: TextLocator;
}

/** Its pointer is one into the file that it is about. */
export interface BundleIssue extends DocumentIssue {
  /** Where the text itself is at fault. */
  readonly place?: TextPlace | undefined;
}

interface OpenPart {
  readonly name: string;
  readonly value: JsonValue;
  /** What each reference of this part names: the real path of a file, or an address. */
  readonly targets: ReadonlyMap<string, string>;
}

/** Brings referred files in; fetches nothing unless the place allows it. */
export async function loadBundle(
  root: JsonObject,
  source: string,
  place: DocumentPlace | undefined,
): Promise<Bundle> {
  const issues: BundleIssue[] = [];
  const closed = new Map<string, ClosedReference>();
  const finder = createTargetFinder(place);
  const read: BundlePart[] = [];
  const open = new Map<string, OpenPart>();
  const queue: { file: string; value: JsonValue; name: string }[] = [
    { file: place?.file ?? '', value: root, name: source },
  ];
  const wanted = new Set(queue.map(({ file }) => file));
  for (const { file, value, name } of queue) {
    const targets = await findTargets(
      value,
      name,
      (path) => finder.find(path, file),
      (path, issue) => {
        closed.set(path, { reason: issue.reason, remedy: remedyOf(path, issue.reason) });
        issues.push(issue);
      },
    );
    open.set(file, { name, value, targets });
    const added = [...new Set(targets.values())].filter((target) => !wanted.has(target));
    for (const target of added) wanted.add(target);
    const loaded = await Promise.all(
      added.map((target) => loadPart(finder.load, target, fileKey(place, target))),
    );
    for (const [index, { part, problems }] of loaded.entries()) {
      addAll(issues, problems);
      if (part === undefined) continue;
      read.push(part);
      queue.push({ file: added[index] ?? '', value: part.value, name: part.name });
    }
  }
  const document = joinParts(root, open, place);
  const files = document['x-files'];
  const valueOf = (name: string) => (isJsonObject(files) ? (files[name] ?? null) : null);
  const parts = read.map((part) => ({ ...part, value: valueOf(part.name) }));
  return { document, parts, issues, closed };
}

async function findTargets(
  value: JsonValue,
  source: string,
  find: (path: string) => Promise<string>,
  refuse: (path: string, issue: BundleIssue) => void,
): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  const first = new Map<string, string>();
  for (const { reference, pointer } of listReferences(value)) {
    const path = pathOfReference(reference);
    if (path !== '' && !first.has(path)) first.set(path, pointer);
  }
  const found = await Promise.all(
    [...first].map(async ([path, pointer]) => {
      try {
        return { path, target: await find(path) };
      } catch (cause) {
        return { path, pointer, reason: messageOf(cause) };
      }
    }),
  );
  for (const { path, target, pointer = '', reason = '' } of found) {
    if (target !== undefined) targets.set(path, target);
    else refuse(path, { source, pointer: appendPointer(pointer, '$ref'), reason });
  }
  return targets;
}

async function loadPart(
  load: (target: string) => Promise<string>,
  target: string,
  name: string,
): Promise<{ readonly part?: BundlePart; readonly problems: readonly BundleIssue[] }> {
  try {
    const text = await load(target);
    if (isProse(target))
      return { part: { name, text, value: text, locate: atStart }, problems: [] };
    const { value, issues, locate } = await readText(text, name);
    const problems = issues.map((issue) => ({ source: name, pointer: '#', ...issue }));
    return value === undefined ? { problems } : { part: { name, text, value, locate }, problems };
  } catch (cause) {
    return { problems: [{ source: name, pointer: '#', reason: messageOf(cause) }] };
  }
}

/** A description in a file of its own. */
function isProse(target: string): boolean {
  return /\.(md|markdown|txt|html?)$/i.test(target);
}

const atStart: TextLocator = () => ({ line: 1, column: 1 });

/** The part of a reference before its fragment: empty for a reference within the file. */
function pathOfReference(reference: string): string {
  return reference.split('#', 1)[0] ?? '';
}

function joinParts(
  root: JsonObject,
  parts: ReadonlyMap<string, OpenPart>,
  place: DocumentPlace | undefined,
): JsonObject {
  if (parts.size < 2) return root;
  const home = (file: string): string | undefined =>
    file === (place?.file ?? '')
      ? '#'
      : parts.has(file)
        ? appendPointer('#/x-files', fileKey(place, file))
        : undefined;
  const joined = [...parts].map(
    ([file, part]) => [part.name, rewritePart(part, home(file) ?? '#', home)] as const,
  );
  const [main, ...others] = joined;
  const document = isJsonObject(main?.[1]) ? main[1] : {};
  return { ...document, 'x-files': Object.fromEntries(others) };
}

/** References to what could not be read stay as they are. */
function rewritePart(
  part: OpenPart,
  own: string,
  home: (file: string) => string | undefined,
): JsonValue {
  return mapReferences(part.value, (reference) => {
    const path = pathOfReference(reference);
    const fragment = reference.slice(path.length).replace(/^#/, '');
    const target = part.targets.get(path);
    const base = path === '' ? own : target === undefined ? undefined : home(target);
    return base === undefined ? reference : `${encodeURI(base)}${fragment}`;
  });
}

/** How a bundled file is known: its path from the folder, with slashes, or its address. */
function fileKey(place: DocumentPlace | undefined, file: string): string {
  return place?.folder === undefined || /^https?:/.test(file)
    ? file
    : relative(place.folder, file).split(sep).join('/');
}
