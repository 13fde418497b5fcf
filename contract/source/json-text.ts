import { renderFragment } from '../json/pointer.ts';
import { JsonScanner, readName } from '../json/scan.ts';
import type { Entries, Entry, TextIndex } from './place.ts';

/** A JSON text without the parts that were nested too deeply. */
interface CutText {
  /** As long as before: every other part keeps its offset. */
  readonly text: string;
  /** Pointers of the lists and objects that were emptied. */
  readonly cuts: readonly string[];
}

/** Empties the lists and objects of a JSON text that are deeper than a number of levels. */
export function cutDeepJson(text: string, mostLevels: number): CutText {
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
export function indexJson(text: string): TextIndex<number> {
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
