import type { KeywordCxt } from 'ajv';
import type { SchemaEngine } from '../../engine/engine.ts';
import type { Keyword } from '../keyword.ts';

/** JSON Schema Core, section 11.2. ajv's errs where branches differ. */
export const unevaluatedItems: Keyword = {
  name: 'unevaluatedItems',
  takes: 'schema',
  repair: (engine) => ({ code: (context) => failUnevaluated(context, engine) }),
};

function failUnevaluated(context: KeywordCxt, { _, Type }: SchemaEngine): void {
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
