import type { Code, KeywordCxt } from 'ajv';
import type { SchemaEngine } from '../../engine/engine.ts';
import type { Keyword } from '../keyword.ts';

/** JSON Schema Core, section 11.3. ajv's takes inherited names such as `constructor` for evaluated. */
export const unevaluatedProperties: Keyword = {
  name: 'unevaluatedProperties',
  takes: 'schema',
  repair: (engine) => ({ code: (context) => failUnevaluated(context, engine) }),
};

function failUnevaluated(context: KeywordCxt, engine: SchemaEngine): void {
  const { gen, data, it } = context;
  if (it.props === true) return;
  const isUnevaluated = unevaluatedTest(context, engine);
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

/** Names that are compared one by one: of more, the code would grow with their square. */
const mostCompared = 20;

/** Evaluated members are known at compile time, or by a variable where branches decide. */
function unevaluatedTest(
  { gen, it: { props: evaluated } }: KeywordCxt,
  { _, Name }: SchemaEngine,
): (key: Code) => Code {
  if (evaluated instanceof Name)
    return (key) =>
      _`${evaluated} !== true && !(${evaluated} && Object.hasOwn(${evaluated}, ${key}))`;
  const names = evaluated === true ? [] : Object.keys(evaluated ?? {});
  if (names.length > mostCompared) {
    const known = gen.scopeValue('func', { ref: new Set(names) });
    return (key) => _`!${known}.has(${key})`;
  }
  return (key) =>
    names
      .map((name) => _`${key} !== ${name}`)
      .reduce((left, right) => _`${left} && ${right}`, _`true`);
}
