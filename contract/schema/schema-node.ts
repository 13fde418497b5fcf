import { createPattern, type Pattern } from '../pattern/pattern.ts';
import {
  appendPointer,
  canonicalFragment,
  memberOf,
  parsePointer,
  resolvePointer,
} from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  listOf,
  objectOf,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { type DiagnosticCode, documentError, messageOf } from '../source/diagnostic.ts';
import { normalizeSchema, type SchemaDialect, schemaDialect } from '../source/dialect.ts';
import {
  type Direction,
  type Evaluated,
  type Judge,
  Judging,
  KeywordPlace,
  type SchemaSource,
  UndecidedError,
} from './keyword/judging.ts';
import type { Limit } from './keyword/keyword.ts';
import { MergedSchema, type SchemaPart } from './keyword/merged-schema.ts';
import { judgingKeywords, keywordOf, keywords } from './keywords.ts';

/** A schema violation: where and why. */
export interface Issue {
  /** JSON pointer into the value, `` for the root; for `required`, to the missing member. */
  readonly at: string;
  /** The violated keyword: `required`, `type`, `enum`, `minimum`, `format`, ... */
  readonly keyword: string;
  /** JSON pointer of that keyword in the document. */
  readonly schemaPointer: string;
  /** Message for people, complete, without the value's path: `must be one of "a", "b"`. */
  readonly message: string;
}

/** The result of judging a value. */
export interface SchemaJudgement {
  /** There are no issues. */
  readonly isSound: boolean;
  /** Violations that are certain, even if judging did not finish. */
  readonly issues: readonly Issue[];
  /** Why judging did not finish; undefined if it did. */
  readonly undecided?: Undecided | undefined;
  /** Steps used for judging. */
  readonly steps?: number;
}

export interface Undecided {
  readonly kind: UndecidedError['kind'];
  /** Completes "it": `takes more than 20000 steps to be judged`. */
  readonly reason: string;
}

/** What a keyword requires of a value. */
export interface ShapeLimit extends Limit {
  /** Facet of the requirement for the keyword; undefined if it has none. */
  readonly facet: string | undefined;
}

/** Called for each schema that cannot be compiled, and so accepts all values. */
type FaultListener = (pointer: string, reason: string) => void;

/** A schema, and the pointers of those that it references and of those in its `allOf`. */
interface LinkedPart {
  readonly part: SchemaPart;
  readonly applied: readonly string[];
}

/** The schemas of one document, one node each. */
export class SchemaRegistry implements SchemaSource {
  /** Steps that first samples of further schemas may take. Large documents take 40,000 in all. */
  sampleStepsLeft = 250_000;
  /** Paths of the document. */
  readonly pathCount: number;
  readonly #patterns = new Map<string, Pattern>();
  readonly #document: JsonObject;
  readonly #name: string;
  readonly #listener: FaultListener;
  readonly #dialect: SchemaDialect;
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #parts = new Map<string, LinkedPart>();
  /** Kept, because a schema is sampled for each of its members. */
  readonly #merged = new Map<string, MergedSchema>();
  /** Compiled judges by pointer. Those in an `allOf` do not record their `readOnly` marks. */
  readonly #judges = { alone: new Map<string, Judge>(), inAllOf: new Map<string, Judge>() };
  /** What holds the schema that was found last: often the next one, too. */
  #holder: { readonly pointer: string; readonly value: JsonValue | undefined };
  /** Schemas whose errors were reported. */
  readonly #faulty = new Set<string>();

  /** `name`: the document's name in errors. Documents of OpenAPI 3.0 are read in its dialect. */
  constructor(document: JsonObject, name: string, listener: FaultListener) {
    this.pathCount = Object.keys(objectOf(document.paths)).length;
    this.#document = document;
    this.#name = name;
    this.#listener = listener;
    this.#dialect = schemaDialect(document);
    this.#holder = { pointer: '#', value: document };
  }

  /**
   * The schema at a pointer. If it is just a `$ref`, its target. Throws ContractError if there is
   * none.
   */
  node(pointer: string): SchemaNode {
    let at = canonicalFragment(pointer);
    let node = this.#nodes.get(at);
    if (node !== undefined) return node;
    const passed = new Set<string>();
    while (node === undefined) {
      passed.add(at);
      const schema = this.find(at);
      const target = onlyReference(schema);
      if (target === undefined) node = new SchemaNode(at, schema, this);
      else if (passed.has(target))
        throw this.#error('endless-reference', at, 'refers to itself without end', '$ref');
      else node = this.#nodes.get((at = target));
    }
    for (const one of passed) this.#nodes.set(one, node);
    return node;
  }

  /** A node that validates by several schemas at once, with a merged shape. */
  intersection(pointers: readonly string[]): SchemaNode {
    const nodes = new Set(pointers.map((pointer) => this.node(pointer)));
    const places = [...nodes].map((node) => node.pointer);
    // In canonical pointers, `25` follows each `%`.
    const key = places.join('%');
    const schema = { allOf: places.map((place) => ({ $ref: place })) };
    const known = this.#nodes.get(key) ?? new SchemaNode(places[0] ?? '#', schema, this, places);
    this.#nodes.set(key, known);
    return known;
  }

  /**
   * The schema converted to 2020-12, without following `$ref`. Throws ContractError if there is
   * none.
   */
  find(pointer: string): JsonObject | boolean {
    const end = pointer.lastIndexOf('/');
    const holder = pointer.slice(0, Math.max(1, end));
    if (holder !== this.#holder.pointer)
      this.#holder = { pointer: holder, value: resolvePointer(this.#document, holder) };
    const [name] = end === -1 ? [] : parsePointer(`#${pointer.slice(end)}`);
    const schema = name === undefined ? this.#holder.value : memberOf(this.#holder.value, name);
    if (typeof schema === 'boolean') return schema;
    if (isJsonObject(schema)) return this.normalize(schema);
    throw schema === undefined
      ? this.#error('unknown-reference', pointer, 'is not there')
      : this.#error('invalid-schema', pointer, 'is not a schema');
  }

  normalize(schema: JsonObject): JsonObject {
    return normalizeSchema(schema, this.#dialect);
  }

  /**
   * The schemas at pointers, with those that they reference and those in `allOf`, without
   * duplicates.
   */
  parts(pointers: readonly string[]): readonly SchemaPart[] {
    const parts: SchemaPart[] = [];
    const pending = new Set(pointers);
    for (const pointer of pending) {
      const { part, applied } = this.#parts.get(pointer) ?? this.#readPart(pointer);
      parts.push(part);
      for (const one of applied) pending.add(one);
    }
    return parts;
  }

  /** The schemas at pointers, merged with those that they reference and those in `allOf`. */
  merge(pointers: readonly string[]): MergedSchema {
    const [pointer = '', ...others] = pointers;
    if (others.length > 0) return new MergedSchema(this.parts(pointers));
    const merged = this.#merged.get(pointer) ?? new MergedSchema(this.parts(pointers));
    this.#merged.set(pointer, merged);
    return merged;
  }

  /** Kept, because a chain of schemas is read from each of its links. */
  #readPart(pointer: string): LinkedPart {
    const found = this.find(pointer);
    // No value is valid for the schema `false`.
    const schema = isJsonObject(found) ? found : found ? {} : { type: [] };
    const applied = listOf(schema.allOf).map((_one, index) =>
      appendPointer(pointer, 'allOf', index),
    );
    if (typeof schema.$ref === 'string') applied.unshift(canonicalFragment(schema.$ref));
    const linked = { part: { pointer, schema }, applied };
    this.#parts.set(pointer, linked);
    return linked;
  }

  pattern(source: string): Pattern {
    const known = this.#patterns.get(source) ?? createPattern(source);
    this.#patterns.set(source, known);
    return known;
  }

  /** Reports those of the nodes created so far that do not compile. */
  checkAll(): void {
    const checked = new Set<SchemaNode>();
    for (const node of this.#nodes.values()) {
      // Each pointer of a reference to it leads to the same node.
      if (!checked.has(node)) node.check();
      checked.add(node);
      // Few schemas of a document that is only checked judge a value.
      this.#judges.alone.clear();
      this.#judges.inAllOf.clear();
    }
  }

  compile(pointer: string): Judge {
    return this.node(pointer).compile();
  }

  /** Compiled once, however many of the schemas around it judge a value. */
  compileAt(found: JsonValue, pointer: string, applicator: string): Judge {
    if (found === true) return fits;
    if (found === false) {
      const flaw = { keyword: applicator, schemaPointer: pointer, message: () => 'is not allowed' };
      return (_value, judging) => judging.refuse(flaw);
    }
    if (!isJsonObject(found)) throw new Error(`${pointer} is not a schema`);
    const judges = this.#judges[applicator === 'allOf' ? 'inAllOf' : 'alone'];
    let judge = judges.get(pointer);
    if (judge === undefined) {
      judge = this.compileSchema(this.normalize(found), pointer, applicator);
      judges.set(pointer, judge);
    }
    return judge;
  }

  compileSchema(schema: JsonObject, pointer: string, applicator: string): Judge {
    // The `readOnly` marks of an `allOf` part, also behind a reference, are recorded by the surrounding
    // schema; other referenced schemas record their own.
    const isNoted = applicator !== 'allOf' && onlyReference(schema) === undefined;
    const judges = isNoted ? noteReadOnly(schema, () => this.node(pointer)) : [];
    for (const { name, judge } of judgingKeywords) {
      const compiled =
        schema[name] === undefined
          ? undefined
          : judge?.(new KeywordPlace(this, name, schema, pointer));
      if (compiled !== undefined) judges.push(compiled);
    }
    const isNullable = this.#dialect === '3.0' && schema.nullable === true;
    const joined = isNullable ? exceptNull(joinJudges(judges)) : joinJudges(judges);
    if ((schema.unevaluatedProperties ?? schema.unevaluatedItems) === undefined) return joined;
    // Evaluated members count for the schema itself first, then for the surrounding one.
    return (value, judging, evaluated) => {
      const own: Evaluated = new Set();
      joined(value, judging, own);
      judging.take(own.size);
      for (const token of own) evaluated?.add(token);
    };
  }

  report(pointer: string, reason: string): void {
    if (!this.#faulty.has(pointer)) this.#listener(pointer, reason);
    this.#faulty.add(pointer);
  }

  #error(code: DiagnosticCode, at: string, message: string, ...tokens: readonly string[]): Error {
    return documentError(code, this.#name, message, { pointer: appendPointer(at, ...tokens) });
  }
}

const fits: Judge = () => {};

/**
 * Makes required `readOnly` members optional in requests, also those of referenced schemas and of
 * `allOf`.
 */
function noteReadOnly(schema: JsonObject, find: () => SchemaNode): Judge[] {
  const { properties, required, allOf, $ref: reference } = schema;
  if ((properties ?? required ?? allOf ?? reference) === undefined) return [];
  return [
    (value, judging) => {
      if (judging.isRequest && isJsonObject(value)) judging.noteReadOnly(value, find);
    },
  ];
}

/** All keywords of a schema. Several keywords together count as one step. */
function joinJudges(found: readonly Judge[]): Judge {
  const [first, second] = found;
  if (first === undefined || second === undefined) return first ?? fits;
  // Copied, because an array that grew by `push` reserves room for seventeen elements.
  const judges = [...found];
  return (value, judging, evaluated) => {
    judging.take(1);
    for (const judge of judges) judge(value, judging, evaluated);
  };
}

/**
 * In OpenAPI 3.0, `nullable` permits null whatever the keywords beside it say: generators write it next to `allOf` or
 * `enum`, where the specification ignores it.
 */
function exceptNull(judge: Judge): Judge {
  return (value, judging, evaluated) => {
    if (value !== null) judge(value, judging, evaluated);
  };
}

/** A schema of the document with its validator, which is exact for integers of any size. */
export class SchemaNode {
  /** JSON pointer of the schema's definition: `#/components/schemas/Pet`. */
  readonly pointer: string;
  /** The schema itself. A `$ref` at its top is already followed, nested ones are not. */
  readonly schema: JsonObject | boolean;
  /** The registry of the document. */
  readonly registry: SchemaRegistry;
  /** Pointers of the schemas that it consists of; several for an intersection. */
  readonly pointers: readonly string[];
  /** Most steps of an attempt at a sample, once there was one. */
  sampleSteps: number | undefined;
  #judge: Judge | undefined;
  #shape: Shape | undefined;
  #readOnlyNames: Set<string> | undefined;

  constructor(
    pointer: string,
    schema: JsonObject | boolean,
    registry: SchemaRegistry,
    pointers: readonly string[] = [pointer],
  ) {
    this.pointer = pointer;
    this.schema = schema;
    this.registry = registry;
    this.pointers = pointers;
  }

  /** The schema with `$ref` and `allOf` resolved, as a description of its values. */
  shape(): Shape {
    return (this.#shape ??= new Shape(this.registry.parts(this.pointers), this.registry));
  }

  /** The members that it marks `readOnly`, with the schemas that it refers to and those of `allOf`. */
  get readOnlyNames(): ReadonlySet<string> {
    if (this.#readOnlyNames !== undefined) return this.#readOnlyNames;
    // Set first, in case the schema leads back to itself.
    const names = (this.#readOnlyNames = new Set<string>());
    const { $ref: reference, allOf, properties } = objectOf(this.schema);
    const isOne = this.pointers.length === 1;
    const within = isOne
      ? listOf(allOf).map((_branch, index) => appendPointer(this.pointer, 'allOf', index))
      : [...this.pointers];
    if (typeof reference === 'string') within.push(canonicalFragment(reference));
    for (const pointer of within)
      for (const name of this.registry.node(pointer).readOnlyNames) names.add(name);
    for (const name of Object.keys(objectOf(properties)))
      if (this.registry.node(appendPointer(this.pointer, 'properties', name)).shape().readOnly)
        names.add(name);
    return names;
  }

  /**
   * Validates a value and returns all violations; empty if it is valid, or if that cannot be
   * decided. Never throws. `direction`: a `request` may lack required `readOnly` members (OpenAPI
   * 3.1, Schema Object); default: `response`. A value that is nested too deeply gets an issue.
   */
  validate(value: JsonValue, direction?: Direction): readonly Issue[] {
    const { issues, undecided } = this.judge(value, direction);
    if (undecided?.kind !== 'depth') return issues;
    return [{ at: '', keyword: '$ref', schemaPointer: '#', message: undecided.reason }];
  }

  /** Whether `validate` finds no violation. */
  isValid(value: JsonValue, direction?: Direction): boolean {
    const { isSound, undecided } = this.judge(value, direction);
    return isSound && undecided?.kind !== 'depth';
  }

  /** Like `validate`, with the reason if judging did not finish. Never throws. */
  judge(value: JsonValue, direction: Direction = 'response'): SchemaJudgement {
    const judging = new Judging(value, direction);
    try {
      this.compile()(value, judging);
    } catch (error) {
      return new Judged([], this.#explain(error), judging.steps);
    }
    const undecided = judging.undecided && this.#explain(judging.undecided);
    return new Judged(judging.flaws, undecided, judging.steps);
  }

  #explain(error: unknown): Undecided {
    // The value, if not from `parseJson`, may be nested deeper than the stack allows.
    if (error instanceof RangeError)
      return { kind: 'depth', reason: 'is nested too deep to be validated' };
    const { kind, message } = error instanceof UndecidedError ? error : brokenSchema();
    if (kind === 'steps')
      this.registry.report(
        this.pointer,
        `${message}: its references lead to one value in many ways`,
      );
    else if (!(error instanceof UndecidedError))
      this.registry.report(this.pointer, `cannot be judged by: ${messageOf(error)}`);
    return { kind, reason: message };
  }

  /** Its judge. A schema that does not compile is reported, and accepts all values. */
  compile(): Judge {
    const { schema, pointer, registry } = this;
    try {
      return (this.#judge ??=
        this.pointers.length > 1
          ? joinJudges([
              ...noteReadOnly(objectOf(schema), () => this),
              ...this.pointers.map((part) => registry.compile(part)),
            ])
          : registry.compileAt(schema, pointer, '$ref'));
    } catch (cause) {
      // The judged value may leave no room on the stack.
      if (cause instanceof RangeError) throw cause;
      registry.report(pointer, `does not compile: ${messageOf(cause)}`);
      return (this.#judge = () => {
        throw brokenSchema();
      });
    }
  }

  /** Reports it if it does not compile. The judge is not kept. */
  check(): void {
    if (this.#judge !== undefined) return;
    this.compile();
    this.#judge = undefined;
  }
}

/** Words the issues when they are asked for: few callers need them, and they may be long. */
class Judged implements SchemaJudgement {
  readonly undecided: Undecided | undefined;
  readonly steps: number;
  readonly #flaws: Judging['flaws'];
  #issues: readonly Issue[] | undefined;

  constructor(flaws: Judging['flaws'], undecided: Undecided | undefined, steps: number) {
    this.#flaws = flaws;
    this.undecided = undecided;
    this.steps = steps;
  }

  get isSound(): boolean {
    return this.#flaws.length === 0;
  }

  get issues(): readonly Issue[] {
    return (this.#issues ??= readIssues(this.#flaws));
  }
}

function brokenSchema(): UndecidedError {
  const reason = 'has a schema that cannot be compiled, which `petstore lint` reports';
  return new UndecidedError('schema', reason);
}

const noIssues: readonly Issue[] = [];

/** Two schemas that report the same violation at the same place are one issue: the first. */
function readIssues(flaws: Judging['flaws']): readonly Issue[] {
  if (flaws.length === 0) return noIssues;
  const byMeaning = new Map<string, Issue>();
  for (const { at, message, violation } of flaws) {
    const { keyword, schemaPointer } = violation;
    const issue = { at, keyword, schemaPointer, message };
    const meaning = `${at}\n${keyword}\n${message}`;
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, issue);
  }
  return [...byMeaning.values()];
}

/** The target pointer of a schema that is just a `$ref`. */
function onlyReference(schema: JsonObject | boolean): string | undefined {
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return undefined;
  const isAlone = Object.keys(schema).every(
    (name) => name === '$ref' || keywordOf(name)?.effect === 'annotation',
  );
  return isAlone ? canonicalFragment(schema.$ref) : undefined;
}

/**
 * A description of a value: a schema with references followed and `allOf` merged; a union keeps its
 * alternatives. Computed lazily, because a wide document has a hundred thousand schemas.
 */
export class Shape extends MergedSchema {
  readonly #registry: SchemaRegistry;
  #properties: ReadonlyMap<string, SchemaNode> | undefined;
  #items: SchemaNode | undefined;
  #additional: SchemaNode | boolean | undefined;

  constructor(parts: readonly SchemaPart[], registry: SchemaRegistry) {
    super(parts);
    this.#registry = registry;
  }

  /** The requirements of each keyword, in the order of the keyword table. */
  limits(): readonly ShapeLimit[] {
    return keywords.flatMap(({ facet, limit }) => {
      const found = limit?.(this);
      return found === undefined ? [] : [{ facet, ...found }];
    });
  }

  /** The shape of values that also match an alternative of this shape. */
  narrow(alternative: Shape): Shape {
    const own = this.parts.map(({ pointer, schema }) => {
      return { pointer, schema: { ...schema, oneOf: undefined, anyOf: undefined } };
    });
    return new Shape([...alternative.parts, ...own], this.#registry);
  }

  get examples(): readonly JsonValue[] {
    return this.parts.flatMap(({ schema: { examples, example } }) => [
      ...listOf(examples),
      ...(example === undefined ? [] : [example]),
    ]);
  }
  get properties(): ReadonlyMap<string, SchemaNode> {
    return (this.#properties ??= this.#listProperties());
  }
  /** False: no members beyond `properties`. */
  get additional(): SchemaNode | boolean {
    return (this.#additional ??= this.#readAdditional());
  }
  get items(): SchemaNode | undefined {
    return (this.#items ??= this.#nodeAt(
      this.parts
        .filter(({ schema }) => schema.items !== undefined)
        .map(({ pointer }) => appendPointer(pointer, 'items')),
    ));
  }
  /** Of the first union only; further unions are left to the validator. */
  get alternatives(): readonly SchemaNode[] {
    for (const { pointer, schema } of this.parts)
      for (const name of ['oneOf', 'anyOf'])
        if (isJsonArray(schema[name]))
          return schema[name].map((_branch, index) =>
            this.#registry.node(appendPointer(pointer, name, index)),
          );
    return [];
  }

  #readAdditional(): SchemaNode | boolean {
    const places: string[] = [];
    for (const { pointer, schema } of this.parts)
      for (const name of ['additionalProperties', 'unevaluatedProperties']) {
        if (schema[name] === false) return false;
        if (isJsonObject(schema[name])) places.push(appendPointer(pointer, name));
      }
    return this.#nodeAt(places) ?? true;
  }

  #listProperties(): ReadonlyMap<string, SchemaNode> {
    const declared = this.parts.flatMap(({ pointer, schema }) =>
      Object.keys(objectOf(schema.properties)).map((name) => ({
        name,
        at: appendPointer(pointer, 'properties', name),
      })),
    );
    const byName = Map.groupBy(declared, ({ name }) => name);
    const nodes = new Map<string, SchemaNode>();
    for (const [name, places] of byName)
      nodes.set(name, this.#registry.intersection(places.map(({ at }) => at)));
    return nodes;
  }

  #nodeAt(pointers: readonly string[]): SchemaNode | undefined {
    return pointers.length === 0 ? undefined : this.#registry.intersection(pointers);
  }
}

/** The default of a schema; undefined if it has none, or an invalid one. */
export function possibleDefault(node: SchemaNode): JsonValue | undefined {
  const value = node.shape().default;
  return value !== undefined && node.isValid(value) ? value : undefined;
}
