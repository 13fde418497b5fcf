import { relative, sep } from 'node:path';
import { messageOf } from './contract-error.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import type { SourceText } from './origin.ts';
import type { TextLocator } from './place.ts';
import { listReferences, mapReferences } from './references.ts';
import { createTargetFinder, type DocumentPlace, remedyOf } from './reference-target.ts';
import { readText } from './text.ts';

/** One document made of a root file and the files that its references name. */
export interface Bundle {
  /** The root document; the other files are whole under `x-files`, and every `$ref` is local. */
  readonly document: JsonObject;
  /** The texts of the other files, in the order they were first named. */
  readonly texts: readonly string[];
  /** Why references were not followed, by the path in them. */
  readonly closed: ReadonlyMap<string, ClosedReference>;
}

/** Why a reference was not followed, and what would have it followed: `Correct the reference`. */
export interface ClosedReference {
  readonly reason: string;
  readonly remedy: string;
}

/** A file that a reference names. */
interface Part extends SourceText {
  readonly text: string;
  readonly value: JsonValue;
}

interface OpenPart {
  readonly name: string;
  readonly value: JsonValue;
  /** What each reference of this part names: the real path of a file, or an address. */
  readonly targets: ReadonlyMap<string, string>;
}

/** Brings referred files in, and reports what is wrong with them; fetches nothing unless the place allows it. */
export async function loadBundle(
  root: JsonObject,
  place: DocumentPlace | undefined,
  log: DiagnosticLog,
): Promise<Bundle> {
  const closed = new Map<string, ClosedReference>();
  const finder = createTargetFinder(place);
  const read: Part[] = [];
  const open = new Map<string, OpenPart>();
  const queue: { file: string; value: JsonValue; name: string }[] = [
    { file: place?.file ?? '', value: root, name: log.root.name },
  ];
  const wanted = new Set(queue.map(({ file }) => file));
  for (const { file, value, name } of queue) {
    const targets = new Map<string, string>();
    const paths = new Set(listReferences(value).map(({ reference }) => pathOfReference(reference)));
    await Promise.all(
      [...paths].map(async (path) => {
        try {
          if (path !== '') targets.set(path, await finder.find(path, file));
        } catch (cause) {
          const reason = messageOf(cause);
          closed.set(path, { reason, remedy: remedyOf(path, reason) });
        }
      }),
    );
    open.set(file, { name, value, targets });
    const named = [...paths].flatMap((path) => targets.get(path) ?? []);
    const added = [...new Set(named)].filter((target) => !wanted.has(target));
    for (const target of added) wanted.add(target);
    const loaded = await Promise.all(
      added.map((target) => loadPart(finder.load, target, fileKey(place, target), log)),
    );
    for (const [index, part] of loaded.entries()) {
      if (part === undefined) continue;
      read.push(part);
      queue.push({ file: added[index] ?? '', value: part.value, name: part.name });
    }
  }
  const document = joinParts(root, open, place);
  const files = isJsonObject(document['x-files']) ? document['x-files'] : {};
  for (const source of read) {
    const value = files[source.name];
    if (typeof value === 'object' && value !== null)
      log.origins.set(value, { source, pointer: '#' });
  }
  return { document, texts: read.map(({ text }) => text), closed };
}

async function loadPart(
  load: (target: string) => Promise<string>,
  target: string,
  name: string,
  log: DiagnosticLog,
): Promise<Part | undefined> {
  const remedy = 'Correct the reference; until then what it stands for is left open.';
  try {
    const text = await load(target);
    if (isProse(target)) return { name, text, value: text, locate: atStart };
    const { value, issues, locate } = await readText(text, name);
    const part = { name, text, value: value ?? null, locate };
    for (const { reason, pointer = '#', place } of issues)
      log.reportAt({ source: part, pointer }, { level: 'error', reason, remedy }, place);
    return value === undefined ? undefined : part;
  } catch (cause) {
    const origin = { source: { name, locate: atStart }, pointer: '#' };
    log.reportAt(origin, { level: 'error', reason: messageOf(cause), remedy });
    return undefined;
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
