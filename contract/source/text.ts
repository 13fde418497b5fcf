import { renderFragment } from '../json/pointer.ts';
import { JsonScanner, JsonSyntaxError, readName } from '../json/scan.ts';
import { parseJson, type JsonValue } from '../json/value.ts';
import { ContractError } from './diagnostic.ts';
import {
  createLocator,
  type Entries,
  type Entry,
  type ReadText,
  type TextIndex,
  type TextIssue,
} from './place.ts';
import { findDeepYaml, readPlainYaml, readYaml, refuseDeep, tooDeepHere } from './yaml.ts';
import { mostLevels } from './bounds.ts';

/** How many issues of a text are reported: those after them tend to follow from them. */
const mostIssues = 10;

/**
 * Any value in YAML 1.2 or JSON, integers exact; null for an empty text. Throws a ContractError with
 * line and column for the first ten issues.
 */
export async function parseValueText(text: string, source: string): Promise<JsonValue> {
  const { value = null } = await readSound(text, source);
  return value;
}

/** As `parseValueText`, with the places of what was read. */
export async function readSound(text: string, source: string): Promise<ReadText> {
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

/** As `readSound`, but reads on after an issue as far as anything can be read. */
export async function readText(text: string, source: string): Promise<ReadText> {
  const plain = text.replace(/^\uFEFF/, '');
  const json = readJson(plain);
  if (json !== undefined && !(json instanceof JsonSyntaxError)) return json;
  if (mayBeDeep(plain)) {
    const offset = await findDeepYaml(plain);
    if (offset !== undefined) return refuseDeep(plain, offset);
  }
  if (json === undefined) {
    const read = await readPlainYaml(plain);
    if (read !== undefined) return read;
  }
  const read = await readIndented(plain);
  // YAML reads much broken JSON, such as a missing comma, as a plain scalar.
  if (json === undefined || !source.endsWith('.json')) return read;
  const { reason, line, column } = json;
  const isCut = read.issues.some((issue) => issue.isCut);
  return { ...read, issues: [{ reason, place: { line, column }, isCut }] };
}

/** An error, or undefined, where the text is not JSON but may be YAML, such as `{a: b}`. */
function readJson(text: string): ReadText | JsonSyntaxError | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const { text: shallow, cuts } = cutDeepJson(text, mostLevels);
    const value = parseJson(shallow);
    const issues = cuts.map((pointer) => ({ reason: tooDeepHere, pointer, place: undefined }));
    return { value, issues, locate: createLocator(text, () => indexJson(shallow)) };
  } catch (cause) {
    if (cause instanceof JsonSyntaxError) return cause;
    throw cause;
  }
}

/** A JSON text without the parts that were nested too deeply. */
interface CutText {
  /** As long as before: every other part keeps its offset. */
  readonly text: string;
  /** Pointers of the lists and objects that were emptied. */
  readonly cuts: readonly string[];
}

/** Empties the lists and objects of a JSON text that are deeper than a number of levels. */
function cutDeepJson(text: string, mostLevels: number): CutText {
  const cuts: string[] = [];
  const kept: string[] = [];
  let [from, start] = [0, 0];
  const scanner = new JsonScanner(text);
  while (scanner.next()) {
    if (scanner.depth !== mostLevels + 1) continue;
    const { kind, end } = scanner;
    if (kind === '[' || kind === '{') start = end;
    else if ((kind === ']' || kind === '}') && text.slice(start, end - 1).trim() !== '') {
      cuts.push(renderFragment(scanner.path()));
      kept.push(text.slice(from, start), ' '.repeat(end - 1 - start));
      from = end - 1;
    }
  }
  return { text: cuts.length === 0 ? text : kept.join('') + text.slice(from), cuts };
}

/** Values are known by their offsets. Of several members with one name the last counts. */
function indexJson(text: string): TextIndex<number> {
  const start = text.search(/\S/);
  return { root: { start, value: start }, entriesOf: (open) => listEntries(text, open) };
}

function listEntries(text: string, open: number): Entries<number> {
  const entries = new Map<string, Entry<number>>();
  const scanner = new JsonScanner(text, open);
  let name: { readonly text: string; readonly start: number } | undefined;
  while (scanner.next()) {
    const { kind, start, end, depth } = scanner;
    const isClosing = kind === ']' || kind === '}';
    if (isClosing && depth === 1) break;
    if (kind === 'name' && depth === 1) name = { text: readName(text.slice(start, end)), start };
    const level = kind === '[' || kind === '{' ? 2 : 1;
    if (isClosing || kind === 'name' || depth !== level) continue;
    const entry = { start: name?.start ?? start, value: start };
    entries.set(name?.text ?? String(entries.size), entry);
  }
  return entries;
}

/** Brackets within each other from which on a text is not given to a parser that calls itself. */
const manyBrackets = 2_000;

/** Whether a text may have so many levels of brackets. Those in texts and comments count, too. */
function mayBeDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > manyBrackets) return true;
  }
  return false;
}

/** Where a quote does not end, reads the text with the lines of quoted texts indented. */
async function readIndented(text: string): Promise<ReadText> {
  const read = await readYaml(text);
  if (!read.issues.some(({ reason }) => reason.startsWith('Missing closing'))) return read;
  const { indentQuotedLines } = await import('./quoted-lines.ts');
  const { text: indented, lines } = indentQuotedLines(text);
  if (lines.length === 0) return read;
  const repaired = await readYaml(indented);
  if (repaired.value === undefined || repaired.issues.length >= read.issues.length) return read;
  const issues = lines.map((line) => ({
    reason: 'the quoted text continues on lines that are not indented',
    place: { line, column: 1 },
  }));
  return { ...repaired, issues: [...issues, ...repaired.issues] };
}
