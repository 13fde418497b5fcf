import { dirname, relative, sep } from 'node:path';
import { ContractError, messageOf } from './contract-error.ts';
import { findFileInside, loadText } from './file.ts';
import { listReferences, mapReferences } from './references.ts';
import { parseDocumentText } from './text.ts';
import { appendPointer } from '../json/pointer.ts';
import type { DocumentIssue } from './issue.ts';
import type { JsonObject } from '../json/value.ts';

/** One document made of a root file and the files that its references name. */
export interface Bundle {
  /** The root document; the other files stand whole under `x-files`, and every `$ref` is local. */
  readonly document: JsonObject;
  /** Texts of the other files, in the order they were first named. */
  readonly texts: readonly string[];
}

/** Where a document lies, so that its relative references can be followed. */
export interface DocumentPlace {
  /** Real path of the root document. */
  readonly file: string;
  /** No reference is followed out of this folder. */
  readonly folder: string;
}

interface BundlePart {
  readonly document: JsonObject;
  /** Real path of each file that a reference of this part names. */
  readonly targets: ReadonlyMap<string, string>;
}

/** Brings referred files in; fetches nothing. Throws ContractError with every reference refused. */
export async function loadBundle(
  root: JsonObject,
  source: string,
  place: DocumentPlace | undefined,
): Promise<Bundle> {
  const issues: DocumentIssue[] = [];
  const texts: string[] = [];
  const parts = new Map<string, BundlePart>();
  const queue = [{ file: place?.file ?? '', document: root, source }];
  const wanted = new Set(queue.map(({ file }) => file));
  for (const { file, document, source: name } of queue) {
    const targets = await findTargets(document, name, file, place, issues);
    parts.set(file, { document, targets });
    for (const target of new Set(targets.values())) {
      if (place === undefined || wanted.has(target)) continue;
      wanted.add(target);
      const part = await loadPart(target, fileKey(place, target), issues);
      if (part === undefined) continue;
      texts.push(part.text);
      queue.push({ file: target, document: part.document, source: fileKey(place, target) });
    }
  }
  if (issues.length > 0) throw new ContractError(issues);
  return { document: joinParts(root, parts, place), texts };
}

async function findTargets(
  document: JsonObject,
  source: string,
  file: string,
  place: DocumentPlace | undefined,
  issues: DocumentIssue[],
) {
  const targets = new Map<string, string>();
  for (const { reference, pointer } of listReferences(document)) {
    const path = pathOfReference(reference);
    if (path === '' || targets.has(path)) continue;
    try {
      targets.set(path, await findTarget(path, file, place));
    } catch (cause) {
      issues.push({ source, pointer: appendPointer(pointer, '$ref'), reason: messageOf(cause) });
    }
  }
  return targets;
}

function findTarget(path: string, file: string, place: DocumentPlace | undefined): Promise<string> {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path))
    throw new Error(`refused: ${path} is no file of this document; nothing is fetched`);
  if (place === undefined)
    throw new Error(`refused: a document given as text has no folder in which to look for ${path}`);
  return findFileInside(place.folder, dirname(file), decodePath(path));
}

async function loadPart(file: string, source: string, issues: DocumentIssue[]) {
  try {
    const text = await loadText(file);
    return { text, document: await parseDocumentText(text, source) };
  } catch (cause) {
    if (cause instanceof ContractError) issues.push(...cause.issues);
    else issues.push({ source, pointer: '#', reason: messageOf(cause) });
    return undefined;
  }
}

/** The part of a reference before its fragment: empty for a reference within the file. */
function pathOfReference(reference: string): string {
  return reference.split('#', 1)[0] ?? '';
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function joinParts(
  root: JsonObject,
  parts: ReadonlyMap<string, BundlePart>,
  place: DocumentPlace | undefined,
): JsonObject {
  if (place === undefined || parts.size < 2) return root;
  const home = (file: string): string =>
    file === place.file ? '#' : appendPointer('#/x-files', fileKey(place, file));
  const joined = [...parts].map(
    ([file, part]) => [fileKey(place, file), rewritePart(part, home(file), home)] as const,
  );
  const [main, ...others] = joined;
  return { ...main?.[1], 'x-files': Object.fromEntries(others) };
}

function rewritePart(part: BundlePart, own: string, home: (file: string) => string): JsonObject {
  return mapReferences(part.document, (reference) => {
    const path = pathOfReference(reference);
    const fragment = reference.slice(path.length).replace(/^#/, '');
    const target = part.targets.get(path);
    return `${encodeURI(target === undefined ? own : home(target))}${fragment}`;
  });
}

/** How a bundled file is known: its path from the folder, with slashes. */
function fileKey(place: DocumentPlace, file: string): string {
  return relative(place.folder, file).split(sep).join('/');
}
