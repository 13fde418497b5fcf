import { type Draw, rotate } from './random.ts';
import {
  createMeasure,
  type LengthRange,
  sumLengths,
  parsePattern,
  type PatternNode,
} from '../pattern/syntax.ts';

/** Characters that texts are drawn from, those first that people read with ease. */
const letters = 'abcdefghijklmnopqrstuvwxyz';
const plain = `${letters}${letters.toUpperCase()}0123456789`;
const others =
  '-_. /:@,+#!$%&*()=?;<>[]{}|^~`\'"\\\t\n\r\u0000\u0007\u001f\u007f\u00a0' +
  'éßñÀΩαжЖ中文あア가אعกअ€£©½²①ǅʰªⅧ\u0301\u200b\u2028\ufeff\ue000😀🐾𝒜';

/** Longest text that is made. */
const longest = 2 ** 14;

/** Characters made of one pattern. */
const mostCharacters = 2 ** 16;

/** Parts of a pattern gone through for one text, and for all: what may be empty costs no character. */
const mostParts = 2 ** 16;
const mostPartsOfAll = 2 ** 18;

/** Texts made from a pattern, of lengths within the range where it has such. */
export function* listPatternTexts(
  pattern: string,
  { min, max }: LengthRange,
  draw: Draw,
): Generator<string> {
  const tree = parsePattern(pattern);
  const range = createMeasure()(tree);
  const least = Math.max(min, range.min);
  if (range.min > longest) return;
  const most = Math.min(max, range.max, longest);
  const usual = Math.min(most, Math.max(least, Math.min(range.min + 6, 12)));
  const maker = createMaker(draw);
  for (
    let tries = 0, made = 0;
    made < mostCharacters && maker.parts() < mostPartsOfAll;
    tries += 1
  ) {
    const spread = Math.max(0, Math.min(most, usual + 24) - least) + 1;
    const target = tries < 2 ? usual : tries < 4 ? least : least + draw(spread);
    const text = maker.make(tree, target, tries > 8);
    made += 1 + text.length;
    yield text;
    const [missing] = [least - Array.from(text).length];
    if (missing > 0 && missing < longest) {
      yield text + 'a'.repeat(missing);
      yield 'a'.repeat(missing) + text;
      yield text + '0'.repeat(missing);
    }
  }
}

interface Maker {
  /** A text of about so many characters. `wild`: of any characters, not the plain ones first. */
  readonly make: (tree: PatternNode, target: number, wild: boolean) => string;
  /** How many parts of the pattern it has gone through. */
  readonly parts: () => number;
}

/** Makes texts of a pattern. Where one takes too many parts, its rest is left out. */
function createMaker(draw: Draw): Maker {
  const measureLength = createMeasure();
  let [parts, most] = [0, 0];
  const captured = new Map<string, string>();
  const choices = new Map<string, readonly string[]>();

  return {
    make: (tree, target, wild) => {
      most = parts + mostParts;
      return make(tree, target, wild);
    },
    parts: () => parts,
  };

  function make(node: PatternNode, target: number, wild: boolean): string {
    parts += 1;
    if (parts > most) return '';
    switch (node.kind) {
      case 'character':
        return pick(node.source, wild);
      case 'group': {
        const text = make(node.node, target, wild);
        for (const name of node.names) captured.set(name, text);
        return text;
      }
      case 'backreference':
        return captured.get(node.name) ?? '';
      case 'assertion':
        return '';
      case 'look':
        // What must follow, as far as it is not said by what follows.
        return !node.isBehind && !node.isNegated && wild && draw(2) === 0
          ? make(node.node, measureLength(node.node).min, wild)
          : '';
      case 'choice': {
        const [chosen] = rotate(node.nodes, draw).toSorted(
          (one, other) => distance(one, target) - distance(other, target),
        );
        parts += node.nodes.length;
        return chosen === undefined ? '' : make(chosen, target, wild);
      }
      case 'sequence':
        return makeAll(node.nodes, target, wild);
      case 'repeat': {
        const each = measureLength(node.node);
        const few = each.max === 0 ? node.min : Math.ceil(target / each.max);
        const many = each.min === 0 ? Infinity : Math.floor(target / each.min);
        const drawn =
          Number.isFinite(few) && many > few && many < 100 ? few + draw(many - few + 1) : few;
        const count = Math.min(Math.max(drawn, node.min, target > 0 ? 1 : 0), node.max, 2 ** 10);
        return makeAll(
          Array.from({ length: count }, () => node.node),
          target,
          wild,
        );
      }
    }
  }

  /** Each gets its least, and the first that can stretch take the rest. */
  function makeAll(nodes: readonly PatternNode[], target: number, wild: boolean): string {
    const ranges = nodes.map(measureLength);
    let spare = Math.max(0, target - sumLengths(ranges).min);
    const texts = nodes.map((node, index) => {
      const { min, max } = ranges[index] ?? { min: 0, max: 0 };
      const share = Math.min(max - min, index === nodes.length - 1 ? spare : Math.ceil(spare / 2));
      spare -= share;
      return { node, length: min + share, room: max - min - share };
    });
    return texts
      .map(({ node, length, room }) => {
        const more = Math.min(room, spare);
        spare -= more;
        return make(node, length + more, wild);
      })
      .join('');
  }

  function pick(source: string, wild: boolean): string {
    const known = choices.get(source) ?? listCharacters(source);
    choices.set(source, known);
    const simple = wild ? known : known.filter((one) => plain.includes(one));
    const list = simple.length === 0 ? known : simple;
    return list[draw(list.length)] ?? '';
  }

  function distance(node: PatternNode, target: number): number {
    const { min, max } = measureLength(node);
    return target < min ? min - target : Math.max(0, target - max);
  }
}

/** Whether a text is one character of a pattern; undefined where that is none. */
function readCharacter(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(`^(?:${source})$`, flags);
    } catch {}
  }
  return undefined;
}

/** The characters of a class that are known here, and those that it names itself. */
function listCharacters(source: string): readonly string[] {
  const test = readCharacter(source);
  if (test === undefined) return [source.slice(-1)];
  const named = Array.from(
    source.replaceAll(/\\u\{([^}]*)\}|\\u([\da-f]{4})|\\x([\da-f]{2})/giu, (_all, ...digits) =>
      String.fromCodePoint(Number.parseInt(String(digits.find((one) => one !== undefined)), 16)),
    ),
  );
  const found = [
    ...new Set([plain, others].flatMap((one) => Array.from(one)).concat(named)),
  ].filter((one) => test.test(one));
  return found.length > 0 ? found : [source.slice(-1)];
}
