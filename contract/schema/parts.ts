import type { Code, KeywordCxt, ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { SchemaEngine } from './engine/engine.ts';
import { keywordOf } from './keywords.ts';
import {
  alikeKeyword,
  partKeyword,
  type SchemaPart,
  type SchemaRewriter,
  splitKeywords,
} from './rewrite.ts';

/** A part of a schema, compiled; what its last call found stands beside it. */
export interface PartFunction {
  (value: unknown, context: DataValidationCxt): boolean;
  errors: ValidateFunction['errors'] | undefined;
  evaluated: ValidateFunction['evaluated'] | undefined;
}

/** Has the code of the keywords call the parts of what they say. */
export function callParts(
  ajv: InstanceType<SchemaEngine['Ajv']>,
  engine: SchemaEngine,
  rewriter: SchemaRewriter,
  createPart: (part: SchemaPart) => PartFunction,
): void {
  /** The parts of each function: one list, as the engine takes the square of what it is given. */
  const lists = new WeakMap<object, PartFunction[]>();
  const call = (context: KeywordCxt, keyword: string): void => {
    const { it, gen } = context;
    for (const part of rewriter.parts(context.parentSchema, keyword)) {
      const list = lists.get(gen) ?? [];
      lists.set(gen, list);
      const index = list.push(createPart(part)) - 1;
      const { props, items } = it;
      const compiled = engine._`${gen.scopeValue('validate', { ref: list })}[${index}]`;
      engine.callRef(context, compiled);
      // Unlike what is referred to, a part that fails has evaluated what it has.
      Object.assign(it, { props, items });
      // Of other keywords, the names, patterns and places stand in the keyword itself.
      if (keywordOf(keyword)?.isInPlace === true || keyword === partKeyword)
        mergeEvaluated(context, engine, compiled);
    }
  };
  ajv.addKeyword({ keyword: partKeyword, code: (context) => call(context, partKeyword) });
  ajv.addKeyword({
    keyword: alikeKeyword,
    type: 'object',
    code: (context) => judgeAlike(context, engine, rewriter),
  });
  for (const keyword of splitKeywords) {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== 'object' || !('code' in definition)) continue;
    const { code } = definition;
    Object.assign(definition, {
      code: (context: KeywordCxt, rule?: string) => {
        code(context, rule);
        call(context, keyword);
      },
    });
  }
}

/** Has each schema of a list judge the members that it is of. */
function judgeAlike(
  context: KeywordCxt,
  { _, Type }: SchemaEngine,
  rewriter: SchemaRewriter,
): void {
  const { gen, data } = context;
  const schemas: readonly object[] = context.schema;
  for (const [schemaProp, schema] of schemas.entries()) {
    const names = gen.scopeValue('func', { ref: rewriter.namesOf(schema) });
    gen.forIn('key', data, (key) => {
      gen.if(_`${names}.has(${key})`, () => {
        context.subschema(
          { keyword: alikeKeyword, schemaProp, dataProp: key, dataPropType: Type.Str },
          gen.name('valid'),
        );
      });
    });
  }
}

/** Has what a part has evaluated count for the schema that it is of. */
function mergeEvaluated({ gen, it }: KeywordCxt, engine: SchemaEngine, part: Code): void {
  if (it.opts.unevaluated !== true) return;
  const { _, Name } = engine;
  if (it.props !== true) {
    const props = gen.var('props', _`${part}.evaluated.props || {}`);
    it.props = engine.mergeEvaluated.props(gen, props, it.props, Name);
  }
  if (it.items !== true) {
    const items = gen.var('items', _`${part}.evaluated.items || 0`);
    it.items = engine.mergeEvaluated.items(gen, items, it.items, Name);
  }
}
