import { JsonScanner, JsonSyntaxError, readName } from '../json/scan.ts';
import { isJsonObject, type JsonObject, parseJson, type JsonValue } from '../json/value.ts';
import {
  ContractError,
  createDiagnostic,
  DiagnosticLog,
  documentError,
  textStart,
} from './diagnostic.ts';
import { createLocator, limitJson, type ReadText, type TextNode, unreadable } from './tree.ts';
import { isTooLong, readYaml } from './yaml.ts';

/** Most issues of a text that are reported: later ones tend to be consequences. */
const maxIssues = 10;

/**
 * Any value in YAML 1.2 or JSON, with exact integers; null for an empty text. Throws a ContractError with
 * line and column for the first ten issues.
 */
export async function parseValueText(text: string, source: string): Promise<JsonValue> {
  const { value = null } = await readSound(text, source);
  return value;
}

/** Like `parseValueText`, with the positions of its values. */
export async function readSound(text: string, source: string): Promise<ReadText> {
  const read = await readText(text, source);
  const found = read.issues
    .slice(0, maxIssues)
    .map(({ place = textStart, ...issue }) =>
      createDiagnostic({ ...issue, fix: 'Correct the text.' }, source, '#', () => place),
    );
  if (found.length > 0) throw new ContractError(found);
  return read;
}

/** Like `readSound`, but continues after an issue as far as possible. */
export async function readText(text: string, source: string): Promise<ReadText> {
  const plain = text.replace(/^\uFEFF/, '');
  if (!/^\s*[{[]/.test(plain)) return await readYaml(plain);
  try {
    const read = limitJson(parseJson(plain));
    const start = plain.search(/\S/);
    return { ...read, locate: createLocator(plain, () => openJson(plain, start, start)) };
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const { kind, reason: message, line, column } = cause;
    const place = { line, column };
    if (kind === 'limit') return unreadable('too-large', message, place);
    if (await isTooLong(plain)) return unreadable('invalid-syntax', message, place);
    const read = await readYaml(plain);
    // YAML reads much invalid JSON, such as a missing comma, as a plain scalar.
    if (!source.endsWith('.json')) return read;
    const isCut = read.issues.some((issue) => issue.code === 'cut-text');
    const code = isCut ? 'cut-text' : 'invalid-syntax';
    return { ...read, issues: [{ code, message, place }] };
  }
}

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

/** Most JSON tokens that are read to find positions in one text. */
const maxTokens = 10_000_000;

/**
 * The value at an offset in a JSON text. Of duplicate members the last counts. Nested values are read
 * repeatedly, so deep ones may have no entries.
 */
function openJson(text: string, at: number, start: number, read = { tokens: 0 }): TextNode {
  return { start, id: at, kind: 'object', entries };

  function* entries(): Generator<[string, TextNode]> {
    const scanner = new JsonScanner(text, at);
    let name: { readonly text: string; readonly start: number } | undefined;
    let count = 0;
    while (read.tokens < maxTokens && scanner.next()) {
      read.tokens += 1;
      const { kind, start: here, end, depth } = scanner;
      const isClosing = kind === ']' || kind === '}';
      if (isClosing && depth === 1) break;
      if (kind === 'name' && depth === 1)
        name = { text: readName(text.slice(here, end)), start: here };
      const level = kind === '[' || kind === '{' ? 2 : 1;
      if (isClosing || kind === 'name' || depth !== level) continue;
      yield [name?.text ?? `${count}`, openJson(text, here, name?.start ?? here, read)];
      count += 1;
    }
  }
}
