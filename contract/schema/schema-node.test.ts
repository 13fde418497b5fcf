import { execFileSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { readValueLines } from '../../test/contract/value-lines.ts';
import { ContractError } from '../source/diagnostic.ts';
import { parseJson, type JsonObject, type JsonValue } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';
import { SchemaRegistry, type SchemaNode } from './schema-node.ts';

function registryOf(schemas: JsonObject, openapi = '3.1.0'): SchemaRegistry {
  return soundRegistry({ openapi, components: { schemas } });
}

function nodeOf(schema: JsonValue): SchemaNode {
  return registryOf({ S: schema }).node('#/components/schemas/S');
}

function reasonsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ContractError)
      return error.diagnostics.map(({ pointer, message }) => `${pointer}: ${message}`);
    throw error;
  }
  return [];
}

describe('node', () => {
  const registry = registryOf({
    A: { $ref: '#/components/schemas/B', description: 'An alias.' },
    B: { type: 'integer' },
    C: { $ref: '#/components/schemas/B', minimum: 1 },
    Loop: { $ref: '#/components/schemas/Pool' },
    Pool: { $ref: '#/components/schemas/Loop' },
    Lost: { $ref: '#/components/schemas/Nowhere' },
    List: [],
  });

  test('follows a reference to its definition, and is shared by all references to it', () => {
    expect(registry.node('#/components/schemas/A').pointer).toBe('#/components/schemas/B');
    expect(registry.node('#/components/schemas/A')).toBe(registry.node('#/components/schemas/%42'));
    expect(registry.node('#/components/schemas/A').schema).toEqual({ type: 'integer' });
  });

  test('stays at the reference if it has sibling keywords', () => {
    const node = registry.node('#/components/schemas/C');
    expect(node.pointer).toBe('#/components/schemas/C');
    expect(node.validate(0)).toHaveLength(1);
    expect(node.validate('0')).toHaveLength(1);
  });

  test.each([
    ['Loop', '#/components/schemas/Pool/$ref: refers to itself without end'],
    ['Lost', '#/components/schemas/Nowhere: is not there'],
    ['List', '#/components/schemas/List: is not a schema'],
    ['None', '#/components/schemas/None: is not there'],
  ])('%s is refused', (name, reason) => {
    expect(reasonsOf(() => registry.node(`#/components/schemas/${name}`))).toEqual([reason]);
  });

  test('is compiled once, although the schemas around it judge values too', () => {
    const levels = 30;
    const schema = Array.from({ length: levels }).reduce<JsonObject>(
      (inner) => ({ properties: { a: inner } }),
      { pattern: '^a$' },
    );
    const nested = registryOf({ S: schema });
    const read = vi.spyOn(nested, 'pattern');
    for (let level = 0; level <= levels; level += 1) {
      const node = nested.node(`#/components/schemas/S${'/properties/a'.repeat(levels - level)}`);
      const value = parseJson(`${'{"a":'.repeat(level)}"b"${'}'.repeat(level)}`);
      expect(node.validate(value)).toHaveLength(1);
    }
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('compiles nothing before the first value', () => {
    const node = nodeOf({ pattern: '(', type: 'string' });
    expect(node.shape().types).toEqual(['string']);
    expect(() => node.validate('a')).toThrow('does not compile');
  });
});

describe('a schema that does not compile', () => {
  test.each<[string, JsonObject, string]>([
    [
      'a broken pattern',
      { pattern: '[' },
      'Invalid regular expression: /[/u: Unterminated character class',
    ],
    ['a number for a schema', { allOf: [3] }, '#/components/schemas/S/allOf/0 is not a schema'],
  ])('is reported once, and accepts all values: %s', (_name, schema, reason) => {
    const faults: string[] = [];
    const document = { openapi: '3.1.0', components: { schemas: { S: schema } } };
    const registry = new SchemaRegistry(document, 'pets.yaml', (pointer, fault) =>
      faults.push(`${pointer}: ${fault}`),
    );
    const node = registry.node('#/components/schemas/S');
    registry.checkAll();
    expect(node.validate('a')).toEqual([]);
    expect(node.judge('a').undecided?.kind).toBe('schema');
    expect(faults).toEqual([`#/components/schemas/S: does not compile: ${reason}`]);
  });
});

describe('validate', () => {
  const int64 = nodeOf({ type: 'integer', format: 'int64' });
  const int32 = nodeOf({ type: 'integer', format: 'int32' });
  test.each(readValueLines('int64-valid'))('int64 accepts %s', (text) =>
    expect(int64.validate(parseJson(text))).toEqual([]),
  );
  test.each(readValueLines('int64-invalid'))('int64 refuses %s', (text) =>
    expect(int64.validate(parseJson(text))).toHaveLength(1),
  );
  test.each(readValueLines('int32-valid'))('int32 accepts %s', (text) =>
    expect(int32.validate(parseJson(text))).toEqual([]),
  );
  test.each(readValueLines('int32-invalid'))('int32 refuses %s', (text) =>
    expect(int32.validate(parseJson(text))).toHaveLength(1),
  );

  test('executes no code from the document', () => {
    const code = '"];globalThis.executed = true;//\'`${globalThis.executed = true}';
    const schema = {
      properties: { [code]: { const: code, pattern: '^\\u0022', format: code } },
      required: [code],
      dependentRequired: { [code]: [code] },
      patternProperties: { '"`': { enum: [code] } },
      $comment: code,
      default: code,
    };
    const node = registryOf({ [code]: schema }).node(
      `#/components/schemas/${code.replaceAll('/', '~1')}`,
    );
    expect(node.validate({ [code]: code })).toEqual([]);
    expect(node.validate({ [code]: 'x' })).toHaveLength(2);
    expect(node.validate({}).map(({ at }) => at)).toEqual([`/${code.replaceAll('/', '~1')}`]);
    expect(Reflect.get(globalThis, 'executed')).toBeUndefined();
  });

  test('never overflows the stack, however deep the value is', () => {
    const node = nodeOf({ items: { $ref: '#/components/schemas/S' } });
    let value: JsonValue = [];
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(node.validate(value)).toMatchObject([
      { at: '', message: 'is nested too deep to be validated' },
    ]);
    expect(node.validate([[]])).toEqual([]);
  });

  test('does not affect other nodes and calls', () => {
    const registry = registryOf({
      A: { type: 'string' },
      B: { items: { $ref: '#/components/schemas/A' } },
    });
    const [a, b] = [
      registry.node('#/components/schemas/A'),
      registry.node('#/components/schemas/B'),
    ];
    const first = b.validate([1]);
    expect(a.validate('a')).toEqual([]);
    expect(b.validate([])).toEqual([]);
    expect(first).toMatchObject([{ at: '/0' }]);
  });
});

describe('intersection', () => {
  const registry = registryOf({
    A: { type: 'integer' },
    B: { minimum: 1 },
    C: { $ref: '#/components/schemas/A' },
  });

  test('validates by all its schemas', () => {
    const node = registry.intersection(['#/components/schemas/A', '#/components/schemas/B']);
    expect(node.validate(1)).toEqual([]);
    expect(node.validate(0.5).map(({ keyword }) => keyword)).toEqual(['type', 'minimum']);
    expect(node.shape()).toMatchObject({
      types: ['integer'],
      minimum: { value: 1, exclusive: false },
    });
  });

  test('of one schema is its node', () => {
    expect(registry.intersection(['#/components/schemas/A', '#/components/schemas/C'])).toBe(
      registry.node('#/components/schemas/A'),
    );
  });
});

test('validates where code cannot be generated from text, as in workers', () => {
  const module = new URL('schema-node.ts', import.meta.url).href;
  const script = `
    const { SchemaRegistry } = await import(${JSON.stringify(module)});
    const schema = { properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] };
    const node = new SchemaRegistry({ openapi: '3.1.0', schema }, 'test').node('#/schema');
    console.log(node.validate({ id: 1 }).length, node.validate({ id: 0 }).length);`;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
  expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toBe('0 1\n');
});
