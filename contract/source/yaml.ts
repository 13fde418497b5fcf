import { withoutStacks, boundValue, mostLevels, mostValues } from './bounds.ts';
import { canonicalInteger } from '../json/number.ts';
import type { JsonValue } from '../json/value.ts';
import {
  createLocator,
  lineStarts,
  placeAt,
  type Entries,
  type Entry,
  type ReadText,
  type TextIndex,
  type TextIssue,
  type TextLocator,
} from './place.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import type * as JsYaml from 'js-yaml';
import type * as Yaml from 'yaml';

/** What a text has too much of, by the limit that `js-yaml` names. */
const excesses = {
  maxDepth: `the document is nested too deeply: at most ${mostLevels} levels are read`,
  maxTotalMergeKeys: `the merge keys of the document add more than ${mostValues} members`,
};

/**
 * Reads YAML 1.2 as far as it can be read; what is wrong is in the issues. `js-yaml` takes a quarter of
 * the time of `yaml`, which explains what is wrong with a text and reads on.
 */
export async function readYaml(text: string): Promise<ReadText> {
  const yaml = await import('js-yaml');
  let parsed: unknown;
  try {
    const bounds = { maxDepth: mostLevels + 1, maxTotalMergeKeys: mostValues };
    parsed = yaml.load(text, { schema: plainSchema(yaml), ...bounds });
  } catch (cause) {
    const { reason = '', mark } = cause instanceof yaml.YAMLException ? cause : {};
    const excess = Object.entries(excesses).find(([limit]) => reason.includes(limit))?.[1];
    if (!excess && !mayBeDeep(text) && !(await isTooLong(text))) return await readFaulty(text);
    const place = placeAt(lineStarts(text), mark?.position ?? 0);
    const code = excess ? 'too-large' : 'invalid-syntax';
    const issues = [{ code, message: excess ?? reason, place } as const];
    return { value: undefined, values: 0, issues, locate: () => place };
  }
  return {
    ...boundValue(parsed, { readScalar: scalarOf }),
    locate: createLocator(text, () => indexEvents(text, yaml)),
  };
}

/** Tokens of a text with errors that `yaml` reads: it needs 300 bytes of memory for each. */
export const mostFaultyTokens = 500_000;

/** Characters of such a text: a quoted text takes 50 bytes of memory for each. */
const mostFaultyText = 4 * 1024 * 1024;

/** Whether a text has more tokens or characters than are read if it has errors. */
export async function isTooLong(text: string): Promise<boolean> {
  if (text.length <= mostFaultyTokens) return false;
  if (text.length > mostFaultyText) return true;
  const { Lexer } = await import('yaml');
  return new Lexer().lex(text).drop(mostFaultyTokens).next().done !== true;
}

/** Levels from which on `yaml`, which calls itself, takes too long. */
const manyLevels = 2_000;

/** Whether a text may have so many levels on a line. Those in texts and comments count, too. */
function mayBeDeep(text: string): boolean {
  if (new RegExp(`(?:[-?:] +){${manyLevels}}`).test(text)) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > manyLevels) return true;
  }
  return false;
}

/** Where a quote does not end, reads the text with the lines of quoted texts indented. */
async function readFaulty(text: string): Promise<ReadText> {
  const read = await readTolerantly(text);
  if (!read.issues.some(({ message }) => message.startsWith('Missing closing'))) return read;
  const { indentQuotedLines } = await import('./quoted-lines.ts');
  const { text: indented, lines } = indentQuotedLines(text);
  if (lines.length === 0) return read;
  const repaired = await readTolerantly(indented);
  if (repaired.value === undefined || repaired.issues.length >= read.issues.length) return read;
  const issues = lines.map((line): TextIssue => ({
    code: 'invalid-syntax',
    message: 'the quoted text continues on lines that are not indented',
    place: { line, column: 1 },
  }));
  return { ...repaired, issues: [...issues, ...repaired.issues] };
}

/** Aliases of a text with errors: for each, `yaml` looks through all that is before it. */
const mostAliases = 10_000;

/** Reads YAML with errors, with duplicate names or with tags. */
export async function readTolerantly(text: string): Promise<ReadText> {
  const yaml = await import('yaml');
  const document = withoutStacks(() =>
    yaml.parseDocument(text, {
      intAsBigInt: true,
      // With `silent` further documents are not an error.
      logLevel: 'error',
      prettyErrors: false,
      resolveKnownTags: false,
      schema: 'core',
      stringKeys: true,
      // It would compare each with each.
      uniqueKeys: false,
    }),
  );
  const starts = lineStarts(text);
  const { repeated, aliases } = scanNodes(document, yaml);
  const isEmptyDocument = ({ code, pos }: Yaml.YAMLError): boolean =>
    code === 'MULTIPLE_DOCS' && text.slice(pos[0]).replace('---', '').trim() === '';
  const found = [...document.errors, ...document.warnings].filter((each) => !isEmptyDocument(each));
  const errors = found.map((error) => ({
    offset: error.pos[0],
    code: codeOf(error, text),
    message:
      error.code === 'MULTIPLE_DOCS'
        ? 'another document begins here, and only the first is read'
        : firstLine(error.message),
  }));
  const issues: TextIssue[] = [
    ...errors,
    ...repeated.map((offset) => ({ offset, ...duplicateKey })),
  ]
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, ...issue }) => ({ ...issue, place: placeAt(starts, offset) }));
  const locate = locateNodes(document, yaml, starts);
  try {
    if (aliases > mostAliases) throw new Error(`the text has errors and ${aliases} aliases`);
    const bounded = boundValue(document.toJS({ maxAliasCount: -1 }), {
      readScalar: scalarOf,
      merges: true,
    });
    return { ...bounded, issues: [...bounded.issues, ...issues], locate };
  } catch (cause) {
    const message = firstLine(cause instanceof Error ? cause.message : String(cause));
    return {
      value: undefined,
      values: 0,
      issues: [{ code: 'too-large', message }, ...issues],
      locate,
    };
  }
}

const duplicateKey = { code: 'duplicate-key', message: 'Map keys must be unique' } as const;

/** The offsets of names that are there twice, and how many aliases there are. */
function scanNodes(document: Yaml.Document, yaml: typeof Yaml) {
  const repeated: number[] = [];
  let aliases = 0;
  yaml.visit(document, {
    Map: (_key, { items }) => {
      const names = new Set<unknown>();
      for (const { key } of items) {
        const name = yaml.isScalar(key) ? key.value : key;
        if (names.has(name) && yaml.isNode(key)) repeated.push(key.range?.[0] ?? 0);
        names.add(name);
      }
    },
    Alias: () => {
      aliases += 1;
    },
  });
  return { repeated, aliases };
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
  const scalar = yaml.defineScalarTag<PlainScalar | number>('tag:petstore,2026:plain', {
    implicit: true,
    implicitFirstChars: ['', ...Array.from('~+-.0123456789fFnNtT')],
    resolve: (text) => {
      const value = readPlainScalar(text);
      if (value === text) return yaml.NOT_RESOLVED;
      return typeof value === 'number' && !Number.isFinite(value)
        ? value
        : new PlainScalar(text, value);
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

/** A plain scalar by the core schema of YAML 1.2, integers exact. */
function readPlainScalar(text: string): JsonValue {
  if (/^(?:~|[Nn]ull|NULL)?$/.test(text)) return null;
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true;
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false;
  if (/^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return canonicalInteger(BigInt(text));
  if (/^[-+]?[0-9]+$/.test(text)) return canonicalInteger(BigInt(text.replace('+', '')));
  const isDecimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text);
  if (!isDecimal && !/^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/.test(text)) return text;
  const number = Number.parseFloat(text.replace(/\.inf$/i, 'Infinity'));
  return scalarOf(number) ?? number;
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

/** What is wrong at the end of a text is that it ends, as within brackets that are never closed. */
function codeOf({ code, name, pos }: Yaml.YAMLError, text: string): DiagnosticCode {
  if (cuts.has(code) || pos[0] >= text.trimEnd().length) return 'cut-text';
  return name === 'YAMLWarning' ? 'unknown-yaml' : 'invalid-syntax';
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

/** Finds places in a text with errors. */
function locateNodes(
  document: Yaml.Document,
  yaml: typeof Yaml,
  starts: readonly number[],
): TextLocator {
  const startOf = (node: unknown): number | undefined =>
    yaml.isNode(node) ? node.range?.[0] : undefined;
  return (tokens) => {
    let node: unknown = document.contents;
    let start = startOf(node) ?? 0;
    for (const token of tokens) {
      if (yaml.isAlias(node)) node = node.resolve(document);
      if (yaml.isMap(node)) {
        const pair = node.items.find(
          ({ key }) => String(yaml.isScalar(key) ? key.value : key) === token,
        );
        if (pair === undefined) break;
        start = startOf(pair.key) ?? startOf(pair.value) ?? start;
        node = pair.value;
      } else if (yaml.isSeq(node) && Number(token) in node.items) {
        node = node.items[Number(token)];
        start = startOf(node) ?? start;
      } else break;
    }
    return placeAt(starts, start);
  };
}

/** The places in a text without errors. Values are known by the index of their first event. */
function indexEvents(
  text: string,
  yaml: Pick<typeof JsYaml, 'EVENT_ID' | 'SCALAR_STYLE' | 'getScalarValue' | 'parseEvents'>,
): TextIndex<number> {
  const { ALIAS, MAPPING, POP, SCALAR } = yaml.EVENT_ID;
  const { DOUBLE_QUOTED, PLAIN, SINGLE_QUOTED } = yaml.SCALAR_STYLE;
  const events = yaml.parseEvents(text, { maxDepth: mostLevels + 1 });
  /** The last event of each document, sequence and mapping, by its first. */
  const ends = new Map<number, number>();
  /** The events that aliases refer to. */
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
