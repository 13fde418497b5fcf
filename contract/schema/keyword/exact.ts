import type { Code, CodeKeywordDefinition, KeywordCxt, KeywordDefinition } from 'ajv';
import { isJsonArray, type JsonValue } from '../../json/value.ts';
import { createFormatTest } from './format.ts';
import { isMultipleOf } from './number.ts';
import { createMembership, hasUniqueItems, isSimple } from './value.ts';
import type { SchemaEngine } from '../engine/engine.ts';

/**
 * Keywords of ours that take the place of ajv's where ajv's do not know bigint, or compare in a way
 * that hostile values can break. Each has the name of the keyword it replaces behind `exactPrefix`.
 */
export function createExactKeywords(engine: SchemaEngine): readonly KeywordDefinition[] {
  return [
    typeKeyword(engine),
    ...limitKeywords(engine),
    multipleOfKeyword(engine),
    ...membershipKeywords(engine),
    uniqueItemsKeyword(engine),
    formatKeyword(engine),
    falseKeyword(),
  ];
}

export const exactPrefix = 'exact:';

/** Keywords that have an exact counterpart; `false` stands for the schema `false`. */
export const exactKeywordNames: readonly string[] = [
  'type',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
  'uniqueItems',
  'format',
  'false',
];

function exact(name: string, code: (context: KeywordCxt) => void): CodeKeywordDefinition {
  return { keyword: exactPrefix + name, code, error: { message: '' } };
}

function typeKeyword({ _ }: SchemaEngine): KeywordDefinition {
  const conditions: Readonly<Record<string, (data: Code) => Code>> = {
    null: (data) => _`${data} === null`,
    boolean: (data) => _`typeof ${data} == "boolean"`,
    string: (data) => _`typeof ${data} == "string"`,
    integer: (data) => _`typeof ${data} == "bigint" || Number.isInteger(${data})`,
    number: (data) => _`typeof ${data} == "number" || typeof ${data} == "bigint"`,
    array: (data) => _`Array.isArray(${data})`,
    object: (data) => _`typeof ${data} == "object" && ${data} !== null && !Array.isArray(${data})`,
  };
  return exact('type', (context) => {
    const types = typeList(context.schema).map(
      (type) => conditions[type]?.(context.data) ?? _`false`,
    );
    context.fail(
      types.map((type) => _`!(${type})`).reduce((left, right) => _`${left} && ${right}`),
    );
  });
}

function typeList(value: JsonValue | undefined): readonly string[] {
  const types = isJsonArray(value) ? value : [value ?? null];
  return types.filter((type) => typeof type === 'string');
}

/** JavaScript compares a number with a bigint by value, without rounding. */
function limitKeywords({ _ }: SchemaEngine): KeywordDefinition[] {
  const limits: Readonly<Record<string, Code>> = {
    minimum: _`<`,
    maximum: _`>`,
    exclusiveMinimum: _`<=`,
    exclusiveMaximum: _`>=`,
  };
  return Object.entries(limits).map(([name, beyond]) =>
    exact(name, (context) =>
      context.fail(
        _`${numeric(_, context.data)} && ${context.data} ${beyond} ${context.schemaValue}`,
      ),
    ),
  );
}

function numeric(_: SchemaEngine['_'], data: Code): Code {
  return _`(typeof ${data} == "number" || typeof ${data} == "bigint")`;
}

function multipleOfKeyword({ _ }: SchemaEngine): KeywordDefinition {
  return exact('multipleOf', (context) => {
    const test = context.gen.scopeValue('func', { ref: isMultipleOf });
    context.fail(
      _`${numeric(_, context.data)} && !${test}(${context.data}, ${context.schemaValue})`,
    );
  });
}

function membershipKeywords(engine: SchemaEngine): KeywordDefinition[] {
  return [
    exact('enum', (context) => failUnlessMember(engine, context, valueList(context.schema))),
    exact('const', (context) => failUnlessMember(engine, context, [context.schema])),
  ];
}

function valueList(value: JsonValue): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

const inlineValues = 8;

function failUnlessMember(
  { _ }: SchemaEngine,
  context: KeywordCxt,
  values: readonly JsonValue[],
): void {
  const simple = values.filter(isSimple);
  const isInline =
    values.length > 0 && values.length <= inlineValues && simple.length === values.length;
  if (isInline)
    return context.fail(
      simple
        .map((value) => _`${context.data} !== ${value}`)
        .reduce((left, right) => _`${left} && ${right}`),
    );
  const test = context.gen.scopeValue('func', { ref: createMembership(values) });
  return context.fail(_`!${test}(${context.data})`);
}

function uniqueItemsKeyword({ _ }: SchemaEngine): KeywordDefinition {
  return exact('uniqueItems', (context) => {
    if (context.schema !== true) return;
    const test = context.gen.scopeValue('func', { ref: hasUniqueItems });
    context.fail(_`Array.isArray(${context.data}) && !${test}(${context.data})`);
  });
}

function formatKeyword({ _, stringFormats }: SchemaEngine): KeywordDefinition {
  return exact('format', (context) => {
    const isIntegerByType = context.parentSchema[`${exactPrefix}type`] === 'integer';
    const test = createFormatTest(String(context.schema), stringFormats, isIntegerByType);
    if (test !== undefined)
      context.fail(_`!${context.gen.scopeValue('func', { ref: test })}(${context.data})`);
  });
}

function falseKeyword(): KeywordDefinition {
  return exact('false', (context) => context.fail());
}
