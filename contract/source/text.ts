import { documentLimits } from '../limits/index.ts';
import { ContractError, documentError, messageOf } from './contract-error.ts';
import { indentQuotedLines } from './quoted-lines.ts';
import {
  isJsonObject,
  mapMembers,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { renderFragment } from '../json/pointer.ts';
import { findBeyond } from '../json/bounds.ts';
import { JsonSyntaxError, syntaxErrorAt } from '../json/syntax.ts';
import { cutDeepJson } from './deep-json.ts';
import { findDeepYaml } from './deep-yaml.ts';
import { createJsonIndex } from './json-locator.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { canonicalScalar } from './scalar.ts';
import {
  createOffsetLocator,
  createYamlLocator,
  type TextLocator,
  type TextPlace,
} from './text-locator.ts';
import type { Document, LineCounter, YAMLError } from 'yaml';

/** How often aliases may multiply one anchor before it counts as an attack ("billion laughs"). */
const mostAliases = 1000;

/** How many issues of a text are told: those after them tend to follow from them. */
const mostIssues = 10;

/** What was read of a text. */
export interface ReadText {
  /** Undefined where nothing can be read. */
  readonly value: JsonValue | undefined;
  /** What is wrong with the text as YAML or JSON. */
  readonly issues: readonly TextIssue[];
  readonly locate: TextLocator;
}

export interface TextIssue {
  readonly reason: string;
  /** Where something was left out, as a pointer into the value; absent: what is wrong is the text. */
  readonly pointer?: string;
  /** Undefined for the whole text. */
  readonly place: TextPlace | undefined;
  /** The text ends too early, or nobody can say what it means from there on. */
  readonly isCut?: boolean;
}

/**
 * Parses a document, YAML 1.2 or JSON, into JSON values, integers exact. Throws a ContractError
 * with line and column for the first ten issues. The parser of YAML is loaded when it is needed.
 */
export async function parseDocumentText(text: string, source: string): Promise<JsonObject> {
  const { value } = await readSoundText(text, source);
  return value;
}

/** As `parseDocumentText`, with the places of what was read. */
export async function readSoundText(
  text: string,
  source: string,
): Promise<{ readonly value: JsonObject; readonly locate: TextLocator }> {
  const { value, locate } = await readSound(text, source);
  if (!isJsonObject(value)) throw documentError(source, 'the document is not an object');
  return { value, locate };
}

/**
 * Any value in YAML 1.2 or JSON, integers exact; null for an empty text. Throws a ContractError as
 * `parseDocumentText` does.
 */
export async function parseValueText(text: string, source: string): Promise<JsonValue> {
  const { value = null } = await readSound(text, source);
  return value;
}

async function readSound(text: string, source: string): Promise<ReadText> {
  const read = await readText(text, source);
  const reasons = new Set(read.issues.map(renderTextIssue));
  if (reasons.size > 0)
    throw new ContractError(
      [...reasons].slice(0, mostIssues).map((reason) => ({ source, pointer: '#', reason })),
    );
  return read;
}

export function renderTextIssue({
  reason,
  place,
}: Partial<TextIssue> & Pick<TextIssue, 'reason'>): string {
  return place === undefined ? reason : `line ${place.line}, column ${place.column}: ${reason}`;
}

/** As `parseDocumentText`, and reads on where there are issues, as far as anything can be read. */
export async function readText(text: string, source: string): Promise<ReadText> {
  const plain = text.replace(/^\uFEFF/, '');
  const { value, error, issues = [] } = readJson(plain);
  if (value !== undefined)
    return { value, issues, locate: createOffsetLocator(plain, () => createJsonIndex(plain)) };
  const deep = findBeyond(plain, { depth: mostYamlDepth, values: Infinity, names: Infinity });
  if (deep !== undefined) return tooDeepAt(plain, deep.offset);
  const sound = await readPlainYaml(plain);
  if (sound !== undefined && error === undefined) return { ...sound, issues: [] };
  const read = await readRepaired(plain);
  // YAML takes much that is broken JSON, such as a missing comma, for a plain scalar.
  const isBroken = error !== undefined && source.endsWith('.json');
  if (!isBroken) return read;
  const { reason, line, column } = error;
  const isCut = read.issues.some((issue) => issue.isCut);
  return { ...read, issues: [{ reason, place: { line, column }, isCut }] };
}

/** Brackets within each other that a parser of YAML is given; it refuses fewer by itself. */
const mostYamlDepth = 2_000;

function tooDeepAt(text: string, offset: number | undefined): ReadText {
  const { line, column } = syntaxErrorAt(text, offset ?? 0, '');
  const place = offset === undefined ? undefined : { line, column };
  const issues = [{ reason: tooDeep, place }];
  return { value: undefined, issues, locate: () => ({ line, column }) };
}

interface ReadJson {
  readonly value?: JsonValue;
  readonly issues?: readonly TextIssue[];
  readonly error?: JsonSyntaxError;
}

/** No value where the text is no JSON but may be YAML, such as `{a: b}`. */
function readJson(text: string): ReadJson {
  if (!/^\s*[{[]/.test(text)) return {};
  try {
    const { text: shallow, cuts } = cutDeepJson(text, documentLimits.depth.most);
    const issues = cuts.map(({ pointer }) => ({ reason: tooDeepHere, pointer, place: undefined }));
    return { value: parseJson(shallow), issues };
  } catch (cause) {
    return cause instanceof JsonSyntaxError ? { error: cause } : {};
  }
}

/** A text whose quotes do not end is read with the lines indented that a quoted text goes on in. */
async function readRepaired(text: string): Promise<ReadText> {
  const read = await readYaml(text);
  if (!read.issues.some(({ reason }) => reason.startsWith('Missing closing'))) return read;
  const { text: indented, lines } = indentQuotedLines(text);
  if (lines.length === 0) return read;
  const repaired = await readYaml(indented);
  if (repaired.value === undefined || repaired.issues.length >= read.issues.length) return read;
  const issues = lines.map((line) => ({
    reason: 'the quoted text goes on in lines that are not indented',
    place: { line, column: 1 },
  }));
  return { ...repaired, issues: [...issues, ...repaired.issues] };
}

async function readYaml(text: string): Promise<ReadText> {
  const { LineCounter, parseDocument } = await import('yaml');
  const parse = () => {
    const lines = new LineCounter();
    const document = parseDocument(text, {
      intAsBigInt: true,
      lineCounter: lines,
      logLevel: 'silent',
      merge: true,
      prettyErrors: false,
      resolveKnownTags: false,
      schema: 'core',
      stringKeys: true,
    });
    return { document, lines };
  };
  const { document, lines } = parse();
  const locate = createYamlLocator(parse);
  const issues = [...document.errors, ...document.warnings].map((error) =>
    issueOf(error, lines, text),
  );
  const isUnparsed = issues.some(({ reason }) => reason.includes('call stack'));
  const tree = isUnparsed ? undefined : treeOf(document);
  if (tree === undefined || tree.issues.some(({ reason }) => reason === tooDeep))
    return tooDeepAt(text, await findDeepYaml(text, documentLimits.depth.most));
  return { value: tree.value, issues: [...issues, ...tree.issues], locate };
}

const tooDeep = `the document is nested too deeply: at most ${documentLimits.depth.most} levels are read`;

const tooDeepHere = `this is nested more than ${documentLimits.depth.most} levels deep`;

interface Tree {
  readonly value: JsonValue | undefined;
  readonly issues: readonly TextIssue[];
}

function treeOf(document: Document): Tree {
  try {
    return canonicalTree(document.toJS({ maxAliasCount: mostAliases }));
  } catch (cause) {
    const reason = cause instanceof RangeError ? tooDeep : sentence(messageOf(cause));
    return { value: undefined, issues: [{ reason, place: undefined }] };
  }
}

function issueOf(error: YAMLError, lines: LineCounter, text: string): TextIssue {
  const { line, col } = lines.linePos(error.pos[0]);
  const place = { line, column: col };
  return { reason: sentence(error.message), place, isCut: isCutBy(error, text) };
}

/** What is wrong at the end of a text is that it ends, as within brackets that are never closed. */
function isCutBy({ code, pos }: YAMLError, text: string): boolean {
  return cuts.has(code) || pos[0] >= text.trimEnd().length;
}

/** Errors of the parser after which something of the text is lost. */
const cuts: ReadonlySet<string> = new Set([
  'BLOCK_AS_IMPLICIT_KEY',
  'IMPOSSIBLE',
  'MISSING_CHAR',
  'MULTIPLE_DOCS',
  'UNEXPECTED_TOKEN',
]);

/** The first line of a message of the parser, which may go on with an excerpt. */
function sentence(message: string): string {
  return (message.split('\n', 1)[0] ?? message).replace(/[:.]$/, '');
}

/** Canonical JSON values; null for `.nan` and `.inf`. Throws Error for what aliases blew up. */
function canonicalTree(root: unknown): Tree {
  let left: number = documentLimits.values.most;
  let characters = 0;
  const issues: TextIssue[] = [];
  const tokens: (string | number)[] = [];
  const inside = (token: string | number, value: unknown): JsonValue => {
    tokens.push(token);
    const found = canonical(value);
    tokens.pop();
    return found;
  };
  const canonical = (value: unknown): JsonValue => {
    left -= 1;
    if (left < 0)
      throw new Error(
        `the document has more than ${documentLimits.values.most} values once aliases are resolved`,
      );
    // Aliases of a long text share it, until the document is written out.
    characters += typeof value === 'string' ? value.length : 0;
    if (characters > documentLimits.bytes.most)
      throw new Error(
        `the document has more than ${documentLimits.bytes.most} characters once aliases are resolved`,
      );
    const isDeep = tokens.length >= documentLimits.depth.most;
    if (typeof value === 'object' && value !== null && isDeep && Object.keys(value).length > 0) {
      issues.push({ reason: tooDeepHere, pointer: renderFragment(tokens), place: undefined });
      return Array.isArray(value) ? [] : {};
    }
    if (Array.isArray(value)) return value.map((item, index) => inside(index, item));
    if (typeof value === 'object' && value !== null)
      return mapMembers(value, (member, name) => inside(name, member));
    const scalar = canonicalScalar(value);
    if (scalar === undefined) {
      const reason = `${typeof value === 'number' ? value : typeof value} is no JSON value`;
      issues.push({ reason, place: undefined });
    }
    return scalar ?? null;
  };
  return { value: canonical(root), issues };
}
