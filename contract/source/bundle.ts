import { relative, sep } from 'node:path';
import { setMember } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { type DiagnosticLog, messageOf, type SourceText } from './diagnostic.ts';
import {
  ClosedReference,
  type DocumentPlace,
  fetchText,
  fetchTime,
  findTarget,
  isAddress,
  loadText,
} from './file.ts';
import { listReferences } from './references.ts';
import { readText } from './text.ts';
import { maxBytes, maxValues } from './tree.ts';

/** The parts that references to other files added to a document. */
export interface Bundle {
  /** The texts of the other files, in the order of their first reference. */
  readonly texts: readonly string[];
  /** Why references were not followed, by path. */
  readonly closed: ReadonlyMap<string, ClosedReference>;
}

/** A file of a document. */
interface Part {
  readonly source: SourceText;
  readonly text: string;
  readonly value: JsonValue;
  /** The pointer to it in the document. */
  readonly home: string;
}

/**
 * Puts referenced files under `x-files`, in place, and makes every `$ref` local; a reference to an
 * unreadable file stays unchanged. Uses the network only if allowed.
 */
export async function loadBundle(
  root: JsonObject,
  place: DocumentPlace,
  log: DiagnosticLog,
): Promise<Bundle> {
  const closed = new Map<string, ClosedReference>();
  /** By real path or URL; undefined for an unreadable file. */
  const parts = new Map<string, Part | undefined>([
    [place.file, { source: log.root, text: '', value: root, home: '#' }],
  ]);
  const total = { values: 0, characters: 0, signal: AbortSignal.timeout(fetchTime) };
  const links: { holder: object; fragment: string; target: string }[] = [];
  for (const [file, part] of parts) {
    const targets = new Map<string, string | undefined>([['', file]]);
    for (const { holder, text } of part === undefined ? [] : listReferences(part.value)) {
      const [path = ''] = text.split('#', 1);
      if (!targets.has(path)) {
        const found = await findTarget(path, file, place).catch((cause: unknown) => cause);
        if (found instanceof ClosedReference) closed.set(path, found);
        targets.set(path, typeof found === 'string' ? found : undefined);
      }
      const target = targets.get(path);
      if (target === undefined) continue;
      // In sequence, so that memory holds only what is kept.
      if (!parts.has(target)) parts.set(target, await loadPart(target, place, total, log));
      links.push({ holder, fragment: text.slice(path.length).replace(/^#/, ''), target });
    }
  }
  for (const { holder, fragment, target } of links) {
    const home = parts.get(target)?.home;
    if (home !== undefined) setMember(holder, '$ref', home + fragment);
  }
  parts.delete(place.file);
  const read = [...parts.values()].filter((part) => part !== undefined);
  const files: JsonObject = {};
  for (const { source, value } of read) {
    setMember(files, source.name, value);
    if (typeof value === 'object' && value !== null) log.setOrigin(value, { source, pointer: '#' });
  }
  if (read.length > 0) setMember(root, 'x-files', files);
  return { texts: read.map(({ text }) => text), closed };
}

/**
 * Undefined for an unreadable file, which is reported. Once all files together are too large, no further
 * file is read.
 */
async function loadPart(
  target: string,
  { folder }: DocumentPlace,
  total: { values: number; characters: number; readonly signal: AbortSignal },
  log: DiagnosticLog,
): Promise<Part | undefined> {
  const name =
    folder === undefined || isAddress(target)
      ? target
      : relative(folder, target).split(sep).join('/');
  const home = encodeURI(appendPointer('#/x-files', name));
  const fix = 'Correct the reference; until then it is ignored.';
  let source: SourceText = { name };
  const count = (values: number, characters: number): void => {
    total.values += values;
    total.characters += characters;
    const excess =
      total.values > maxValues
        ? `${maxValues} values`
        : total.characters > maxBytes
          ? `${maxBytes} characters`
          : undefined;
    if (excess !== undefined)
      throw new Error(`the files that references name have more than ${excess}`);
  };
  try {
    count(0, 0);
    const text = await (isAddress(target) ? fetchText(target, total.signal) : loadText(target));
    count(0, text.length);
    // A description in a separate file.
    if (/\.(md|markdown|txt|html?)$/i.test(target)) return { text, value: text, source, home };
    const { value, values, issues, locate } = await readText(text, name);
    count(values, 0);
    source = { name, locate };
    for (const { code, message, place } of issues)
      log.reportAt({ source, pointer: '#' }, { code, message, fix }, place);
    return value === undefined ? undefined : { text, value, source, home };
  } catch (cause) {
    const finding = { code: 'unreadable-file', message: messageOf(cause), fix } as const;
    log.reportAt({ source, pointer: '#' }, finding);
    return undefined;
  }
}
