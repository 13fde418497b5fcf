import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { compileDocument } from './compile.ts';
import { DiagnosticLog, documentError, messageOf, refuseFaults } from './source/diagnostic.ts';
import { type DocumentPlace, loadText } from './source/file.ts';
import { type OptionNames, refuseUnknownOptions } from './error/api-arguments.ts';
import { PetstoreError } from './error/petstore-error.ts';
import type { Contract } from './contract.ts';
import type { Overlay } from './source/overlay.ts';

/**
 * Where a document comes from: a path, as a string or as `file`, or its text. `name` identifies a text in
 * messages, by default `<text>`.
 */
export type ContractSource =
  | string
  | { readonly file: string }
  | { readonly text: string; readonly name?: string };

export interface LoadOptions {
  /** Rejects a document with any error or warning: a ContractError lists them all. Default: false. */
  readonly strict?: boolean;
  /**
   * Whether all schemas and examples are judged at once, instead of on first use; in strict mode also
   * whether the document is validated against the OpenAPI schema. Default: as `strict`.
   */
  readonly validate?: boolean;
  /** The folder for relative references. Default: that of the file, and none for a text. */
  readonly folder?: string;
  /** Further folders that may be referenced. */
  readonly allowedFolders?: readonly string[];
  /** OpenAPI Overlay 1.0 files, applied in order before the document is read. */
  readonly overlays?: readonly string[];
  /** References to `http:` and `https:` are fetched, each once. Default: false. */
  readonly allowNetwork?: boolean;
}

const optionNames = {
  strict: true,
  validate: true,
  folder: true,
  allowedFolders: true,
  overlays: true,
  allowNetwork: true,
} satisfies OptionNames<LoadOptions>;

/**
 * Reads and compiles an OpenAPI document, 2.0 or 3.x, YAML or JSON. Executes no code from it, and uses the
 * network only if allowed. Its problems are in `diagnostics`: invalid parts are ignored. Throws a
 * ContractError for anything that is not a document, and in strict mode for any error or warning; a
 * PetstoreError for invalid arguments.
 */
export async function loadContract(
  source: ContractSource,
  options: LoadOptions = {},
): Promise<Contract> {
  refuseUnknownOptions('loadContract', options, optionNames);
  const { strict = false, validate = strict } = options;
  const { text, name, place } = await loadSource(readSource(source), options);
  const overlays = await Promise.all((options.overlays ?? []).map(loadOverlay));
  try {
    // Readers of documents are not loaded for one that was checked before.
    const { parseDocument } = await import('./source/text.ts');
    const { repairDocument } = await import('./repair/repair.ts');
    const { document, log } = await parseDocument(text, name);
    if (overlays.length > 0) {
      const { applyOverlays } = await import('./source/overlay.ts');
      applyOverlays(document, overlays, log);
    }
    // Most documents are a single file, and do not need the loader of others.
    const isBundle = refersOut.test(text) || overlays.length > 0;
    const bundling = isBundle ? await import('./source/bundle.ts') : undefined;
    const bundle = await bundling?.loadBundle(document, place, log);
    const written = strict && validate ? structuredClone(document) : undefined;
    const schemas = repairDocument(document, log, bundle?.closed);
    const texts = [text, ...overlays.map((one) => one.text), ...(bundle?.texts ?? [])];
    const contract = compileDocument(document, log, {
      source: name,
      digest: await digestOf(texts),
      judges: validate ? 'at once' : strict ? 'trusted' : 'when used',
      schemas,
    });
    if (strict) refuseFaults(contract.diagnostics);
    if (written === undefined) return contract;
    const { validateDocument } = await import('./source/validation.ts');
    await validateDocument(written, log);
    refuseFaults(contract.diagnostics);
    return contract;
  } catch (cause) {
    // A stack overflow, in spite of the limits of documents.
    if (!(cause instanceof RangeError)) throw cause;
    const message = `it is nested or chained too deeply (${cause.message})`;
    throw documentError('too-large', name, message, { cause });
  }
}

/** The stored parts of a validated document, for another process. */
export type PassedDocument = Pick<Contract, 'document' | 'digest'>;

/** Compiles a document that was checked before: it is neither parsed nor validated again. */
export function compilePassed({ document, digest }: PassedDocument, name: string): Contract {
  const log = new DiagnosticLog({ name }, document);
  return compileDocument(document, log, { source: name, digest, judges: 'trusted' });
}

/** A `$ref` that does not begin with `#`, or whose value is not on the same line. */
const refersOut = /\$ref["']?\s*:\s*(?!["']?#|\s)/;

/** JavaScript callers may pass anything. */
function readSource(source: unknown): Exclude<ContractSource, string> {
  if (typeof source === 'string') return { file: source };
  if (typeof source === 'object' && source !== null) {
    const { file, text, name }: { file?: unknown; text?: unknown; name?: unknown } = source;
    if (typeof text === 'string') return { text, ...(typeof name === 'string' && { name }) };
    if (typeof file === 'string') return { file };
  }
  throw new PetstoreError('argument', 'loadContract takes a path, { file } or { text }.', {
    remedy: "For example: await loadContract('openapi.yaml').",
  });
}

async function loadSource(source: Exclude<ContractSource, string>, options: LoadOptions) {
  const isText = 'text' in source;
  const name = isText ? (source.name ?? '<text>') : basename(source.file);
  try {
    const text = isText ? source.text : await loadText(source.file);
    const file = isText ? '<text>' : await realpath(source.file);
    const { folder = isText ? undefined : dirname(file), allowedFolders = [] } = options;
    const place: DocumentPlace = {
      file: folder === undefined ? file : resolve(await realFolder(folder), file),
      folder: folder === undefined ? undefined : await realFolder(folder),
      allowedFolders: await Promise.all(allowedFolders.map(realFolder)),
      allowNetwork: options.allowNetwork === true,
    };
    return { text, name, place };
  } catch (cause) {
    throw documentError('unreadable-file', isText ? name : source.file, messageOf(cause));
  }
}

/** Loads the overlay package only if there is an overlay. */
async function loadOverlay(file: string): Promise<Overlay> {
  const text = await loadText(file).catch((cause: unknown) => {
    throw documentError('unreadable-file', file, messageOf(cause));
  });
  const { readOverlay } = await import('./source/overlay.ts');
  return await readOverlay(text, basename(file));
}

function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => {
    throw new Error(`there is no folder ${folder}`);
  });
}

/**
 * SHA-256 of the texts of the document and of its referenced files. `node:crypto` takes longer to load than
 * the rest of this module, and a document that was checked before does not need it.
 */
export async function digestOf(texts: readonly string[]): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text, 'utf8');
  return hash.digest('hex');
}
