import { everySymbol, noSymbols, type Symbols, symbolsOf } from '../tree/character.ts';
import { groupNames } from '../tree/group.ts';
import type { PatternNode } from '../tree/syntax.ts';

/** What the parts of one pattern are. */
export interface PatternTraits {
  readonly traitsOf: (node: PatternNode) => Traits;
  /** The symbols of one character, by its source. */
  readonly symbolsAt: (source: string) => Symbols;
  /** The longest text that a group finds, by its number or name. */
  readonly longestOf: (name: string) => number;
}

export interface Traits {
  readonly canBeEmpty: boolean;
  readonly first: Symbols;
  /** The longest text that it takes, in characters. */
  readonly longest: number;
}

/** `isForeign`: its characters may stand for any. Reads each part once. */
export function createTraits(tree: PatternNode, flags: string, isForeign: boolean): PatternTraits {
  const symbols = new Map<string, Symbols>();
  const traits = new Map<PatternNode, Traits>();
  const captured = groupNames(tree);
  return { traitsOf, symbolsAt, longestOf };

  function traitsOf(node: PatternNode): Traits {
    const known = traits.get(node) ?? readTraits(node);
    traits.set(node, known);
    return known;
  }

  function readTraits(node: PatternNode): Traits {
    switch (node.kind) {
      case 'character':
        // A letter beyond the basic plane has two units.
        return { canBeEmpty: false, first: symbolsAt(node.source), longest: 2 };
      case 'group':
        return traitsOf(node.node);
      case 'assertion':
      case 'look':
        return { canBeEmpty: true, first: noSymbols, longest: 0 };
      case 'backreference':
        return { canBeEmpty: true, first: everySymbol, longest: longestOf(node.name) };
      case 'choice': {
        const all = node.nodes.map(traitsOf);
        return {
          canBeEmpty: all.some(({ canBeEmpty }) => canBeEmpty),
          first: all.reduce((sum, { first }) => sum | first, noSymbols),
          longest: all.reduce((sum, { longest }) => Math.max(sum, longest), 0),
        };
      }
      case 'sequence': {
        let sum: Traits = { canBeEmpty: true, first: noSymbols, longest: 0 };
        for (const part of node.nodes) {
          const { canBeEmpty, first, longest } = traitsOf(part);
          sum = {
            canBeEmpty: sum.canBeEmpty && canBeEmpty,
            first: sum.canBeEmpty ? sum.first | first : sum.first,
            longest: sum.longest + longest,
          };
        }
        return sum;
      }
      case 'repeat': {
        const { canBeEmpty, first, longest } = traitsOf(node.node);
        return {
          canBeEmpty: canBeEmpty || node.min === 0,
          first,
          longest: longest === 0 || node.max === 0 ? 0 : longest * node.max,
        };
      }
    }
  }

  /** A group that refers to itself, within itself, may be of any length. */
  function longestOf(name: string): number {
    const group = captured.get(name);
    if (group === undefined || hasBackreference(group)) return Infinity;
    return traitsOf(group).longest;
  }

  function symbolsAt(source: string): Symbols {
    if (isForeign) return everySymbol;
    const known = symbols.get(source) ?? symbolsOf(source, flags);
    symbols.set(source, known);
    return known;
  }
}

function hasBackreference(node: PatternNode): boolean {
  if (node.kind === 'backreference') return true;
  if ('nodes' in node) return node.nodes.some(hasBackreference);
  return 'node' in node && hasBackreference(node.node);
}
