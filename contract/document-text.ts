import { LineCounter, parseDocument, YAMLError } from 'yaml';
import { ContractError } from './contract-error.ts';
import { canonicalTree } from './document-tree.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';

/** How often aliases may multiply one anchor before the text counts as an attack ("billion laughs"). */
const MOST_ALIASES = 1000;

/**
 * Parses the text of a document, YAML 1.2 or JSON, into JSON values. Integers are exact at any size; anchors and
 * aliases are resolved; no tag beyond the core schema is known. A byte order mark at the start is dropped.
 * Throws a ContractError with line and column for every fault of the text.
 */
export function parseDocumentText(text: string, source: string): JsonObject {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    intAsBigInt: true,
    lineCounter: lines,
    logLevel: 'silent',
    merge: false,
    prettyErrors: false,
    resolveKnownTags: false,
    stringKeys: true,
    version: '1.2',
  });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) throw new ContractError(faults.map((fault) => ({ source, pointer: '#', reason: place(fault, lines) })));
  const value = treeOf(() => document.toJS({ maxAliasCount: MOST_ALIASES }), source);
  if (!isJsonObject(value)) throw refusal(source, 'the document is not an object');
  return value;
}

function treeOf(read: () => unknown, source: string) {
  try {
    return canonicalTree(read());
  } catch (cause) {
    if (cause instanceof RangeError) throw refusal(source, 'the document is nested too deeply');
    throw refusal(source, cause instanceof Error ? sentence(cause.message) : String(cause));
  }
}

function place(fault: YAMLError, lines: LineCounter): string {
  const { line, col } = lines.linePos(fault.pos[0]);
  return `line ${line}, column ${col}: ${sentence(fault.message)}`;
}

/** The first line of a message of the parser, which may go on with an excerpt. */
function sentence(message: string): string {
  return (message.split('\n', 1)[0] ?? message).replace(/[:.]$/, '');
}

function refusal(source: string, reason: string): ContractError {
  return new ContractError([{ source, pointer: '#', reason }]);
}
