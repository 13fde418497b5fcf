import { listRequirements } from '../conformance/index.ts';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ContractError } from './source/diagnostic.ts';
import { readText } from './source/text.ts';
import { appendPointer } from './json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from './json/value.ts';
import { loadContract } from './load.ts';
import { fixtureFile } from '../test/contract/sample.ts';
import type { Contract } from './contract.ts';

/** Damaged documents for each sound one; more by the environment. */
const count = Number(process.env['DAMAGE_RUNS'] ?? 30);

const files = [
  `${import.meta.dirname}/../openapi.yaml`,
  fixtureFile('books.yaml'),
  fixtureFile('odd/openapi-3.0.yaml'),
  fixtureFile('odd/recursive-schema.yaml'),
  fixtureFile('odd/swagger-2.0.yaml'),
];

/** Numbers below a bound, the same for the same seed (mulberry32). */
function createDraw(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

interface Place {
  readonly pointer: string;
  readonly value: JsonValue;
}

function listPlaces(value: JsonValue, pointer = '#'): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = appendPointer(pointer, name);
    return [{ pointer: at, value: member ?? null }, ...listPlaces(member ?? null, at)];
  });
}

type Change = (entries: [string, JsonValue][], index: number) => [string, JsonValue][];

const otherValues: readonly JsonValue[] = [
  null,
  7,
  -1.5,
  2n ** 64n,
  true,
  'text',
  '',
  [],
  {},
  ['a', null],
  { a: { b: 1 } },
];

/** What may become of a member: left out, of another value, of another name, there twice. */
function drawChange(draw: (bound: number) => number): Change {
  const kind = draw(4);
  const value = otherValues[draw(otherValues.length)] ?? null;
  if (kind === 0) return (entries, index) => entries.toSpliced(index, 1);
  if (kind === 1)
    return (entries, index) => entries.map(([name, old], at) => [name, at === index ? value : old]);
  if (kind === 2)
    return (entries, index) =>
      entries.map(([name, old], at) => [at === index ? `${name}Odd` : name, old]);
  return (entries, index) => {
    const [name = '', old = null] = entries[index] ?? [];
    return [...entries, [`${name}2`, old]];
  };
}

function damage(value: JsonValue, pointer: string, change: Change, at = '#'): JsonValue {
  if (typeof value !== 'object' || value === null || !`${pointer}/`.startsWith(`${at}/`))
    return value;
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    damage(member ?? null, pointer, change, appendPointer(at, name)),
  ]);
  const index = entries.findIndex(([name]) => appendPointer(at, name) === pointer);
  const changed = index < 0 ? entries : change(entries, index);
  return isJsonArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

/** The operations that a damaged place is not above or within: `GET /pets`. */
function listUntouched(document: JsonObject, pointer: string): readonly string[] {
  if (pointer === '#/paths') return [];
  const { paths } = document;
  return Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.keys(isJsonObject(item) ? item : {})
      .filter((name) => /^(get|put|post|delete|patch|head|options|trace)$/.test(name))
      .filter((name) => {
        const at = appendPointer('#/paths', path, name);
        return !`${at}/`.startsWith(`${pointer}/`) && !pointer.startsWith(`${at}/`);
      })
      .map((name) => `${name.toUpperCase()} ${path}`),
  );
}

/** Uses everything that is judged when it is first used. */
function useAll(contract: Contract): void {
  for (const { parameters, requestBody, responses } of contract.operations) {
    for (const { schema, examples } of parameters) schema.validate(examples[0]?.value ?? null);
    const content = [requestBody, ...responses].flatMap((holder) => holder?.content ?? []);
    for (const { schema, examples } of content) {
      schema?.validate(examples[0]?.value ?? {});
      schema?.shape();
    }
  }
  expect(listRequirements(contract).length).toBeGreaterThanOrEqual(0);
}

test.each(files)(
  'whatever is damaged in %s, everything else is still there',
  async (file) => {
    const { value } = await readText(await readFile(file, 'utf8'), file);
    const document = isJsonObject(value) ? value : {};
    const places = listPlaces(document);
    for (let seed = 0; seed < count; seed += 1) {
      const draw = createDraw(seed);
      const { pointer } = places[draw(places.length)] ?? { pointer: '#' };
      const text = renderJson(damage(document, pointer, drawChange(draw)));
      const contract = await loadContract({ text, name: 'damaged.json' });
      useAll(contract);
      const found = contract.operations.map(({ method, path }) => `${method} ${path}`);
      const lost = listUntouched(document, pointer).filter((one) => !found.includes(one));
      expect({ seed, pointer, lost }).toEqual({ seed, pointer, lost: [] });
      for (const { line, column, fix, file } of contract.diagnostics) {
        expect([line > 0, column > 0, fix.endsWith('.'), file]).toEqual([
          true,
          true,
          true,
          'damaged.json',
        ]);
      }
    }
  },
  60_000,
);

test.each(['', '[]', 'text', '5', '{"a": 1}', 'title: none', '\u0000'])(
  '%j is not a document',
  async (text) => {
    await expect(loadContract({ text })).rejects.toThrow(ContractError);
  },
);
