import { endOfString, isName } from './syntax.ts';

/** The most that a JSON text may have. */
export interface JsonBounds {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Values: the whole, members of objects and elements of arrays. */
  readonly values: number;
  /** Different names of members, in all objects together. */
  readonly names: number;
}

/** Where the first character stands that is beyond a bound, or undefined. Linear, no recursion. */
export function findBeyond(
  text: string,
  bounds: JsonBounds,
): { readonly offset: number; readonly bound: keyof JsonBounds } | undefined {
  let [depth, values] = [0, 1];
  const names = new Set<string>();
  for (let offset = 0; offset < text.length; offset += 1) {
    switch (text.charCodeAt(offset)) {
      case quote: {
        const end = endOfString(text, offset);
        if (bounds.names < Infinity && isName(text, end)) names.add(text.slice(offset + 1, end));
        if (names.size > bounds.names) return { offset, bound: 'names' };
        offset = end;
        break;
      }
      case openBracket:
      case openBrace:
        depth += 1;
        values += 1;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        break;
      case comma:
        values += 1;
        break;
      default:
    }
    if (depth > bounds.depth) return { offset, bound: 'depth' };
    if (values > bounds.values) return { offset, bound: 'values' };
  }
  return undefined;
}

const [quote, comma] = [34, 44];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
