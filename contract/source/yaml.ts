import type { JsonValue } from '../json/value.ts';
import {
  type IssueAt,
  LineIndex,
  maxLevels,
  type ReadText,
  readTree,
  type TextNode,
  unreadable,
} from './tree.ts';
import type * as JsYaml from 'js-yaml';
import type * as Yaml from 'yaml';

/**
 * Reads as much YAML 1.2 as possible; errors are in the issues. `js-yaml` takes a quarter of the time of
 * `yaml`, which explains errors and continues after them.
 */
export async function readYaml(text: string): Promise<ReadText> {
  const yaml = await import('js-yaml');
  try {
    return readTree(text, () => openEvents(text, yaml));
  } catch (cause) {
    if (!(cause instanceof yaml.YAMLException)) throw cause;
    const { reason, mark } = cause;
    const isDeep = reason.includes('maxDepth');
    if (!isDeep && !mayBeDeep(text) && !(await isTooLong(text))) return await readFaulty(text);
    const place = new LineIndex(text).placeAt(mark?.position ?? 0);
    const tooDeep = `the document is nested too deeply: at most ${maxLevels} levels are read`;
    return isDeep
      ? unreadable('too-large', tooDeep, place)
      : unreadable('invalid-syntax', reason, place);
  }
}

/** Most tokens of a text with errors: `yaml` needs 300 bytes of memory for each. */
const maxFaultyTokens = 500_000;

/** Most characters of such a text: a quoted text takes 50 bytes of memory for each. */
const maxFaultyText = 4 * 1024 * 1024;

/** Whether a text has too many tokens or characters to be read if it has errors. */
export async function isTooLong(text: string): Promise<boolean> {
  if (text.length <= maxFaultyTokens) return false;
  if (text.length > maxFaultyText) return true;
  const { Lexer } = await import('yaml');
  return new Lexer().lex(text).drop(maxFaultyTokens).next().done !== true;
}

/** Levels from which the recursive parser of `yaml` takes too long. */
const manyLevels = 2_000;

/** Whether a text may have that many levels on one line. Brackets in strings and comments count too. */
function mayBeDeep(text: string): boolean {
  if (new RegExp(`(?:[-?:] +){${manyLevels}}`).test(text)) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > manyLevels) return true;
  }
  return false;
}

/** The root of a text with a single document without tags. Throws a YAMLException for any other. */
function openEvents(
  text: string,
  {
    EVENT_ID: { ALIAS, DOCUMENT, MAPPING, POP, SCALAR },
    SCALAR_STYLE: { DOUBLE_QUOTED, PLAIN, SINGLE_QUOTED },
    ...yaml
  }: typeof JsYaml,
): TextNode {
  const refuse = (message: string, offset = 0) => yaml.YAMLException.throwAt(text, offset, message);
  // First, because each document takes memory.
  const [, second] = text.matchAll(/^---(?=\s|$)/gm).take(2);
  if (second !== undefined) refuse('there is more than one document', second.index);
  const events = yaml.parseEvents(text, { maxDepth: maxLevels + 1 });
  /** The last event of each document, sequence and mapping, by its first. */
  const ends = new Map<number, number>();
  /** The events to which aliases refer. */
  const targets = new Map<number, number>();
  const open: number[] = [];
  const anchors = new Map<string, number>();
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

/** A plain scalar by the core schema of YAML 1.2, with exact integers. */
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

/**
 * Reads YAML with errors or tags. If there are fewer errors then, continuation lines of quoted strings are
 * indented below their members, and members on the line of another one are put in quotes or braces.
 */
export async function readFaulty(text: string): Promise<ReadText> {
  const yaml = await import('yaml');
  let best: EditedText = { text, issues: [] };
  let read = parseFaulty(text, yaml);
  for (const [message, edit] of edits) {
    const found = read.errors.filter((error) => error.message.startsWith(message));
    const edited = found.length === 0 ? best : edit(best, found);
    if (edited.issues.length === best.issues.length) continue;
    const again = parseFaulty(edited.text, yaml);
    if (again.errors.length < read.errors.length) [best, read] = [edited, again];
  }
  const { root, errors } = read;
  return readTree(best.text, () => root, [...best.issues, ...errors]);
}

interface EditedText {
  readonly text: string;
  readonly issues: readonly IssueAt[];
}

/** Edits by the beginning of the parser's message about what they correct. */
const edits = [
  ['Missing closing', indentQuoted],
  ['Nested mappings are not allowed', divideLines],
] as const;

/** A member that is a text, up to its value. */
const textMember = /(?:^|[\s-])(?:description|summary|title|name|version|example|pattern):\s+$/;

/** What a text is not: the schema of a property that is named like one. */
const schemaValue = /^(?:type:\s+(?:string|integer|number|boolean|array|object)\b|\$ref:)/;

/** A text in which `description: Note: all` is quoted, and `schema: type: string` is in braces. */
function divideLines({ text, issues }: EditedText, errors: readonly IssueAt[]): EditedText {
  const lines = text.split('\n');
  const found = [...issues];
  const places = errors.map((error) => error.offset).toSorted((one, other) => one - other);
  let [before, offset, next] = [0, 0, 0];
  for (const [at, line] of lines.entries()) {
    while ((places[next] ?? Infinity) < before) next += 1;
    const column = (places[next] ?? Infinity) - before;
    if (column < line.length) {
      const [key, rest] = [line.slice(0, column), line.slice(column)];
      const comment = rest.search(/\s#/);
      const value = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
      const isText = textMember.test(key) && !schemaValue.test(value);
      // The sign may be within quotes, or begin an unquoted reference.
      if (comment < 0 || !/["']|:$/.test(value)) {
        const edited = isText ? `'${value.replaceAll("'", "''")}'` : `{ ${value} }`;
        lines[at] = key + edited + rest.slice(value.length);
        const fix = isText ? 'quote the text' : 'put it in braces';
        const message = `a member cannot begin on the line of another: ${fix}`;
        found.push({ code: 'unknown-yaml', offset: offset + key.length, message });
      }
    }
    before += line.length + 1;
    offset += (lines[at] ?? '').length + 1;
  }
  return { text: lines.join('\n'), issues: found };
}

/** A member whose value begins with a quote: its indent, its quote and the text after that. */
const quotedMember = /^(\s*(?:- +)*)[^\s#'"[{][^:]*:\s+(["'])(.*)$/;

/** A member whose value is a block scalar, which may contain anything. */
const blockMember = /^(\s*(?:- +)*)(?:[^\s#].*:\s+|- +)[|>][-+\d]*\s*(?:#.*)?$/;

/** A text in which the further lines of quoted texts are below their members, and where they were not. */
function indentQuoted({ text }: EditedText): EditedText {
  const lines = text.split('\n');
  const members = new Set<number>();
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const block = blockMember.exec(line)?.[1];
    if (block !== undefined) while (isWithin(lines[at + 1], block)) at += 1;
    const [, indent = '', quote = '', rest = ''] =
      (block === undefined && quotedMember.exec(line)) || [];
    if (quote === '' || unclosed.has(quote) || closes(rest, quote)) continue;
    let end = at + 1;
    while (end < lines.length && !closes(lines[end] ?? '', quote)) end += 1;
    // No later line has such a quote either, so each is read once.
    if (end === lines.length) unclosed.add(quote);
    else {
      const further = lines.slice(at + 1, end + 1);
      if (!further.every((one) => isWithin(one, indent))) {
        members.add(at);
        for (const [place, one] of further.entries())
          lines[at + 1 + place] = `${' '.repeat(indent.length + 2)}${one}`;
      }
      at = end;
    }
  }
  let offset = 0;
  const issues: IssueAt[] = [];
  const message = 'the quoted text continues on lines that are not indented';
  for (const [at, line] of lines.entries()) {
    if (members.has(at)) issues.push({ code: 'invalid-syntax', offset, message });
    offset += line.length + 1;
  }
  return { text: lines.join('\n'), issues };
}

/** Whether a line is blank, or has a larger indent. */
function isWithin(line: string | undefined, indent: string): boolean {
  if (line === undefined) return false;
  return line.trim() === '' || line.length - line.trimStart().length > indent.length;
}

/** Whether a text within quotes contains the closing quote. */
function closes(text: string, quote: string): boolean {
  return text.replaceAll(quote === '"' ? /\\./g : "''", '').includes(quote);
}

/** The root of a text with errors, and its errors. */
function parseFaulty(text: string, yaml: typeof Yaml) {
  const document = withoutStacks(() =>
    yaml.parseDocument(text, {
      intAsBigInt: true,
      // With `silent`, further documents are not an error.
      logLevel: 'error',
      prettyErrors: false,
      resolveKnownTags: false,
      schema: 'core',
      stringKeys: true,
      // It would compare every pair.
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
  for (const node of listNodes(document.contents)) {
    if (!yaml.isAlias(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      continue;
    }
    const target = anchors.get(node.source);
    if (target !== undefined) targets.set(node, target);
    else {
      const message = `Unresolved alias (the anchor must be set before the alias): ${node.source}`;
      errors.push({ code: 'invalid-syntax', offset: node.range?.[0] ?? 0, message });
    }
  }
  return { root: nodeOf(document.contents, startOf(document.contents) ?? 0), errors };

  /** In the order of the text. `yaml.visit` keeps the path to each, and so takes memory for deep ones. */
  function* listNodes(root: unknown): Generator<Yaml.Node> {
    const pending = [root];
    while (pending.length > 0) {
      const one = pending.pop();
      if (yaml.isPair(one)) pending.push(one.value, one.key);
      if (yaml.isNode(one)) yield one;
      if (yaml.isCollection(one)) for (const item of one.items.toReversed()) pending.push(item);
    }
  }

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
        // A list or an object as a member name is an error.
        return [typeof name === 'string' ? name : text.slice(at, at + 40), nodeOf(item.value, at)];
      });
    return { start, id, kind: yaml.isMap(id) ? 'object' : 'list', entries };
  }

  function startOf(node: unknown): number | undefined {
    return yaml.isNode(node) ? node.range?.[0] : undefined;
  }
}

/**
 * Runs code that may throw and catch errors whose stacks are never shown: a broken document may cause tens
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

/**
 * An error at the end of a text means that it is truncated, such as within brackets that are never closed.
 */
function codeOf({ code, name, pos }: Yaml.YAMLError, text: string): IssueAt['code'] {
  if (cuts.has(code) || pos[0] >= text.trimEnd().length) return 'cut-text';
  return name === 'YAMLWarning' ? 'unknown-yaml' : 'invalid-syntax';
}

/** Parser errors after which part of the text is lost. */
const cuts: ReadonlySet<string> = new Set([
  'BLOCK_AS_IMPLICIT_KEY',
  'IMPOSSIBLE',
  'MISSING_CHAR',
  'MULTIPLE_DOCS',
  'UNEXPECTED_TOKEN',
]);

/** YAML that parsers of versions 1.1 and 1.2 read alike; integers of any size are exact. */
export async function renderYaml(value: JsonValue): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
