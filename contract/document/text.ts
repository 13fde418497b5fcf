import { ContractError, documentError, messageOf } from './contract-error.ts';
import { canonicalInteger } from '../json/number.ts';
import {
  isJsonObject,
  mapMembers,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { JsonSyntaxError } from '../json/syntax.ts';
import type { Document, LineCounter, YAMLError } from 'yaml';

/** How often aliases may multiply one anchor before it counts as an attack ("billion laughs"). */
const mostAliases = 1000;

/** How many issues of a text are told: those after them tend to follow from them. */
const mostIssues = 10;

/**
 * Parses a document, YAML 1.2 or JSON, into JSON values, integers exact. Throws a ContractError
 * with line and column for the first ten issues. The parser of YAML is loaded when it is needed.
 */
export async function parseDocumentText(text: string, source: string): Promise<JsonObject> {
  const plain = text.replace(/^\uFEFF/, '');
  const value = parseAsJson(plain, source) ?? (await parseAsYaml(plain, source));
  if (!isJsonObject(value)) throw documentError(source, 'the document is not an object');
  return value;
}

/** Undefined where the text is no JSON but may be YAML, such as `{a: b}`. */
function parseAsJson(text: string, source: string): JsonValue | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    // YAML takes much that is broken JSON, such as a missing comma, for a plain scalar.
    if (cause instanceof JsonSyntaxError && source.endsWith('.json'))
      throw documentError(source, cause.message);
    return undefined;
  }
}

async function parseAsYaml(text: string, source: string): Promise<JsonValue> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, {
    intAsBigInt: true,
    lineCounter: lines,
    logLevel: 'silent',
    merge: false,
    prettyErrors: false,
    resolveKnownTags: false,
    schema: 'core',
    stringKeys: true,
  });
  const found = [...document.errors, ...document.warnings];
  if (found.some(({ message }) => message.includes('call stack')))
    throw documentError(source, 'the document is nested too deeply');
  const reasons = new Set(found.map((error) => place(error, lines)));
  if (reasons.size > 0)
    throw new ContractError(
      [...reasons].slice(0, mostIssues).map((reason) => ({ source, pointer: '#', reason })),
    );
  return treeOf(document, source);
}

function treeOf(document: Document, source: string): JsonValue {
  try {
    return canonicalTree(document.toJS({ maxAliasCount: mostAliases }));
  } catch (cause) {
    if (cause instanceof RangeError)
      throw documentError(source, 'the document is nested too deeply');
    throw documentError(source, sentence(messageOf(cause)));
  }
}

function place(error: YAMLError, lines: LineCounter): string {
  const { line, col } = lines.linePos(error.pos[0]);
  return `line ${line}, column ${col}: ${sentence(error.message)}`;
}

/** The first line of a message of the parser, which may go on with an excerpt. */
function sentence(message: string): string {
  return (message.split('\n', 1)[0] ?? message).replace(/[:.]$/, '');
}

/** Nodes a document may have after its aliases are resolved; far beyond any real document. */
const mostNodes = 1_000_000;

/** Canonical JSON values. Throws Error for `.nan`, `.inf` and what aliases blew up. */
function canonicalTree(root: unknown): JsonValue {
  let nodes = 0;
  const canonical = (value: unknown): JsonValue => {
    nodes += 1;
    if (nodes > mostNodes)
      throw new Error(`the document has more than ${mostNodes} values once aliases are resolved`);
    if (Array.isArray(value)) return value.map(canonical);
    if (typeof value === 'object' && value !== null) return mapMembers(value, canonical);
    return canonicalScalar(value);
  };
  return canonical(root);
}

function canonicalScalar(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return canonicalInteger(value);
  if (typeof value === 'number' && Number.isFinite(value))
    return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
  throw new Error(`${typeof value === 'number' ? value : typeof value} is no JSON value`);
}
