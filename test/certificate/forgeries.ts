import { createRandom } from '../../contract/sample/random.ts';
import type { SigningKey } from '../../certificate/envelope/signing-key.ts';
import {
  closePayload,
  digestAnew,
  list,
  type Loose,
  loose,
  openPayload,
  signaturesOf,
} from './forge.ts';

/**
 * Who makes a forgery: `file` edits the file, `kept` the payload under the signature that is there,
 * `stranger` signs with a key of their own, `named` does so in the name of the owner, `unsigned` by
 * nobody; `owner` edits the payload and signs it with the right key.
 */
export const forgers = ['file', 'kept', 'stranger', 'named', 'unsigned', 'owner'] as const;

export interface Forgery {
  readonly text: string;
  /** Where the payload was changed, as names and indexes joined by `/`; empty for a file. */
  readonly place: string;
  /** What was done, for messages. */
  readonly what: string;
}

export interface Parties {
  readonly owner: SigningKey;
  readonly stranger: SigningKey;
}

/** Changes a certificate at a place that the seed decides. The same seed makes the same forgery. */
export function createForgery(
  seed: number,
  forger: (typeof forgers)[number],
  text: string,
  { owner, stranger }: Parties,
): Forgery {
  const chance = createRandom(seed);
  if (forger === 'file') return editFile(chance, text);
  const { document, place, what } = editPayload(chance, text);
  const signed = closePayload(document, [stranger]);
  const texts = {
    kept: () => closePayload(document, signaturesOf(text)),
    unsigned: () => closePayload(document, []),
    owner: () => closePayload(document, [owner]),
    stranger: () => signed,
    named: () => {
      const named = signaturesOf(signed).map(({ sig }) => ({ keyid: owner.keyid, sig }));
      return closePayload(document, named);
    },
  };
  return { text: texts[forger](), place, what: `seed ${seed}, ${forger}: ${place} ${what}` };
}

/** Numbers from 0 (included) to 1 (not included), the same for one seed. */
type Chance = () => number;

function choose<T>(chance: Chance, items: readonly T[]): T {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** Changes a few characters of the file, after the payload as often as anywhere. */
function editFile(chance: Chance, text: string): Forgery {
  const from = chance() < 0.5 ? 0 : text.indexOf('"payloadType"');
  const at = from + Math.floor(chance() * (text.length - 1 - from));
  const part = text.slice(at, at + 1 + Math.floor(chance() * 4));
  const others = ['', ...' |\n|A|=|"|,|{|}|\\|0'.split('|'), part + part].filter(
    (other) => other !== part,
  );
  const other = choose(chance, others);
  return {
    text: text.slice(0, at) + other + text.slice(at + part.length),
    place: '',
    what: `at ${at}: ${JSON.stringify(part)} became ${JSON.stringify(other)}`,
  };
}

/** Changes a member, and as often as not makes the log look untouched. Never leaves it as it was. */
function editPayload(chance: Chance, text: string) {
  for (;;) {
    const document = openPayload(text);
    const before = JSON.stringify(document);
    const { path, what } = mutateMember(chance, document);
    if (chance() < 0.5) tryDigesting(document);
    if (JSON.stringify(document) !== before) return { document, place: path.join('/'), what };
  }
}

function tryDigesting(document: Loose): void {
  const copy = structuredClone(document);
  try {
    for (const [index, each] of list(copy['exchanges']).entries()) {
      const exchange = loose(each);
      if ('index' in exchange) exchange['index'] = index;
    }
    digestAnew(copy);
  } catch {
    return;
  }
  Object.assign(document, copy);
}

/**
 * Changes one member at any depth of an object, in place. Every level is as likely as the next, so
 * that a long log does not take all the changes.
 */
function mutateMember(chance: Chance, value: Loose) {
  const path: string[] = [];
  let [parent, name]: [unknown, string] = [value, choose(chance, Object.keys(value))];
  for (;;) {
    path.push(name);
    const member: unknown = Reflect.get(Object(parent), name);
    const names = typeof member === 'object' && member !== null ? Object.keys(member) : [];
    if (names.length === 0 || chance() < 0.15) break;
    [parent, name] = [member, choose(chance, names)];
  }
  return { path, what: change(chance, Object(parent), name) };
}

function change(chance: Chance, parent: Loose, name: string): string {
  const member = parent[name];
  if (chance() < 0.08) {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
    return 'removed';
  }
  const other = choose(chance, alternatives(chance, member));
  parent[name] = other;
  return `${JSON.stringify(member)} became ${JSON.stringify(other)}`.slice(0, 200);
}

const dates = ['2030-01-01T00:00:00.000Z', '1999-12-31T23:59:59.000Z', '9999-12-31T23:59:59.000Z'];
const words = ['passed', 'failed', 'waived', 'not-tested', 'open', 'must', 'should', 'conforms'];
const more = ['failed', 'incomplete', 'client', 'inconclusive', 'used', 'unreached'];

function alternatives(chance: Chance, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    const items = list(value);
    const at = Math.floor(chance() * items.length);
    if (items.length === 0) return [['x']];
    return [items.toSpliced(at, 1), items.toSpliced(at, 0, items[at]), items.toReversed(), []];
  }
  if (typeof value === 'number')
    return [value + 1, value - 1, 0, 1, -1, 200, 404, 1e9, 0.5, `${value}`, null];
  if (typeof value === 'boolean') return [!value, null, 'true'];
  if (typeof value === 'object' && value !== null) {
    const left = Math.floor(chance() * Object.keys(value).length);
    const fewer = Object.entries(value).filter((_, index) => index !== left);
    return [
      Object.fromEntries(fewer),
      ...[1, 'x', null, {}].map((stranger) => ({ ...value, stranger })),
    ];
  }
  if (typeof value !== 'string') return ['x', 0, false, {}];
  const isDate = /^\d{4}-\d\d-\d\d/.test(value);
  const edited = [`${value}x`, value.slice(1), `x${value}`, value.toUpperCase(), '', 0, null];
  return [...edited, ...(isDate ? dates : [...words, ...more])];
}
