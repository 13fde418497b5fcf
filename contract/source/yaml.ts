import type { JsonValue } from '../json/value.ts';
import {
  type IssueAt,
  lineStarts,
  mostLevels,
  placeAt,
  type ReadText,
  readTree,
  type TextNode,
  unreadable,
} from './tree.ts';
import type * as JsYaml from 'js-yaml';
import type * as Yaml from 'yaml';

/**
 * Reads YAML 1.2 as far as it can be read; what is wrong is in the issues. `js-yaml` takes a quarter of
 * the time of `yaml`, which explains what is wrong with a text and reads on.
 */
export async function readYaml(text: string): Promise<ReadText> {
  const yaml = await import('js-yaml');
  const open = (): TextNode => openEvents(text, yaml);
  try {
    return readTree(text, open(), open);
  } catch (cause) {
    if (!(cause instanceof yaml.YAMLException)) throw cause;
    const { reason, mark } = cause;
    const isDeep = reason.includes('maxDepth');
    if (!isDeep && !mayBeDeep(text) && !(await isTooLong(text))) return await readFaulty(text);
    const place = placeAt(lineStarts(text), mark?.position ?? 0);
    const tooDeep = `the document is nested too deeply: at most ${mostLevels} levels are read`;
    return isDeep
      ? unreadable('too-large', tooDeep, place)
      : unreadable('invalid-syntax', reason, place);
  }
}

/** Tokens of a text with errors that `yaml` reads: it needs 300 bytes of memory for each. */
const mostFaultyTokens = 500_000;

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

/** The root of a text of one document without tags. Throws a YAMLException for any other. */
function openEvents(
  text: string,
  {
    EVENT_ID: { ALIAS, DOCUMENT, MAPPING, POP, SCALAR },
    SCALAR_STYLE: { DOUBLE_QUOTED, PLAIN, SINGLE_QUOTED },
    ...yaml
  }: typeof JsYaml,
): TextNode {
  const events = yaml.parseEvents(text, { maxDepth: mostLevels + 1 });
  /** The last event of each document, sequence and mapping, by its first. */
  const ends = new Map<number, number>();
  /** The events that aliases refer to. */
  const targets = new Map<number, number>();
  const open: number[] = [];
  const anchors = new Map<string, number>();
  const refuse = (message: string, offset = 0) => yaml.YAMLException.throwAt(text, offset, message);
  for (const [index, event] of events.entries()) {
    const { type } = event;
    if ('tagStart' in event && event.tagStart >= 0) refuse('a tag is not known', event.tagStart);
    if (type === DOCUMENT && index > 0) refuse('there is more than one document');
    if ('anchorStart' in event && event.anchorStart >= 0) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      const target = anchors.get(name);
      if (type !== ALIAS) anchors.set(name, index);
      else if (target === undefined) refuse('there is no such anchor', event.anchorStart);
      else targets.set(index, target);
    }
    if (type === POP) ends.set(open.pop() ?? 0, index);
    else if (type !== SCALAR && type !== ALIAS) open.push(index);
  }
  if (events.length < 3) refuse('there is no document');
  return nodeAt(1, startOf(1) ?? 0);

  function nodeAt(index: number, start: number): TextNode {
    const id = targets.get(index) ?? index;
    const event = events[id];
    if (event?.type !== SCALAR) {
      const kind = event?.type === MAPPING ? 'object' : 'list';
      return { start, id, kind, entries: () => entriesOf(id, start) };
    }
    const value = yaml.getScalarValue(text, event);
    const scalar = event.style === PLAIN ? readPlainScalar(value) : value;
    return { start, id, kind: 'scalar', scalar, entries: () => [] };
  }

  function* entriesOf(holder: number, start: number): Generator<[string, TextNode]> {
    const isMapping = events[holder]?.type === MAPPING;
    const end = ends.get(holder) ?? 0;
    let count = 0;
    for (let at = holder + 1; at < end; count += 1) {
      const value = isMapping ? at + 1 : at;
      const key = events[at];
      const name = isMapping && key?.type === SCALAR ? yaml.getScalarValue(text, key) : '';
      if (isMapping && name === '') refuse('the name of a member is not a text', start);
      yield [isMapping ? name : `${count}`, nodeAt(value, startOf(at) ?? start)];
      at = (ends.get(value) ?? value) + 1;
    }
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

/** A plain scalar by the core schema of YAML 1.2, integers exact. */
function readPlainScalar(text: string): unknown {
  if (/^(?:~|[Nn]ull|NULL)?$/.test(text)) return null;
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true;
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false;
  if (/^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return BigInt(text);
  if (/^[-+]?[0-9]+$/.test(text)) return BigInt(text.replace('+', ''));
  const isDecimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text);
  if (!isDecimal && !/^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/.test(text)) return text;
  return Number.parseFloat(text.replace(/\.inf$/i, 'Infinity'));
}

/** Characters that are read again while the lines of up to 20 quoted texts are indented. */
const mostIndentedText = 1024 * 1024;

/**
 * Reads YAML with errors or with tags. The further lines of quoted texts are indented below their
 * members, as YAML wants and many writers forget.
 */
export async function readFaulty(text: string): Promise<ReadText> {
  const yaml = await import('yaml');
  let [current, read] = [text, parseFaulty(text, yaml)];
  const indented: IssueAt[] = [];
  const most = Math.min(20, Math.max(1, mostIndentedText / text.length));
  while (indented.length < most) {
    const error = read.errors.find(({ message }) => message.startsWith('Missing closing'));
    const next = error && indentQuoted(current, error);
    const repaired = next === undefined ? undefined : parseFaulty(next, yaml);
    if (!error || !next || !repaired || repaired.errors.length >= read.errors.length) break;
    [current, read] = [next, repaired];
    const offset = current.lastIndexOf('\n', error.offset - 1) + 1;
    const message = 'the quoted text continues on lines that are not indented';
    indented.push({ code: 'invalid-syntax', offset, message });
  }
  return readTree(current, read.root, () => read.root, [...indented, ...read.errors]);
}

/** A text with the lines of a quoted text indented from the end of one of them to its closing quote. */
function indentQuoted(text: string, { offset, message }: IssueAt): string | undefined {
  const above = text.slice(0, offset).split('\n');
  const lines = text.split('\n').slice(above.length);
  const quote = message.includes('"') ? '"' : "'";
  const escaped = quote === '"' ? /\\./g : /''/g;
  const last = lines.findIndex((line) => line.replaceAll(escaped, '').includes(quote));
  const first = above.findLast((line) => line.includes(quote)) ?? '';
  if (last < 0 || !/^[\s-]*[^\s#'"[{][^:]*:\s+["']/.test(first)) return undefined;
  const [indent = ''] = /^[\s-]*/.exec(above.at(-1) ?? '') ?? [];
  const start = text.slice(0, offset);
  const moved = lines.map((line, at) =>
    at <= last ? `${' '.repeat(indent.length + 2)}${line}` : line,
  );
  return [start, ...moved].join('\n');
}

/** The root of a text with errors, and its errors. */
function parseFaulty(text: string, yaml: typeof Yaml) {
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
  const isEmptyDocument = ({ code, pos }: Yaml.YAMLError): boolean =>
    code === 'MULTIPLE_DOCS' && text.slice(pos[0]).replace('---', '').trim() === '';
  const found = [...document.errors, ...document.warnings].filter((each) => !isEmptyDocument(each));
  const errors = found.map((error): IssueAt => ({
    offset: error.pos[0],
    code: codeOf(error, text),
    message:
      error.code === 'MULTIPLE_DOCS'
        ? 'another document begins here, and only the first is read'
        : (error.message.split('\n', 1)[0] ?? '').replace(/[:.]$/, ''),
  }));
  const anchors = new Map<string, Yaml.Node>();
  const targets = new Map<unknown, Yaml.Node>();
  yaml.visit(document, (_key, node) => {
    if (!yaml.isNode(node)) return;
    if (!yaml.isAlias(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      return;
    }
    const target = anchors.get(node.source);
    if (target !== undefined) targets.set(node, target);
    else {
      const message = `Unresolved alias (the anchor must be set before the alias): ${node.source}`;
      errors.push({ code: 'invalid-syntax', offset: node.range?.[0] ?? 0, message });
    }
  });
  return { root: nodeOf(document.contents, startOf(document.contents) ?? 0), errors };

  function nodeOf(node: unknown, start: number): TextNode {
    const id = targets.get(node) ?? node;
    if (!yaml.isCollection(id)) {
      const scalar = yaml.isScalar(id) ? id.value : null;
      return { start, id, kind: 'scalar', scalar, entries: () => [] };
    }
    const entries = (): [string, TextNode][] =>
      id.items.map((item, index) => {
        if (!yaml.isPair(item)) return [`${index}`, nodeOf(item, startOf(item) ?? start)];
        const key = targets.get(item.key) ?? item.key;
        const name: unknown = yaml.isScalar(key) ? key.value : undefined;
        const at = startOf(item.key) ?? startOf(item.value) ?? start;
        // A list or an object as a name is an error.
        return [typeof name === 'string' ? name : text.slice(at, at + 40), nodeOf(item.value, at)];
      });
    return { start, id, kind: yaml.isMap(id) ? 'object' : 'list', entries };
  }

  function startOf(node: unknown): number | undefined {
    return yaml.isNode(node) ? node.range?.[0] : undefined;
  }
}

/**
 * Runs what may throw and catch errors, whose stacks nobody sees: of a broken document there may be tens
 * of thousands, whose stacks would take seconds.
 */
export function withoutStacks<Value>(run: () => Value): Value {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What is wrong at the end of a text is that it ends, as within brackets that are never closed. */
function codeOf({ code, name, pos }: Yaml.YAMLError, text: string): IssueAt['code'] {
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

/** YAML that readers of version 1.1 and 1.2 understand alike; integers of any size are exact. */
export async function renderYaml(value: JsonValue): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
