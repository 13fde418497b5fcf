import { withoutStacks } from './source/yaml.ts';
import { isJsonObject, type JsonObject } from './json/value.ts';
import { repairDocument } from './repair/repair.ts';
import type { Bundle } from './source/bundle.ts';
import { documentError } from './source/diagnostic.ts';
import { DiagnosticLog } from './source/diagnostic-log.ts';
import type { ReadText } from './source/tree.ts';
import { convertSwagger, isSwagger } from './source/swagger.ts';
import { readText } from './source/text.ts';

/** A document that can be compiled, whatever was wrong with its text. */
interface ReadDocument {
  readonly document: JsonObject;
  /** The document before conversion and repair, its references local; only if it was asked for. */
  readonly written: JsonObject | undefined;
  /** Texts of the other files that it was bundled from. */
  readonly texts: readonly string[];
  readonly log: DiagnosticLog;
}

interface ReadOptions {
  /**
   * Changes the document, and brings in what is in other files; without it references to them lead
   * nowhere.
   */
  readonly loadParts?: (root: JsonObject, log: DiagnosticLog) => Promise<Bundle | undefined>;
  readonly keepsWritten?: boolean;
}

/**
 * Reads a document as far as it can be read. `name` is that of the text in messages. Throws
 * ContractError for what is not a document.
 */
export async function readDocument(
  text: string,
  name: string,
  { loadParts, keepsWritten = false }: ReadOptions = {},
): Promise<ReadDocument> {
  const read = await readText(text, name);
  const document = documentOf(read, name);
  const source = { name, locate: read.locate };
  const log = new DiagnosticLog(source, document);
  for (const { place, ...issue } of read.issues) {
    const fix =
      issue.code === 'cut-text'
        ? 'Correct or complete the text; what follows is ignored.'
        : 'Correct the text; everything else is read.';
    log.reportAt({ source, pointer: '#' }, { ...issue, fix }, place);
  }
  const bundle = await loadParts?.(document, log);
  const written = keepsWritten ? structuredClone(document) : undefined;
  if (isSwagger(document)) convertSwagger(document, log);
  withoutStacks(() => repairDocument(document, log, bundle?.closed ?? new Map()));
  return { document, written, texts: bundle?.texts ?? [], log };
}

/** The members of which an OpenAPI document has at least one. */
const marks = ['openapi', 'swagger', 'paths', 'webhooks', 'components'];

function documentOf({ value, issues }: ReadText, name: string): JsonObject {
  const [issue] = issues;
  const refuse = (message: string): Error =>
    documentError('not-a-document', name, message, { place: issue?.place });
  if (value === undefined) throw refuse(issue === undefined ? 'it is empty' : issue.message);
  if (isJsonObject(value) && marks.some((mark) => Object.hasOwn(value, mark))) return value;
  if (issue !== undefined) throw refuse(`neither JSON nor YAML: ${issue.message}`);
  throw refuse(
    isJsonObject(value)
      ? 'not an OpenAPI document, because it has no `openapi` member'
      : 'the document is not an object',
  );
}
