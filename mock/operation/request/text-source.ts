import type { Shape } from '../../../contract/schema/schema-node.ts';

/** Text of a request before a schema gives it a type; several readings where a style allows them. */
export interface TextSource {
  /** As one value; undefined where there are several. */
  readonly text: string | undefined;
  /** As an array, the likeliest reading first. */
  readonly lists: () => readonly (readonly TextSource[])[];
  /** As an object of a shape, the likeliest reading first. */
  readonly objects: (shape: Shape) => readonly SourceMembers[];
}

export type SourceMembers = ReadonlyMap<string, TextSource>;

/** One text. */
export function textLeaf(text: string): TextSource {
  return { text, lists: () => [[textLeaf(text)]], objects: () => [] };
}

/** Names and texts in turn, as objects that are not exploded have them. */
export function membersInTurn(texts: readonly string[]): readonly SourceMembers[] {
  if (texts.length % 2 === 1) return [];
  const members = new Map<string, TextSource>();
  for (let at = 0; at < texts.length; at += 2)
    members.set(texts[at] ?? '', textLeaf(texts[at + 1] ?? ''));
  return [members];
}

/** Texts such as `name=value`, as exploded objects have them. */
export function membersOfPairs(texts: readonly string[]): readonly SourceMembers[] {
  if (texts.some((text) => !text.includes('='))) return [];
  return [
    new Map(
      texts.map((text) => {
        const mark = text.indexOf('=');
        return [text.slice(0, mark), textLeaf(text.slice(mark + 1))];
      }),
    ),
  ];
}

/** Texts under a name, and what is in it: `a[b][0]`. */
interface SourceTree {
  readonly texts: string[];
  readonly members: Map<string, SourceTree>;
}

/**
 * What pairs say in brackets, `name[a][b]`, and the texts of repeated names. Members that are
 * numbered, or have no name, are an array.
 */
export function readBrackets(pairs: Iterable<readonly [string, string]>): SourceMembers {
  const root: SourceTree = { texts: [], members: new Map() };
  for (const [key, text] of pairs) {
    let tree = root;
    for (const name of splitBrackets(key)) {
      const next = tree.members.get(name) ?? { texts: [], members: new Map() };
      tree.members.set(name, next);
      tree = next;
    }
    tree.texts.push(text);
  }
  return membersOf(root);
}

/** Brackets in a key: what is deeper is read by no form, and would be by its own depth only. */
const mostLevels = 64;

/** `a[b][0]` has the names `a`, `b`, `0`; a key with other brackets, or too many, is one name. */
function splitBrackets(key: string): readonly string[] {
  if (!key.endsWith(']')) return [key];
  const [first = '', ...rest] = key.split('[');
  const isPlain =
    first !== '' &&
    !first.includes(']') &&
    rest.every((one) => one.indexOf(']') === one.length - 1);
  return isPlain && rest.length <= mostLevels
    ? [first, ...rest.map((one) => one.slice(0, -1))]
    : [key];
}

function membersOf({ members }: SourceTree): SourceMembers {
  return new Map([...members].map(([name, tree]) => [name, sourceOf(tree)]));
}

function sourceOf(tree: SourceTree): TextSource {
  const { texts, members } = tree;
  if (members.size > 0)
    return {
      text: undefined,
      lists: () => (isNumbered(members) ? [listOf(members)] : []),
      objects: () => [membersOf(tree)],
    };
  return sourceOfTexts(texts);
}

/** Texts of a name that occurs once or several times. */
export function sourceOfTexts(texts: readonly string[]): TextSource {
  const isEmpty = texts.length === 1 && texts[0] === '';
  return {
    text: texts.length === 1 ? texts[0] : undefined,
    lists: () => (isEmpty ? [[textLeaf('')], []] : [texts.map(textLeaf)]),
    objects: () => [],
  };
}

function isNumbered(members: ReadonlyMap<string, SourceTree>): boolean {
  return [...members.keys()].every((name) => /^\d*$/.test(name));
}

function listOf(members: ReadonlyMap<string, SourceTree>): readonly TextSource[] {
  return [...members]
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .flatMap(([name, tree]) => (name === '' ? tree.texts.map(textLeaf) : [sourceOf(tree)]));
}
