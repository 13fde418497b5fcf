import { hash } from 'node:crypto';
import { list, type Loose, loose } from './forge.ts';

/** Numbers from 0 (included) to 1 (not included), the same for one seed. */
export type Chance = () => number;

/** A generator of numbers by a seed: those of SHA-256 over the seed and a count. */
export function createChance(seed: number): Chance {
  let count = 0;
  return () => {
    count += 1;
    return Number.parseInt(hash('sha256', `${seed} ${count}`).slice(0, 8), 16) / 2 ** 32;
  };
}

export function choose<T>(chance: Chance, items: readonly T[]): T {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** One change of a value of JSON, in place: where, as names and indexes, and what was done. */
export interface Mutation {
  readonly path: readonly string[];
  readonly what: string;
}

/**
 * Changes one member at any depth of an object, in place. Every level is as likely as the next, so
 * that a long log does not take all the changes. Never leaves the value as it was.
 */
export function mutateMember(chance: Chance, value: Loose): Mutation {
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
  if (chance() < 0.08) return remove(parent, name);
  if (Array.isArray(member)) return changeList(chance, list(member));
  if (typeof member === 'object' && member !== null) return changeObject(chance, loose(member));
  const other = choose(
    chance,
    alternatives(member).filter((each) => !Object.is(each, member)),
  );
  parent[name] = other;
  return `${JSON.stringify(member)} became ${JSON.stringify(other)}`.slice(0, 200);
}

function remove(parent: Loose, name: string): string {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return 'removed';
}

function changeList(chance: Chance, items: unknown[]): string {
  const at = Math.floor(chance() * items.length);
  const next = items.length > 1 ? (at + 1) % items.length : at;
  const kinds = items.length > 1 ? ['drop', 'repeat', 'swap', 'empty'] : ['repeat'];
  const kind = items.length === 0 ? 'add' : choose(chance, kinds);
  if (kind === 'add') items.push('x');
  if (kind === 'drop') items.splice(at, 1);
  if (kind === 'repeat') items.splice(at, 0, structuredClone(items[at]));
  if (kind === 'empty') items.length = 0;
  if (kind === 'swap') [items[at], items[next]] = [items[next], items[at]];
  return `${kind} ${at}`;
}

function changeObject(chance: Chance, object: Loose): string {
  const names = Object.keys(object);
  if (names.length > 0 && chance() < 0.5) return remove(object, choose(chance, names));
  object['stranger'] = choose(chance, [1, 'x', null, {}]);
  return 'a member added';
}

const dates = ['2030-01-01T00:00:00.000Z', '1999-12-31T23:59:59.000Z', '9999-12-31T23:59:59.000Z'];
const words = ['passed', 'failed', 'waived', 'not-tested', 'open', 'must', 'should', 'conforms'];
const more = ['failed', 'incomplete', 'client', 'inconclusive', 'used', 'unreached'];

function alternatives(value: unknown): readonly unknown[] {
  if (typeof value === 'number')
    return [value + 1, value - 1, 0, 1, -1, 200, 404, 1e9, 0.5, `${value}`, null];
  if (typeof value === 'boolean') return [!value, null, 'true'];
  if (typeof value !== 'string') return ['x', 0, false, {}];
  const isDate = /^\d{4}-\d\d-\d\d/.test(value);
  const edited = [`${value}x`, value.slice(1), `x${value}`, value.toUpperCase(), '', 0, null];
  return [...edited, ...(isDate ? dates : [...words, ...more])];
}
