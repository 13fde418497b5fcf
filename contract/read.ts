import { isJsonObject, type JsonObject } from './json/value.ts';
import { DiagnosticLog, documentError } from './source/diagnostic.ts';
import type { ReadText } from './source/tree.ts';
import { readText } from './source/text.ts';

/** Reads as much of a document as possible; `name` is that of the text in messages. */
export async function parseDocument(text: string, name: string) {
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
  return { document, log };
}

/** An OpenAPI document has at least one of these members. */
const marks = ['openapi', 'swagger', 'paths', 'webhooks', 'components'];

/** Throws a ContractError for anything that is not a document. */
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
