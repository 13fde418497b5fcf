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
 * Where a document comes from: a path, as it is or as `file`, or its text. `name` is what messages call
 * a text, by default `<text>`.
 */
export type ContractSource =
  | string
  | { readonly file: string }
  | { readonly text: string; readonly name?: string };

export interface LoadOptions {
  /** A document with any error or warning is refused: a ContractError has them all. Default: false. */
  readonly strict?: boolean;
  /**
   * Whether all schemas and examples are judged at once, else each when it is first used; strictly
   * also whether the document is checked against the schema of OpenAPI. Default: as `strict`.
   */
  readonly validate?: boolean;
  /** The folder of relative references. Default: that of the file, and none for a text. */
  readonly folder?: string;
  /** Further folders that references may lead to. */
  readonly allowedFolders?: readonly string[];
  /** Files of OpenAPI Overlay 1.0 that change the document before it is read, in their order. */
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
 * Reads and compiles an OpenAPI document, 2.0 or 3.x, YAML or JSON; nothing in it is executed, and
 * nothing fetched unless that is allowed. What is wrong with it is in `diagnostics`: the parts at
 * fault are set aside. Throws a ContractError for what is not a document, and for any error of
 * a document that is to be read strictly; a PetstoreError for arguments that it does not take.
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
    // What reads documents is not loaded for one that passed before.
    const { parseDocument } = await import('./read.ts');
    const { repairDocument } = await import('./repair/repair.ts');
    const { document, log } = await parseDocument(text, name);
    if (overlays.length > 0) {
      const { applyOverlays } = await import('./source/overlay.ts');
      applyOverlays(document, overlays, log);
    }
    // Most documents are one file, and do not need what loads others.
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
    // The stack, beyond what the limits of documents foresee.
    if (!(cause instanceof RangeError)) throw cause;
    const message = `it is nested or chained too deeply (${cause.message})`;
    throw documentError('too-large', name, message, { cause });
  }
}

/** What is kept of a document that passed validation, for the next process. */
export type PassedDocument = Pick<Contract, 'document' | 'digest'>;

/** Compiles a document that passed before: it is neither parsed nor validated again. */
export function compilePassed({ document, digest }: PassedDocument, name: string): Contract {
  const log = new DiagnosticLog({ name }, document);
  return compileDocument(document, log, { source: name, digest, judges: 'trusted' });
}

/** A `$ref` that does not begin with `#`, or whose value cannot be seen at a glance. */
const refersOut = /\$ref["']?\s*:\s*(?!["']?#|\s)/;

/** Callers in JavaScript may give anything. */
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

/** The package that it takes is loaded only where there is one. */
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
 * SHA-256 over the text of the document and of the files it is bundled from. `node:crypto` takes
 * longer to load than the rest of this module: a document that passed before needs none of it.
 */
export async function digestOf(texts: readonly string[]): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text, 'utf8');
  return hash.digest('hex');
}
