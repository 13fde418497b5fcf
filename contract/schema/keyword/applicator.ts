import type { Code, CodeKeywordDefinition, KeywordCxt, KeywordErrorDefinition } from 'ajv';
import type { SchemaEngine } from '../engine/engine.ts';

type Ajv = InstanceType<SchemaEngine['Ajv']>;

/**
 * Puts right what ajv's applicators do otherwise than JSON Schema 2020-12 says: `if` evaluates
 * members even where it fails or has no `then`, `unevaluatedItems` errs where branches differ, and
 * `unevaluatedProperties` takes inherited names such as `constructor` for evaluated.
 */
export function mendApplicators(ajv: Ajv, engine: SchemaEngine): void {
  mend(ajv, 'if', { code: ifCode });
  mend(ajv, 'unevaluatedItems', { code: (context) => unevaluatedItemsCode(context, engine) });
  mend(ajv, 'unevaluatedProperties', {
    code: (context) => unevaluatedPropertiesCode(context, engine),
  });
  for (const name of summaries)
    mend(ajv, name, { error: innerErrorCount(engine), trackErrors: true });
}

/** Keywords whose error follows those of their subschemas. */
const summaries = ['anyOf', 'oneOf', 'contains', 'propertyNames'] as const;

function mend(ajv: Ajv, name: string, change: Partial<CodeKeywordDefinition>): void {
  const definition = ajv.getKeyword(name);
  if (typeof definition !== 'object') throw new Error(`the engine has no keyword ${name}`);
  Object.assign(definition, change);
}

/**
 * Makes a summary error say how many of the errors before it belong to its subschemas (`inner`),
 * which its path alone does not tell where subschemas are references.
 */
function innerErrorCount({ _ }: SchemaEngine): KeywordErrorDefinition {
  return {
    message: '',
    params: ({ errsCount, params }) =>
      _`{inner: errors - ${errsCount ?? _`errors`}, passing: ${params.passing ?? _`null`}, name: ${params.propertyName ?? _`null`}}`,
  };
}

/** `if` has no error of its own: `then` and `else` have said what is wrong. */
function ifCode(context: KeywordCxt): void {
  const isFit = context.gen.name('_valid');
  const condition = context.subschema(
    { keyword: 'if', compositeRule: true, createErrors: false, allErrors: false },
    isFit,
  );
  context.reset();
  context.mergeValidEvaluated(condition, isFit);
  context.gen.if(isFit, clause(context, 'then'), clause(context, 'else'));
}

function clause(context: KeywordCxt, keyword: 'then' | 'else'): () => void {
  return () => {
    if (context.parentSchema[keyword] === undefined) return;
    const isFit = context.gen.name('_valid');
    context.mergeValidEvaluated(context.subschema({ keyword }, isFit), isFit);
  };
}

function unevaluatedItemsCode(context: KeywordCxt, { _, Type }: SchemaEngine): void {
  const { gen, data, it } = context;
  const evaluated = it.items ?? 0;
  if (evaluated === true) return;
  const length = gen.const('len', _`${data}.length`);
  const start = gen.const('start', _`${evaluated} === true ? ${length} : (${evaluated} || 0)`);
  gen.forRange('i', start, length, (index) => {
    context.subschema(
      { keyword: 'unevaluatedItems', dataProp: index, dataPropType: Type.Num },
      gen.name('valid'),
    );
  });
  it.items = true;
}

function unevaluatedPropertiesCode(context: KeywordCxt, engine: SchemaEngine): void {
  const { gen, data, it } = context;
  if (it.props === true) return;
  const isUnevaluated = unevaluatedTest(it.props, engine);
  gen.forIn('key', data, (key) => {
    gen.if(isUnevaluated(key), () => {
      context.subschema(
        { keyword: 'unevaluatedProperties', dataProp: key, dataPropType: engine.Type.Str },
        gen.name('valid'),
      );
    });
  });
  it.props = true;
}

/**
 * Evaluated members are known at compile time, or, where they depend on branches, by a variable.
 */
function unevaluatedTest(
  evaluated: KeywordCxt['it']['props'],
  { _, Name }: SchemaEngine,
): (key: Code) => Code {
  if (evaluated instanceof Name)
    return (key) =>
      _`${evaluated} !== true && !(${evaluated} && Object.hasOwn(${evaluated}, ${key}))`;
  const names = Object.keys(evaluated ?? {});
  return (key) =>
    names
      .map((name) => _`${key} !== ${name}`)
      .reduce((left, right) => _`${left} && ${right}`, _`true`);
}
