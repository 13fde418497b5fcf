import { relative, sep } from 'node:path';
import { setMember } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import { mapMembers, type JsonObject, type JsonValue } from '../json/value.ts';
import { mostBytes, mostValues } from './tree.ts';
import { messageOf, textStart } from './diagnostic.ts';
import type { DiagnosticLog, Finding, SourceText } from './diagnostic-log.ts';
import { createTargetFinder, type DocumentPlace, fixOf } from './file.ts';
import type { TextLocator } from './tree.ts';
import { listReferences } from './references.ts';
import { readText } from './text.ts';

/** What references to other files brought into a document. */
export interface Bundle {
  /** The texts of the other files, in the order they were first named. */
  readonly texts: readonly string[];
  /** Why references were not followed, by the path in them. */
  readonly closed: ReadonlyMap<string, ClosedReference>;
}

/** Why a reference was not followed, and what would have it followed: `Correct the reference`. */
export type ClosedReference = Pick<Finding, 'message' | 'fix'>;

/** A file that a reference names. */
interface Part {
  readonly source: SourceText;
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * Puts the files that references name under `x-files`, in place, and makes every `$ref` local; one to
 * what could not be read stays as it is. Fetches nothing unless the place allows it.
 */
export async function loadBundle(
  root: JsonObject,
  place: DocumentPlace | undefined,
  log: DiagnosticLog,
): Promise<Bundle> {
  const closed = new Map<string, ClosedReference>();
  const finder = createTargetFinder(place);
  const rootFile = place?.file ?? '';
  const parts = new Map<string, Part>();
  const wanted = new Set([rootFile]);
  const queue: { readonly file: string; readonly value: JsonValue }[] = [
    { file: rootFile, value: root },
  ];
  const count: FileCount = { values: 0, characters: 0 };
  const links: { holder: object; fragment: string; target: string }[] = [];
  for (const { file, value } of queue) {
    const byPath = Map.groupBy(listReferences(value), ({ text }) => pathOf(text));
    const targets = new Map([['', file]]);
    await Promise.all(
      [...byPath.keys()].map(async (path) => {
        try {
          if (path !== '') targets.set(path, await finder.find(path, file));
        } catch (cause) {
          const message = messageOf(cause);
          closed.set(path, { message, fix: fixOf(message) });
        }
      }),
    );
    const added = new Set<string>();
    for (const [path, references] of byPath) {
      const target = targets.get(path);
      if (target === undefined) continue;
      if (!wanted.has(target)) added.add(target);
      for (const { holder, text } of references)
        links.push({ holder, fragment: text.slice(path.length).replace(/^#/, ''), target });
    }
    // One after the other, so that no more is in memory than is kept.
    for (const target of added) {
      wanted.add(target);
      const part = await loadPart(finder.load, target, fileKey(place, target), count, log);
      if (part === undefined) continue;
      parts.set(target, part);
      queue.push({ file: target, value: part.value });
    }
  }
  const read = queue.flatMap(({ file }) => parts.get(file) ?? []);
  if (read.length === 0) return { texts: [], closed };
  const homes = new Map([[rootFile, '#']]);
  for (const [file, { source }] of parts)
    homes.set(file, encodeURI(appendPointer('#/x-files', source.name)));
  for (const { holder, fragment, target } of links) {
    const home = homes.get(target);
    if (home !== undefined) setMember(holder, '$ref', home + fragment);
  }
  const files = new Map(read.map((part) => [part.source.name, part]));
  setMember(
    root,
    'x-files',
    mapMembers(Object.fromEntries(files), ({ value }) => value),
  );
  for (const { source, value } of files.values())
    if (typeof value === 'object' && value !== null) log.setOrigin(value, { source, pointer: '#' });
  return { texts: read.map(({ text }) => text), closed };
}

/**
 * Undefined for what cannot be read, which is reported. Once there is too much in all files so far,
 * no further file is read.
 */
async function loadPart(
  load: (target: string) => Promise<string>,
  target: string,
  name: string,
  count: FileCount,
  log: DiagnosticLog,
): Promise<Part | undefined> {
  const fix = 'Correct the reference; until then it is ignored.';
  try {
    refuseTooMany(count);
    const text = await load(target);
    count.characters += text.length;
    refuseTooMany(count);
    // A description in a file of its own.
    if (/\.(md|markdown|txt|html?)$/i.test(target))
      return { text, value: text, source: { name, locate: atStart } };
    const { value, values, issues, locate } = await readText(text, name);
    count.values += values;
    refuseTooMany(count);
    const source = { name, locate };
    for (const { code, message, place } of issues)
      log.reportAt({ source, pointer: '#' }, { code, message, fix }, place);
    return value === undefined ? undefined : { text, value, source };
  } catch (cause) {
    const origin = { source: { name, locate: atStart }, pointer: '#' };
    log.reportAt(origin, { code: 'unreadable-file', message: messageOf(cause), fix });
    return undefined;
  }
}

/** What all files so far have. */
interface FileCount {
  values: number;
  characters: number;
}

function refuseTooMany({ values, characters }: FileCount): void {
  const excess =
    values > mostValues
      ? `${mostValues} values`
      : characters > mostBytes
        ? `${mostBytes} characters`
        : undefined;
  if (excess !== undefined)
    throw new Error(`the files that references name have more than ${excess}`);
}

const atStart: TextLocator = () => textStart;

/** The part of a reference before its fragment: empty for a reference within the file. */
function pathOf(reference: string): string {
  return reference.split('#', 1)[0] ?? '';
}

/** How a bundled file is known: its path from the folder, with slashes, or its address. */
function fileKey(place: DocumentPlace | undefined, file: string): string {
  return place?.folder === undefined || /^https?:/.test(file)
    ? file
    : relative(place.folder, file).split(sep).join('/');
}
