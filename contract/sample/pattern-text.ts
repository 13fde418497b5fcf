import { type Draw, rotate } from './random.ts';
import { parsePattern, type PatternNode } from '../pattern/syntax.ts';

/** Characters of generated texts, readable ones first. */
const letters = 'abcdefghijklmnopqrstuvwxyz';
const plain = `${letters}${letters.toUpperCase()}0123456789`;
const others =
  '-_. /:@,+#!$%&*()=?;<>[]{}|^~`\'"\\\t\n\r\u0000\u0007\u001f\u007f\u00a0' +
  'éßñÀΩαжЖ中文あア가אعกअ€£©½²①ǅʰªⅧ\u0301\u200b\u2028\ufeff\ue000😀🐾𝒜';

/** Longest generated text. */
const longest = 2 ** 14;

/** Most parts of a pattern that are visited for one text, and for all; each character is a part. */
const maxParts = 2 ** 16;
const maxPartsOfAll = 2 ** 18;

/** Texts of a pattern, of lengths within the range if it has any. Some may not match the pattern. */
export function* listPatternTexts(
  pattern: string,
  min: number,
  max: number,
  draw: Draw,
): Generator<string> {
  const tree = parsePattern(pattern);
  const least = Math.max(min, tree.min);
  if (tree.min > longest) return;
  const most = Math.min(max, tree.max, longest);
  const usual = Math.min(most, Math.max(least, Math.min(tree.min + 6, 12)));
  const spread = Math.max(0, Math.min(most, usual + 24) - least) + 1;
  const writer = new PatternWriter(draw);
  for (let tries = 0; writer.parts < maxPartsOfAll; tries += 1) {
    const target = tries < 2 ? usual : tries < 4 ? least : least + draw(spread);
    const text = writer.write(tree, target, tries > 8);
    yield text;
    const missing = least - Array.from(text).length;
    if (missing > 0 && missing < longest) {
      yield text + 'a'.repeat(missing);
      yield 'a'.repeat(missing) + text;
      yield text + '0'.repeat(missing);
    }
  }
}

/** Writes texts of a pattern. If one takes too many parts, the rest of it is empty. */
class PatternWriter {
  /** Parts of the pattern visited so far. */
  parts = 0;
  readonly #draw: Draw;
  readonly #captured = new Map<string, string>();
  readonly #characters = new Map<string, readonly string[]>();
  #maxParts = 0;
  /** Also draws characters that are hard to read, and texts of lookaheads. */
  #isWild = false;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  /** A text of about `target` characters. */
  write(tree: PatternNode, target: number, isWild: boolean): string {
    this.#maxParts = this.parts + maxParts;
    this.#isWild = isWild;
    return this.#writeNode(tree, target);
  }

  #writeNode(node: PatternNode, target: number): string {
    this.parts += 1;
    if (this.parts > this.#maxParts) return '';
    switch (node.kind) {
      case 'character':
        return this.#pick(node.source);
      case 'group': {
        const text = this.#writeNode(node.node, target);
        for (const name of node.names) this.#captured.set(name, text);
        return text;
      }
      case 'backreference':
        return this.#captured.get(node.name) ?? '';
      case 'assertion':
        return '';
      case 'look': {
        // The following nodes usually match a lookahead by themselves, so it is written only at times.
        const isWritten = node.isAhead && this.#isWild && this.#draw(2) === 0;
        return isWritten ? this.#writeNode(node.node, node.node.min) : '';
      }
      case 'choice': {
        const distance = ({ min, max }: PatternNode): number =>
          Math.max(0, min - target, target - max);
        this.parts += node.nodes.length;
        const [nearest] = rotate(node.nodes, this.#draw).toSorted(
          (one, other) => distance(one) - distance(other),
        );
        return nearest === undefined ? '' : this.#writeNode(nearest, target);
      }
      case 'sequence':
        return this.#writeAll(node.nodes, target);
      case 'repeat': {
        const { node: each, least, most } = node;
        const few = each.max === 0 ? least : Math.ceil(target / each.max);
        const many = each.min === 0 ? Infinity : Math.floor(target / each.min);
        const isOpen = Number.isFinite(few) && many > few && many < 100;
        const drawn = isOpen ? few + this.#draw(many - few + 1) : few;
        const count = Math.min(Math.max(drawn, least, target > 0 ? 1 : 0), most, 2 ** 10);
        return this.#writeAll(Array<PatternNode>(count).fill(each), target);
      }
    }
  }

  /** Each node gets its least length. Half of the rest goes to each in turn, then all to the first. */
  #writeAll(nodes: readonly PatternNode[], target: number): string {
    const least = nodes.reduce((sum, { min }) => sum + min, 0);
    let spare = Math.max(0, target - least);
    const shares = nodes.map(({ min, max }, index) => {
      const share = Math.min(max - min, index === nodes.length - 1 ? spare : Math.ceil(spare / 2));
      spare -= share;
      return share;
    });
    return nodes
      .map((node, index) => {
        const share = shares[index] ?? 0;
        const more = Math.min(node.max - node.min - share, spare);
        spare -= more;
        return this.#writeNode(node, node.min + share + more);
      })
      .join('');
  }

  #pick(source: string): string {
    const all = this.#characters.get(source) ?? listCharacters(source);
    this.#characters.set(source, all);
    const easy = this.#isWild ? [] : all.filter((one) => plain.includes(one));
    const list = easy.length === 0 ? all : easy;
    return list[this.#draw(list.length)] ?? '';
  }
}

/** The characters of the list that a class matches, and those that it names itself. */
function listCharacters(source: string): readonly string[] {
  const expression = new RegExp(`^(?:${source})$`, 'u');
  const named = source.replaceAll(
    /\\u\{([^}]*)\}|\\u([\da-f]{4})|\\x([\da-f]{2})/giu,
    (_all, ...digits) =>
      String.fromCodePoint(Number.parseInt(String(digits.find((one) => one !== undefined)), 16)),
  );
  const found = Array.from(new Set(plain + others + named)).filter((one) => expression.test(one));
  return found.length > 0 ? found : [source.slice(-1)];
}
