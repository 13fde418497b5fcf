import { JsonScanner, JsonSyntaxError, readName } from '../json/scan.ts';
import { parseJson, type JsonValue } from '../json/value.ts';
import { boundValue } from './bounds.ts';
import { ContractError, createDiagnostic, renderRefusal, textStart } from './diagnostic.ts';
import { createLocator, type Entries, type Entry, type ReadText, type TextIndex } from './place.ts';
import { isTooLong, readYaml } from './yaml.ts';

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
  const found = read.issues.map(({ place = textStart, ...issue }) =>
    createDiagnostic({ ...issue, fix: 'Correct the text.' }, source, '#', () => place),
  );
  const distinct = new Map(found.map((one) => [renderRefusal(one), one]));
  if (distinct.size > 0) throw new ContractError([...distinct.values()].slice(0, mostIssues));
  return read;
}

/** As `readSound`, but reads on after an issue as far as anything can be read. */
export async function readText(text: string, source: string): Promise<ReadText> {
  const plain = text.replace(/^\uFEFF/, '');
  if (!/^\s*[{[]/.test(plain)) return await readYaml(plain);
  try {
    return readJson(plain);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    if (cause.kind === 'limit' || (await isTooLong(plain))) return unreadable(cause);
    const read = await readYaml(plain);
    // YAML reads much broken JSON, such as a missing comma, as a plain scalar.
    if (!source.endsWith('.json')) return read;
    const { reason: message, line, column } = cause;
    const isCut = read.issues.some((issue) => issue.code === 'cut-text');
    const code = isCut ? 'cut-text' : 'invalid-syntax';
    return { ...read, issues: [{ code, message, place: { line, column } }] };
  }
}

/** A text that is not JSON, or too large. */
function unreadable({ kind, reason, line, column }: JsonSyntaxError): ReadText {
  const place = { line, column };
  const code = kind === 'limit' ? 'too-large' : 'invalid-syntax';
  const issues = [{ code, message: reason, place } as const];
  return { value: undefined, values: 0, issues, locate: () => place };
}

function readJson(text: string): ReadText {
  const value = parseJson(text);
  const { values, issues } = boundValue(value);
  return {
    value: issues.length === 0 ? value : undefined,
    values,
    issues,
    locate: createLocator(text, () => indexJson(text)),
  };
}

/** JSON tokens that are read to find places in one text. */
const mostTokens = 10_000_000;

/** Values are known by their offsets. Of several members with one name the last counts. */
function indexJson(text: string): TextIndex<number> {
  let tokens = 0;
  const start = text.search(/\S/);
  return { root: { start, value: start }, entriesOf };

  /** Values within each other are read again and again, so what is deep may have no entries. */
  function entriesOf(open: number): Entries<number> {
    const entries = new Map<string, Entry<number>>();
    const scanner = new JsonScanner(text, open);
    let name: { readonly text: string; readonly start: number } | undefined;
    while (tokens < mostTokens && scanner.next()) {
      tokens += 1;
      const { kind, start: at, end, depth } = scanner;
      const isClosing = kind === ']' || kind === '}';
      if (isClosing && depth === 1) break;
      if (kind === 'name' && depth === 1) name = { text: readName(text.slice(at, end)), start: at };
      const level = kind === '[' || kind === '{' ? 2 : 1;
      if (isClosing || kind === 'name' || depth !== level) continue;
      const entry = { start: name?.start ?? at, value: at };
      entries.set(name?.text ?? String(entries.size), entry);
    }
    return entries;
  }
}
