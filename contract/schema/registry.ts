import { ContractError, documentError, messageOf } from '../source/contract-error.ts';
import type { DocumentIssue } from '../source/issue.ts';
import {
  type NodeMaking,
  RegisteredSchema,
  type SchemaJudgement,
  type SchemaLookup,
  type SchemaNode,
  type Shape,
} from './schema-node.ts';
import type { JsonObject } from '../json/value.ts';
import { canonicalFragment } from '../json/pointer.ts';
import { createSchemaCompiler, type CompiledSchema, type SchemaCompiler } from './compiler.ts';
import { schemaDialect } from '../source/dialect.ts';
import { createSchemaFinder } from './finder.ts';
import { inspectSchema, tracksEvaluated } from './inspection.ts';
import { createJudge, UncompiledError } from './judge.ts';
import { listWithin } from './place.ts';
import { createSharedValidators } from './sharing/shared-validators.ts';
import { createShape, plainText } from './shape.ts';
import { memoize } from '../memo/memoize.ts';

/** The schemas of one document, as nodes that validate and describe themselves. */
export interface SchemaRegistry {
  /**
   * The schema at a pointer (`#/components/schemas/Pet`), a `$ref` at its top followed; one node
   * for each. Compiled by the first `validate`. Throws ContractError where there is no schema.
   */
  node(pointer: string): SchemaNode;
  /** A node that validates by several schemas at once and whose shape is theirs merged. */
  intersection(pointers: readonly string[]): SchemaNode;
  /** What is wrong with the nodes given out so far and all they refer to, uncompiled. Cheap. */
  inspect(): readonly DocumentIssue[];
  /** Inspects and compiles one schema. Throws ContractError with the pointers of what is wrong. */
  check(pointer: string): void;
  /** As `check`, for all nodes given out so far; all issues in one error. */
  checkAll(): void;
  /**
   * Compiles what nodes given out so far have or refer to, each part by itself: no later `validate`
   * compiles anything. Throws ContractError.
   */
  compileParts(): void;
}

/**
 * `source` is the document's name in errors; a document of OpenAPI 3.0 is read in its dialect.
 * `tellFault`: a schema that does not compile is told there, and judges nothing, in place of an
 * error at the first value. `mostInFunction`: as the rewriter of schemas has it.
 */
export function createSchemaRegistry(
  document: JsonObject,
  source: string,
  tellFault?: (pointer: string, reason: string) => void,
  mostInFunction?: number,
): SchemaRegistry {
  const dialect = schemaDialect(document);
  const finder = createSchemaFinder(document, source, dialect);
  const nodes = new Map<string, SchemaNode>();
  /** Shapes of schemas that many places have, such as that of a text. */
  const plainShapes = new Map<string, Shape>();
  const lookup: SchemaLookup = { find: finder.find, target: finder.target, node };
  let compiler: SchemaCompiler | undefined;
  const shared = createSharedValidators(moveCompiled);
  let faults = 0;
  const tellCounted = (pointer: string, reason: string): void => {
    faults += 1;
    tellFault?.(pointer, reason);
  };
  const sound = new Set<string>();

  function node(pointer: string): SchemaNode {
    const at = finder.follow(canonicalFragment(pointer));
    const known = nodes.get(at) ?? createNode(at);
    nodes.set(at, known);
    return known;
  }

  function createNode(pointer: string): SchemaNode {
    return new RegisteredSchema(pointer, finder.find(pointer), making);
  }

  const making: NodeMaking = {
    lookup,
    judgeBy: (pointer) =>
      createJudge(
        () => compile(pointer),
        (reason) => tellFault?.(pointer, reason),
      ),
    shapeOf: shapeAt,
  };

  function shapeAt(pointer: string): Shape {
    const text = plainText(finder.find(pointer));
    const known = text === undefined ? undefined : plainShapes.get(text);
    const shape = known ?? createShape([pointer], registry, finder);
    if (text !== undefined) plainShapes.set(text, shape);
    return shape;
  }

  function intersection(pointers: readonly string[]): SchemaNode {
    const parts = [...new Set(pointers.map((pointer) => node(pointer)))];
    const [first] = parts;
    if (first === undefined) throw new RangeError('an intersection needs at least one schema');
    if (parts.length === 1) return first;
    const places = parts.map((part) => part.pointer);
    return {
      pointer: first.pointer,
      schema: { allOf: parts.map((part) => ({ $ref: part.pointer })) },
      judge: (value) => joinJudgements(parts.map((part) => part.judge(value))),
      validate: (value) => parts.flatMap((part) => part.validate(value)),
      shape: memoize(() => createShape(places, registry, finder)),
      lookup,
    };
  }

  function compile(pointer: string): CompiledSchema {
    compiler ??= createSchemaCompiler(
      finder.find,
      finder.target,
      dialect,
      tracksEvaluated(document),
      mostInFunction,
    );
    const schema = finder.find(pointer);
    if (tellFault === undefined) inspectSound(pointer);
    const known = shared.find(pointer, schema);
    if (known !== undefined) return known;
    const before = faults;
    const compiled =
      tellFault === undefined
        ? compileStrictly(compiler, pointer, source)
        : compileLeniently(compiler, pointer, tellCounted);
    if (faults === before) shared.add(pointer, schema, compiled);
    return compiled;
  }

  function inspectSound(pointer: string): void {
    const fresh = new Set<string>();
    const issues = inspectSchema(pointer, finder, dialect, {
      has: (at) => sound.has(at) || fresh.has(at),
      add: (at) => fresh.add(at),
    });
    if (issues.length > 0) throw new ContractError(issues);
    for (const at of fresh) sound.add(at);
  }

  function inspect(): readonly DocumentIssue[] {
    const seen = new Set<string>();
    return [...nodes.keys()].flatMap((pointer) => inspectSchema(pointer, finder, dialect, seen));
  }

  function checkAll(): void {
    const issues = tellFault === undefined ? inspect() : [];
    if (issues.length > 0) throw new ContractError(issues);
    const checked = new Set<string>();
    for (const pointer of nodes.keys()) {
      if (checked.has(pointer)) continue;
      const before = faults;
      compile(pointer);
      if (faults > before) continue;
      for (const within of listWithin(pointer, finder.find)) checked.add(within);
    }
  }

  function compileParts(): void {
    const parts = new Set<string>();
    for (const pointer of nodes.keys()) inspectSchema(pointer, finder, dialect, parts);
    for (const part of parts) compile(node(part).pointer);
    compiler?.compileParts();
  }

  const registry: SchemaRegistry = {
    node,
    intersection,
    inspect,
    check: (pointer) => void compile(node(pointer).pointer),
    checkAll,
    compileParts,
  };
  return registry;
}

/** The same code, whose errors are those of a schema that stands elsewhere. */
function moveCompiled(compiled: CompiledSchema, change: (pointer: string) => string) {
  const origin: CompiledSchema['origin'] = (schema) => {
    const found = compiled.origin(schema);
    return found && { ...found, pointer: change(found.pointer) };
  };
  return { ...compiled, origin };
}

function joinJudgements(all: readonly SchemaJudgement[]): SchemaJudgement {
  const undecided = all.find((each) => each.undecided !== undefined)?.undecided;
  return { issues: all.flatMap(({ issues }) => issues), undecided };
}

function compileStrictly(
  compiler: SchemaCompiler,
  pointer: string,
  source: string,
): CompiledSchema {
  try {
    return compiler.compile(pointer);
  } catch (cause) {
    throw documentError(source, `does not compile: ${messageOf(cause)}`, { pointer, cause });
  }
}

/** A schema that does not compile fits every value. */
function compileLeniently(
  compiler: SchemaCompiler,
  pointer: string,
  tellFault: (pointer: string, reason: string) => void,
): CompiledSchema {
  try {
    return compiler.compile(pointer);
  } catch (cause) {
    const reason = `does not compile: ${messageOf(cause)}`;
    tellFault(pointer, reason);
    return {
      run: () => {
        throw new UncompiledError(reason);
      },
      runOtherwise: () => undefined,
      origin: () => undefined,
    };
  }
}
