import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { compileDocument } from './compile.ts';
import { documentError, messageOf } from './document/contract-error.ts';
import { loadBundle, type DocumentPlace } from './document/bundle.ts';
import { loadText } from './document/file.ts';
import { listReferenceIssues } from './document/reference-issues.ts';
import { parseDocumentText } from './document/text.ts';
import { validateDocument } from './document/validation.ts';
import { listVersionIssues } from './document/version.ts';
import { refuseIssues } from './document/issue-log.ts';
import type { Contract } from './contract.ts';
import type { DocumentIssue } from './document/issue.ts';
import type { JsonObject } from './json/value.ts';

/** Where a document comes from. `name` stands for it in messages, by default `<text>`. */
export type ContractSource =
  | { readonly file: string }
  | { readonly text: string; readonly name?: string };

export interface LoadOptions {
  /**
   * False is for a document that passed before: it is not checked against the schema of OpenAPI,
   * and its schemas are compiled when they are first used. Default: true.
   */
  readonly validate?: boolean;
  /** A document that passed before: it is neither parsed nor validated again. */
  readonly passed?: PassedDocument;
  /** The folder of relative references. Default: that of the file, and none for a text. */
  readonly folder?: string;
}

/** What is kept of a document that passed validation, for the next process. */
export interface PassedDocument {
  /** As `Contract.digest`. */
  readonly digest: string;
  /** As `Contract.document`. */
  readonly document: JsonObject;
}

/**
 * Reads and compiles an OpenAPI 3.0 or 3.1 document, YAML or JSON; nothing in it is executed or
 * fetched. Throws a ContractError with every issue; doubtful things are in `warnings`.
 */
export async function loadContract(
  source: ContractSource,
  options: LoadOptions = {},
): Promise<Contract> {
  const { text, name, place } = await loadSource(source, options.folder);
  if (options.passed?.digest === digestOf([text])) return compile(options.passed, name, true, []);
  const root = await parseDocumentText(text, name);
  refuseIssues(listVersionIssues(root, name));
  const { document, texts } = await loadBundle(root, name, place);
  refuseIssues(listReferenceIssues(document, name));
  const isTrusted = options.validate === false;
  const broken = isTrusted ? [] : await validateDocument(document, name);
  return compile({ document, digest: digestOf([text, ...texts]) }, name, isTrusted, broken);
}

function compile(
  { document, digest }: PassedDocument,
  source: string,
  isTrusted: boolean,
  broken: readonly DocumentIssue[],
): Contract {
  const { contract, errors } = compileDocument(document, { source, digest, isTrusted });
  refuseIssues([...broken, ...errors]);
  return contract;
}

async function loadSource(source: ContractSource, folder: string | undefined) {
  const name = 'text' in source ? (source.name ?? '<text>') : basename(source.file);
  try {
    if ('text' in source)
      return { text: source.text, name, place: await placeOf('<text>', folder) };
    const text = await loadText(source.file);
    const file = await realpath(source.file);
    return { text, name, place: await placeOf(file, folder ?? dirname(file)) };
  } catch (cause) {
    throw documentError('file' in source ? source.file : name, messageOf(cause));
  }
}

async function placeOf(
  file: string,
  folder: string | undefined,
): Promise<DocumentPlace | undefined> {
  if (folder === undefined) return undefined;
  const real = await realpath(folder).catch(() => {
    throw new Error(`there is no folder ${folder}`);
  });
  return { folder: real, file: resolve(real, file) };
}

/** SHA-256 over the text of the document and of the files it is bundled from. */
function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text, 'utf8');
  return hash.digest('hex');
}
