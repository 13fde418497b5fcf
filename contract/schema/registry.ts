import { mostPatternSteps } from '../pattern/pattern.ts';
import { documentError, messageOf } from '../source/diagnostic.ts';
import { normalizeSchema, type SchemaDialect, schemaDialect } from '../source/dialect.ts';
import { appendPointer, canonicalFragment, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { SchemaCompiler } from './compile.ts';
import { type Direction, type Flaw, type Judge, Judging, StepsError } from './keyword/judging.ts';
import { keywordOf } from './keywords.ts';
import {
  type Issue,
  type SchemaJudgement,
  type SchemaLookup,
  type SchemaNode,
  type Shape,
  tooDeep,
} from './schema-node.ts';
import { createShape } from './shape.ts';

/** A schema that cannot judge a value is reported, and accepts all values. */
export type FaultListener = (pointer: string, reason: string) => void;

/** The schemas of one document, as nodes that validate and describe themselves. */
export class SchemaRegistry implements SchemaLookup {
  readonly #document: JsonObject;
  readonly #source: string;
  readonly #listener: FaultListener;
  readonly #dialect: SchemaDialect;
  readonly #compiler: SchemaCompiler;
  readonly #nodes = new Map<string, RegisteredSchema>();
  /** What pointers lead to that are no more than references. */
  readonly #followed = new Map<string, string>();
  /** Schemas whose faults are reported. */
  readonly #faulty = new Set<string>();

  /** `source`: the document's name in errors; a document of OpenAPI 3.0 is read in its dialect. */
  constructor(document: JsonObject, source: string, listener: FaultListener) {
    this.#document = document;
    this.#source = source;
    this.#listener = listener;
    this.#dialect = schemaDialect(document);
    this.#compiler = new SchemaCompiler(
      (pointer) => this.find(pointer),
      this.#dialect,
      (pointer) => this.#listReadOnly(pointer),
    );
  }

  node(pointer: string): SchemaNode {
    const at = this.#follow(canonicalFragment(pointer));
    const known = this.#nodes.get(at) ?? new RegisteredSchema([at], this.find(at), this);
    this.#nodes.set(at, known);
    return known;
  }

  intersection(pointers: readonly string[]): SchemaNode {
    const nodes = new Set(pointers.map((pointer) => this.node(pointer)));
    const [first, ...others] = nodes;
    if (first !== undefined && others.length === 0) return first;
    const places = [...nodes].map((node) => node.pointer);
    const schema = { allOf: places.map((place) => ({ $ref: place })) };
    return new RegisteredSchema(places, schema, this);
  }

  find(pointer: string): JsonObject | boolean {
    const schema = resolvePointer(this.#document, pointer);
    if (typeof schema === 'boolean') return schema;
    if (isJsonObject(schema)) return normalizeSchema(schema, this.#dialect);
    const reason = schema === undefined ? 'is not there' : 'is not a schema';
    throw documentError(this.#source, reason, { pointer });
  }

  target(reference: string): string {
    return canonicalFragment(reference);
  }

  /** Compiles all nodes given out so far. */
  compileAll(): void {
    for (const node of this.#nodes.values()) node.compile();
  }

  /** A judge of several schemas; `broken` where one does not compile, which is reported. */
  compile(pointers: readonly string[]): Judge {
    const judges: Judge[] = [];
    for (const pointer of pointers)
      try {
        judges.push(this.#compiler.compile(pointer));
      } catch (cause) {
        this.report(pointer, `does not compile: ${messageOf(cause)}`);
        return broken;
      }
    const [only, ...others] = judges;
    if (only !== undefined && others.length === 0) return only;
    return (value, judging) => {
      for (const judge of judges) judge(value, judging);
    };
  }

  report(pointer: string, reason: string): void {
    if (!this.#faulty.has(pointer)) this.#listener(pointer, reason);
    this.#faulty.add(pointer);
  }

  #listReadOnly(pointer: string): readonly string[] {
    const names: string[] = [];
    for (const [name, member] of createShape([pointer], this).properties)
      if (member.shape().readOnly) names.push(name);
    return names;
  }

  /** The pointer that stands for this one: where it is only a `$ref`, the target's. */
  #follow(pointer: string): string {
    const passed = new Set<string>();
    let at = pointer;
    for (;;) {
      const known = this.#followed.get(at);
      const reference = known === undefined ? onlyReference(this.find(at)) : undefined;
      if (reference === undefined) {
        for (const one of passed) this.#followed.set(one, known ?? at);
        return known ?? at;
      }
      passed.add(at);
      const target = this.target(reference);
      if (passed.has(target))
        throw documentError(this.#source, 'refers to itself without end', {
          pointer: appendPointer(at, '$ref'),
        });
      at = target;
    }
  }
}

/** A class, since a large document has tens of thousands of them, most of them never used. */
class RegisteredSchema implements SchemaNode {
  readonly pointer: string;
  readonly schema: JsonObject | boolean;
  readonly lookup: SchemaRegistry;
  readonly #pointers: readonly string[];
  #judge: Judge | undefined;
  #shape: Shape | undefined;

  /** `schema`: as the first pointer has it, or an `allOf` of all. */
  constructor(pointers: readonly string[], schema: JsonObject | boolean, registry: SchemaRegistry) {
    this.pointer = pointers[0] ?? '#';
    this.schema = schema;
    this.lookup = registry;
    this.#pointers = pointers;
  }

  compile(): Judge {
    return (this.#judge ??= this.lookup.compile(this.#pointers));
  }

  shape(): Shape {
    return (this.#shape ??= createShape(this.#pointers, this.lookup));
  }

  /** Whoever sends a value that is nested too deep gets an issue. */
  validate(value: JsonValue, direction?: Direction): readonly Issue[] {
    const { issues, undecided } = this.judge(value, direction);
    return undecided?.kind === 'depth' ? [tooDeep] : issues;
  }

  judge(value: JsonValue, direction: Direction = 'response'): SchemaJudgement {
    const judge = this.compile();
    if (judge === broken) return uncompiled;
    const judging = new Judging(value, direction);
    try {
      judge(value, judging);
      const { flaws, steps } = judging;
      if (flaws.length === 0 && judging.doubts === 0 && steps === undefined) return fits;
      const issues = flaws.length === 0 ? noIssues : readIssues(flaws);
      return judging.doubts === 0 ? { issues, steps } : { issues, undecided: doubtful, steps };
    } catch (error) {
      // The value, which need not come from `parseJson`, is nested deeper than the stack.
      if (error instanceof RangeError)
        return { issues: noIssues, undecided: { kind: 'depth', reason: tooDeep.message } };
      if (error instanceof StepsError) {
        const reason = `${error.message}: its references lead to one value in many ways`;
        this.lookup.report(this.pointer, reason);
        const undecided = { kind: 'steps', reason: error.message } as const;
        return { issues: noIssues, undecided, steps: judging.steps };
      }
      this.lookup.report(this.pointer, `cannot be judged by: ${messageOf(error)}`);
      return uncompiled;
    }
  }
}

const noIssues: readonly Issue[] = [];

const fits: SchemaJudgement = { issues: noIssues };

const broken: Judge = () => {};

const uncompiled: SchemaJudgement = {
  issues: noIssues,
  undecided: {
    kind: 'schema',
    reason: 'has a schema that cannot be compiled, which `petstore lint` reports',
  },
};

const doubtful = {
  kind: 'pattern',
  reason: `has a text that takes more than ${mostPatternSteps} steps to be matched with its pattern`,
} as const;

/** Two schemas that say the same of the same place are one issue: the first. */
function readIssues(flaws: readonly Flaw[]): readonly Issue[] {
  const byMeaning = new Map<string, Issue>();
  for (const { at, keyword, schemaPointer, message } of flaws) {
    const issue = { at, keyword, schemaPointer, message: message() };
    const meaning = `${at}\n${keyword}\n${issue.message}`;
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, issue);
  }
  return [...byMeaning.values()];
}

function onlyReference(schema: JsonObject | boolean): string | undefined {
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return undefined;
  const others = Object.keys(schema).filter((name) => name !== '$ref');
  const isAlone = others.every((name) => keywordOf(name)?.effect === 'annotation');
  return isAlone ? schema.$ref : undefined;
}
