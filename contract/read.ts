import { isJsonObject, type JsonObject } from './json/value.ts';
import { repairDocument } from './repair/repair.ts';
import { boundValue } from './source/bounds.ts';
import type { Bundle } from './source/bundle.ts';
import { documentError, messageOf } from './source/contract-error.ts';
import { DiagnosticLog, type Finding } from './source/diagnostic-log.ts';
import type { ReadText, TextIssue } from './source/place.ts';
import { convertSwagger, isSwagger } from './source/swagger.ts';
import { readText, renderTextIssue } from './source/text.ts';

/** A document that can be compiled, whatever was wrong with its text. */
export interface ReadDocument {
  readonly document: JsonObject;
  /** The document before conversion and repair, its references local; only if it was asked for. */
  readonly written: JsonObject | undefined;
  /** Texts of the other files that it was bundled from. */
  readonly texts: readonly string[];
  readonly log: DiagnosticLog;
}

/** Brings in what is in other files. `refersOut`: a `$ref` leads to another file. */
export type LoadParts = (
  root: JsonObject,
  log: DiagnosticLog,
  refersOut: boolean,
) => Promise<Bundle>;

/** A document of one file: references to others lead nowhere. */
export const oneFile = async (document: JsonObject): Promise<Bundle> => ({
  document,
  texts: [],
  closed: new Map(),
});

/**
 * Reads a document as far as it can be read. `name` is that of the text in messages. Throws
 * ContractError for what is no document.
 */
export async function readDocument(
  text: string,
  name: string,
  loadParts: LoadParts = oneFile,
  keepsWritten = false,
): Promise<ReadDocument> {
  const read = await readText(text, name);
  const root = documentOf(read, name);
  const source = { name, locate: read.locate };
  const log = new DiagnosticLog(source, root);
  for (const issue of read.issues)
    log.reportAt({ source, pointer: issue.pointer ?? '#' }, findingOf(issue), issue.place);
  const { document, texts, closed } = await loadParts(root, log, bound(root, name, log));
  log.document = document;
  const written = keepsWritten ? structuredClone(document) : undefined;
  if (isSwagger(document)) convertSwagger(document, log);
  repairDocument(document, log, closed);
  return { document, written, texts, log };
}

function bound(root: JsonObject, name: string, log: DiagnosticLog): boolean {
  try {
    return boundValue(root, (pointer, reason) => log.report(pointer, tooLarge(reason)));
  } catch (cause) {
    throw documentError(name, messageOf(cause));
  }
}

function tooLarge(reason: string): Finding {
  return { level: 'error', reason, remedy: 'Make it smaller; until then it is left out.' };
}

function findingOf({ reason, pointer, isCut = false, isWarning }: TextIssue): Finding {
  if (pointer !== undefined && !isCut) return tooLarge(reason);
  const remedy = isCut
    ? 'Correct or complete the text; what follows is ignored.'
    : 'Correct the text; everything else is read.';
  return { level: isWarning === true && !isCut ? 'warning' : 'error', reason, remedy, isCut };
}

/** The members of which an OpenAPI document has at least one. */
const marks = ['openapi', 'swagger', 'paths', 'webhooks', 'components'];

function documentOf({ value, issues }: ReadText, name: string): JsonObject {
  const [issue] = issues;
  if (value === undefined)
    throw documentError(name, issue === undefined ? 'it is empty' : renderTextIssue(issue));
  if (isJsonObject(value) && marks.some((mark) => Object.hasOwn(value, mark))) return value;
  if (issue !== undefined)
    throw documentError(name, `neither JSON nor YAML: ${renderTextIssue(issue)}`);
  throw documentError(
    name,
    isJsonObject(value)
      ? 'not an OpenAPI document, because it has no `openapi` member'
      : 'the document is not an object',
  );
}
