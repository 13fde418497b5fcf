import { canonicalFragment, appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { normalizeSchema, type SchemaDialect } from '../source/dialect.ts';
import { Evaluated, type Judge, type Judging } from './keyword/judging.ts';
import type { KeywordPlace } from './keyword/keyword.ts';
import { valueIssue } from './keyword/value-kind.ts';
import { judgingKeywords } from './keywords.ts';

/** Compiles the schemas of one document, each once. */
export class SchemaCompiler {
  readonly #find: (pointer: string) => JsonObject | boolean;
  readonly #dialect: SchemaDialect;
  readonly #readOnly: (pointer: string) => readonly string[];
  readonly #compiled = new Map<string, Judge>();

  /**
   * `find`: a schema by canonical pointer. `readOnly`: the members that a schema, with what it refers
   * to and its `allOf`, marks `readOnly`.
   */
  constructor(
    find: (pointer: string) => JsonObject | boolean,
    dialect: SchemaDialect,
    readOnly: (pointer: string) => readonly string[],
  ) {
    this.#find = find;
    this.#dialect = dialect;
    this.#readOnly = readOnly;
  }

  /** The judge of a schema. Throws Error for one whose keywords have values of another kind. */
  compile(pointer: string): Judge {
    return this.#compiled.get(pointer) ?? this.compileAt(this.#find(pointer), pointer, '$ref');
  }

  /** `applicator`: the keyword that the schema is under. */
  compileAt(schema: JsonValue, pointer: string, applicator: string): Judge {
    const known = this.#compiled.get(pointer);
    if (known !== undefined) return known;
    const judge = isJsonObject(schema)
      ? this.#compileObject(normalizeSchema(schema, this.#dialect), pointer)
      : compileBoolean(schema, pointer, applicator);
    this.#compiled.set(pointer, judge);
    return judge;
  }

  #compileObject(schema: JsonObject, pointer: string): Judge {
    const judges: Judge[] = [];
    for (const { name, takes, judge } of judgingKeywords) {
      const value = schema[name];
      if (value === undefined) continue;
      const issue = valueIssue(takes, value);
      if (issue !== undefined) throw new Error(`"${name}" ${issue}`);
      const compiled = judge?.(new Place(this, name, value, schema, pointer));
      if (compiled !== undefined) judges.push(compiled);
    }
    const judge = joinJudges(judges);
    const isTracking =
      schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
    return this.#noteReadOnly(schema, pointer, isTracking ? trackEvaluated(judge) : judge);
  }

  /** Of a chain of references, each counts a step. */
  refer(pointer: string): Judge {
    let judge: Judge | undefined;
    return (value, judging, evaluated) => {
      judging.take(1);
      judge ??= this.compile(pointer);
      judge(value, judging, evaluated);
    };
  }

  /** Has requests lack what the schema marks `readOnly`. */
  #noteReadOnly(schema: JsonObject, pointer: string, judge: Judge): Judge {
    const { properties, required, allOf } = schema;
    if ((properties ?? required ?? allOf) === undefined) return judge;
    let names: readonly string[] | undefined;
    return (value, judging, evaluated) => {
      if (judging.isRequest && isJsonObject(value))
        judging.noteReadOnly(value, (names ??= this.#readOnly(pointer)));
      judge(value, judging, evaluated);
    };
  }
}

/** A class, because a large document has hundreds of thousands of keywords, whose judges keep them. */
class Place implements KeywordPlace {
  readonly value: JsonValue;
  readonly schema: JsonObject;
  readonly #compiler: SchemaCompiler;
  readonly #name: string;
  /** Of the schema. */
  readonly #pointer: string;

  constructor(
    compiler: SchemaCompiler,
    name: string,
    value: JsonValue,
    schema: JsonObject,
    pointer: string,
  ) {
    this.value = value;
    this.schema = schema;
    this.#compiler = compiler;
    this.#name = name;
    this.#pointer = pointer;
  }

  get text(): string {
    return typeof this.value === 'string' ? this.value : '';
  }

  refuse(judging: Judging, message: () => string, at = ''): void {
    const schemaPointer = appendPointer(this.#pointer, this.#name);
    judging.flaws.push({ at: judging.at + at, keyword: this.#name, schemaPointer, message });
  }

  subschema(subschema: JsonValue, ...tokens: readonly (string | number)[]): Judge {
    const pointer = appendPointer(this.#pointer, this.#name, ...tokens);
    return this.#compiler.compileAt(subschema, pointer, this.#name);
  }

  sibling(name: string): Judge | undefined {
    const subschema = this.schema[name];
    return subschema === undefined
      ? undefined
      : this.#compiler.compileAt(subschema, appendPointer(this.#pointer, name), name);
  }

  reference(reference: string): Judge {
    return this.#compiler.refer(canonicalFragment(reference));
  }

  target(reference: string): string | undefined {
    try {
      return canonicalFragment(reference);
    } catch {
      return undefined;
    }
  }
}

const fits: Judge = () => {};

function compileBoolean(schema: JsonValue, pointer: string, applicator: string): Judge {
  if (schema === true) return fits;
  if (schema !== false) throw new Error(`${pointer} is not a schema`);
  const flaw = { keyword: applicator, schemaPointer: pointer, message: () => 'is not allowed' };
  return (_value, judging) => void judging.flaws.push({ at: judging.at, ...flaw });
}

/** All keywords of a schema; where there are several, they count a step together. */
function joinJudges(judges: readonly Judge[]): Judge {
  const [first, second] = judges;
  if (first === undefined || second === undefined) return first ?? fits;
  return (value, judging, evaluated) => {
    judging.take(1);
    for (const judge of judges) judge(value, judging, evaluated);
  };
}

/** What a schema has evaluated counts for itself first, then for the schema around it. */
function trackEvaluated(judge: Judge): Judge {
  return (value, judging, evaluated) => {
    const own = new Evaluated();
    judge(value, judging, own);
    judging.take(own.names.size);
    evaluated?.add(own);
  };
}
