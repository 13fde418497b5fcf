import { canonicalInteger } from '../json/number.ts';
import { renderFragment } from '../json/pointer.ts';
import { mapMembers, type JsonValue } from '../json/value.ts';
import { messageOf } from './diagnostic.ts';
import {
  createLocator,
  lineStarts,
  placeAt,
  type Entries,
  type Entry,
  type ReadText,
  type TextIndex,
  type TextIssue,
} from './place.ts';
import type * as JsYaml from 'js-yaml';
import type * as Yaml from 'yaml';
import { mostBytes, mostLevels, mostValues } from './bounds.ts';
import { mostDiagnostics } from './diagnostic-log.ts';

/**
 * Reads a YAML 1.2 text without errors and without tags. Undefined for any other text, and where
 * aliases make it larger than a document may be. `js-yaml` takes a quarter of the time of `yaml`,
 * which explains what is wrong and reads on.
 */
export async function readPlainYaml(text: string): Promise<ReadText | undefined> {
  const yaml = await import('js-yaml');
  try {
    const value = toJson(yaml.load(text, { schema: plainSchema(yaml) }), ({ reason }) => {
      throw new Error(reason);
    });
    return { value, issues: [], locate: createLocator(text, () => indexEvents(text, yaml)) };
  } catch {
    return undefined;
  }
}

/** Reads YAML 1.2 as far as it can be read; what is wrong is in the issues. */
export async function readYaml(text: string): Promise<ReadText> {
  const yaml = await import('yaml');
  const options = {
    intAsBigInt: true,
    logLevel: 'silent',
    merge: true,
    prettyErrors: false,
    resolveKnownTags: false,
    schema: 'core',
    stringKeys: true,
  } as const;
  const document = withoutStacks(() => yaml.parseDocument(text, options));
  const starts = lineStarts(text);
  const issues: TextIssue[] = [...document.errors, ...document.warnings].map((error) => ({
    reason: firstLine(error.message),
    place: placeAt(starts, error.pos[0]),
    isCut: isCutBy(error, text),
    isWarning: error.name === 'YAMLWarning',
  }));
  const isUnparsed = issues.some(({ reason }) => reason.includes('call stack'));
  const tree = isUnparsed ? undefined : treeOf(document);
  const locate = createLocator(text, () =>
    indexNodes(
      withoutStacks(() => yaml.parseDocument(text, options)),
      yaml,
    ),
  );
  if (tree !== undefined && tree.issues.every(({ reason }) => reason !== tooDeep))
    return { value: tree.value, issues: [...issues, ...tree.issues], locate };
  const offset = (await findDeepYaml(text)) ?? 0;
  return refuseDeep(text, offset);
}

/** Of a broken text there may be tens of thousands of errors, whose stacks would take seconds. */
function withoutStacks<Value>(parse: () => Value): Value {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A text that is nested so deeply that it was not read. */
export function refuseDeep(text: string, offset: number): ReadText {
  const place = placeAt(lineStarts(text), offset);
  return { value: undefined, issues: [{ reason: tooDeep, place }], locate: () => place };
}

const tooDeep = `the document is nested too deeply: at most ${mostLevels} levels are read`;

/** What is wrong with a value that is emptied. */
export const tooDeepHere = `is nested more than ${mostLevels} levels deep`;

/**
 * The offset at which a YAML text is first nested too deeply, undefined for none. Reads tokens up to
 * there, without recursion.
 */
export async function findDeepYaml(text: string): Promise<number | undefined> {
  const { Lexer, Parser } = await import('yaml');
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    parser.next(lexeme).toArray();
    const { stack } = parser;
    if (stack.length <= mostLevels) continue;
    if (stack.filter((token) => 'items' in token).length > mostLevels) return start;
  }
  return undefined;
}

/** A plain scalar that is not a text; its own text, because names of members are always texts. */
class PlainScalar {
  readonly text: string;
  readonly value: JsonValue;

  constructor(text: string, value: JsonValue) {
    this.text = text;
    this.value = value;
  }
}

function plainSchema(yaml: typeof JsYaml): JsYaml.Schema {
  const scalar = yaml.defineScalarTag<PlainScalar>('tag:petstore,2026:plain', {
    implicit: true,
    implicitFirstChars: ['', ...Array.from('~+-.0123456789fFnNtT')],
    resolve: (text) => {
      const value = readPlainScalar(text);
      return value === text ? yaml.NOT_RESOLVED : new PlainScalar(text, value);
    },
    identify: () => false,
  });
  const map = yaml.defineMappingTag<Record<string, unknown>>('tag:yaml.org,2002:map', {
    create: () => ({}),
    addPair: (members, key, value) => {
      const name = key instanceof PlainScalar ? key.text : key;
      if (typeof name !== 'string' || name === '' || name === '__proto__') return 'not plain';
      members[name] = value;
      return '';
    },
    has: (members, key) =>
      Object.hasOwn(members, key instanceof PlainScalar ? key.text : String(key)),
    keys: (members) => Object.keys(members),
    get: (members, key) => members[String(key)],
    identify: () => false,
  });
  return new yaml.Schema([yaml.strTag, yaml.seqTag, map, yaml.mergeTag, scalar]);
}

/**
 * A plain scalar by the core schema of YAML 1.2, integers exact. Throws an Error for `.inf` and
 * `.nan`, which JSON does not have.
 */
function readPlainScalar(text: string): JsonValue {
  if (/^(?:~|[Nn]ull|NULL)?$/.test(text)) return null;
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true;
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false;
  if (/^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return canonicalInteger(BigInt(text));
  if (/^[-+]?[0-9]+$/.test(text)) return canonicalInteger(BigInt(text.replace('+', '')));
  const isDecimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text);
  if (!isDecimal && !/^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/.test(text)) return text;
  const value = scalarOf(Number.parseFloat(text));
  if (value === undefined) throw new Error(`${text} is not a JSON value`);
  return value;
}

/** The JSON value of a scalar; undefined where there is none, as for `.inf`. */
function scalarOf(value: unknown): JsonValue | undefined {
  if (value instanceof PlainScalar) return value.value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return canonicalInteger(value);
  if (typeof value === 'number' && Number.isFinite(value))
    return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
  return undefined;
}

interface Tree {
  readonly value: JsonValue | undefined;
  readonly issues: readonly TextIssue[];
}

/** How often aliases may multiply one anchor before it counts as an attack ("billion laughs"). */
const mostAliases = 1000;

function treeOf(document: Yaml.Document): Tree {
  try {
    const issues: TextIssue[] = [];
    const value = toJson(document.toJS({ maxAliasCount: mostAliases }), (issue) => {
      if (issues.length < mostDiagnostics) issues.push(issue);
    });
    return { value, issues };
  } catch (cause) {
    const reason = cause instanceof RangeError ? tooDeep : firstLine(messageOf(cause));
    return { value: undefined, issues: [{ reason, place: undefined }] };
  }
}

/**
 * A copy as JSON, in which each use of an alias is a value of its own. Throws an Error where that is
 * larger than a document may be.
 */
function toJson(root: unknown, report: (issue: TextIssue) => void): JsonValue {
  let values = 0;
  let characters = 0;
  const tokens: (string | number)[] = [];
  const inside = (token: string | number, value: unknown): JsonValue => {
    tokens.push(token);
    const found = convert(value);
    tokens.pop();
    return found;
  };
  const convert = (value: unknown): JsonValue => {
    values += 1;
    refuseBeyond(values, mostValues, 'values');
    if (typeof value === 'string') characters += value.length;
    refuseBeyond(characters, mostBytes, 'characters');
    if (typeof value === 'object' && value !== null && !(value instanceof PlainScalar)) {
      if (tokens.length < mostLevels || Object.keys(value).length === 0)
        return Array.isArray(value)
          ? value.map((item, index) => inside(index, item))
          : mapMembers(value, (member, name) => inside(name, member));
      report({ reason: tooDeepHere, pointer: renderFragment(tokens), place: undefined });
      return Array.isArray(value) ? [] : {};
    }
    const scalar = scalarOf(value);
    if (scalar === undefined)
      report({ reason: `${String(value)} is not a JSON value`, place: undefined });
    return scalar ?? null;
  };
  return convert(root);
}

function refuseBeyond(count: number, most: number, noun: string): void {
  if (count > most)
    throw new Error(`the document has more than ${most} ${noun} once aliases are resolved`);
}

/** What is wrong at the end of a text is that it ends, as within brackets that are never closed. */
function isCutBy({ code, pos }: Yaml.YAMLError, text: string): boolean {
  return cuts.has(code) || pos[0] >= text.trimEnd().length;
}

/** Errors of the parser after which part of the text is lost. */
const cuts: ReadonlySet<string> = new Set([
  'BLOCK_AS_IMPLICIT_KEY',
  'IMPOSSIBLE',
  'MISSING_CHAR',
  'MULTIPLE_DOCS',
  'UNEXPECTED_TOKEN',
]);

/** The first line of a message of the parser, which may go on with an excerpt. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? message).replace(/[:.]$/, '');
}

/** The places in a text with errors. */
function indexNodes(document: Yaml.Document, yaml: typeof Yaml): TextIndex<unknown> {
  const startOf = (node: unknown): number | undefined =>
    yaml.isNode(node) ? node.range?.[0] : undefined;
  const entriesOf = (value: unknown): Entries<unknown> => {
    const entries = new Map<string, Entry<unknown>>();
    const node = yaml.isAlias(value) ? value.resolve(document) : value;
    const start = startOf(node) ?? 0;
    if (yaml.isMap(node))
      for (const { key, value: member } of node.items) {
        const name = yaml.isScalar(key) ? String(key.value) : String(key);
        entries.set(name, { start: startOf(key) ?? startOf(member) ?? start, value: member });
      }
    if (yaml.isSeq(node))
      for (const [index, item] of node.items.entries())
        entries.set(String(index), { start: startOf(item) ?? start, value: item });
    return entries;
  };
  const { contents } = document;
  return { root: { start: startOf(contents) ?? 0, value: contents }, entriesOf };
}

/** The places in a text without errors. Values are known by the index of their first event. */
function indexEvents(
  text: string,
  yaml: Pick<typeof JsYaml, 'EVENT_ID' | 'SCALAR_STYLE' | 'getScalarValue' | 'parseEvents'>,
): TextIndex<number> {
  const { ALIAS, MAPPING, POP, SCALAR } = yaml.EVENT_ID;
  const { DOUBLE_QUOTED, PLAIN, SINGLE_QUOTED } = yaml.SCALAR_STYLE;
  const events = yaml.parseEvents(text, {});
  /** The last event of each document, sequence and mapping, by its first. */
  const ends = new Map<number, number>();
  /** What each alias stands for. */
  const targets = new Map<number, number>();
  const open: number[] = [];
  const anchors = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const { type } = event;
    if ('anchorStart' in event && event.anchorStart >= 0) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      if (type === ALIAS) targets.set(index, anchors.get(name) ?? index);
      else anchors.set(name, index);
    }
    if (type === POP) ends.set(open.pop() ?? 0, index);
    else if (type !== SCALAR && type !== ALIAS) open.push(index);
  }
  return { root: { start: startOf(1) ?? 0, value: 1 }, entriesOf };

  function entriesOf(holder: number): Entries<number> {
    const entries = new Map<string, Entry<number>>();
    const isMapping = events[holder]?.type === MAPPING;
    const end = ends.get(holder) ?? 0;
    for (let at = holder + 1; at < end;) {
      const value = isMapping ? at + 1 : at;
      const event = events[at];
      const name = isMapping && event?.type === SCALAR ? yaml.getScalarValue(text, event) : '';
      entries.set(isMapping ? name : String(entries.size), {
        start: startOf(at) ?? startOf(holder) ?? 0,
        value: targets.get(value) ?? value,
      });
      at = (ends.get(value) ?? value) + 1;
    }
    return entries;
  }

  function startOf(index: number): number | undefined {
    const event = events[index];
    if (event === undefined) return undefined;
    if ('start' in event) return event.start;
    if (event.type === ALIAS) return event.anchorStart - 1;
    if (event.type !== SCALAR || event.valueStart < 0) return undefined;
    const { style, valueStart } = event;
    if (style === PLAIN) return valueStart;
    if (style === SINGLE_QUOTED || style === DOUBLE_QUOTED) return valueStart - 1;
    return Math.max(text.lastIndexOf('|', valueStart), text.lastIndexOf('>', valueStart));
  }
}

/** YAML that readers of version 1.1 and 1.2 understand alike; integers of any size are exact. */
export async function renderYaml(value: JsonValue): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
