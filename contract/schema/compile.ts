import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Evaluated, Judge } from './keyword/judging.ts';
import { KeywordPlace, type SchemaSource } from './keyword/keyword.ts';
import { judgingKeywords } from './keywords.ts';

/** The judge of a schema. `applicator`: the keyword that the schema is under. */
export function compileSchema(
  found: JsonValue,
  pointer: string,
  applicator: string,
  source: SchemaSource,
): Judge {
  if (!isJsonObject(found)) return compileBoolean(found, pointer, applicator);
  const schema = source.normalize(found);
  const judges: Judge[] = [];
  // What `allOf` and `$ref` lead to is noted with the schema around them.
  if (applicator !== 'allOf' && applicator !== '$ref')
    judges.push(...noteReadOnly(schema, pointer, source));
  for (const { name, judge } of judgingKeywords) {
    const value = schema[name];
    const compiled =
      value === undefined ? undefined : judge?.(new KeywordPlace(source, name, schema, pointer));
    if (compiled !== undefined) judges.push(compiled);
  }
  const joined = joinJudges(judges);
  return (schema.unevaluatedProperties ?? schema.unevaluatedItems) === undefined
    ? joined
    : trackEvaluated(joined);
}

const fits: Judge = () => {};

function compileBoolean(schema: JsonValue, pointer: string, applicator: string): Judge {
  if (schema === true) return fits;
  if (schema !== false) throw new Error(`${pointer} is not a schema`);
  const flaw = { keyword: applicator, schemaPointer: pointer, message: () => 'is not allowed' };
  return (_value, judging) => void judging.flaws.push({ at: judging.at, ...flaw });
}

/** Has requests lack what the schema, with what it refers to and its `allOf`, marks `readOnly`. */
export function noteReadOnly(
  schema: JsonObject,
  pointer: string,
  source: SchemaSource,
): readonly Judge[] {
  const { properties, required, allOf, $ref: reference } = schema;
  if ((properties ?? required ?? allOf ?? reference) === undefined) return [];
  let names: readonly string[] | undefined;
  const list = () => (names ??= source.readOnlyNames(pointer));
  return [
    (value, judging) => {
      if (judging.isRequest && isJsonObject(value)) judging.noteReadOnly(value, list);
    },
  ];
}

/** All keywords of a schema; where there are several, they count a step together. */
export function joinJudges(found: readonly Judge[]): Judge {
  const [first, second] = found;
  if (first === undefined || second === undefined) return first ?? fits;
  // The array that was pushed to has room for seventeen.
  const judges = [...found];
  return (value, judging, evaluated) => {
    judging.take(1);
    for (const judge of judges) judge(value, judging, evaluated);
  };
}

/** What a schema has evaluated counts for itself first, then for the schema around it. */
function trackEvaluated(judge: Judge): Judge {
  return (value, judging, evaluated) => {
    const own: Evaluated = new Set();
    judge(value, judging, own);
    judging.take(own.size);
    for (const token of own) evaluated?.add(token);
  };
}
