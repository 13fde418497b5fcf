import { ContractError, documentError, messageOf } from '../source/contract-error.ts';
import type { DocumentIssue } from '../source/issue.ts';
import { schemaDialect } from '../source/dialect.ts';
import { canonicalFragment } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { memoize } from '../memo/memoize.ts';
import { SchemaCompiler } from './compile.ts';
import { createSchemaFinder } from './finder.ts';
import { inspectSchema } from './inspection.ts';
import { type Direction, type Flaw, type Judge, Judging, StepsError } from './keyword/judging.ts';
import {
  type Issue,
  type NodeMaking,
  RegisteredSchema,
  type SchemaJudgement,
  type SchemaLookup,
  type SchemaNode,
  type Shape,
  tooDeep,
} from './schema-node.ts';
import { createShape, plainText } from './shape.ts';
import { mostPatternSteps } from '../pattern/pattern.ts';

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
}

/**
 * `source` is the document's name in errors; a document of OpenAPI 3.0 is read in its dialect.
 * `tellFault`: a schema that does not compile is reported there, and judges nothing, in place of an
 * error at the first value.
 */
export function createSchemaRegistry(
  document: JsonObject,
  source: string,
  tellFault?: (pointer: string, reason: string) => void,
): SchemaRegistry {
  const dialect = schemaDialect(document);
  const finder = createSchemaFinder(document, source, dialect);
  const nodes = new Map<string, SchemaNode>();
  /** Undefined for a schema that does not compile. */
  const judges = new Map<string, Judge | undefined>();
  /** Shapes of schemas that many places have, such as that of a text. */
  const plainShapes = new Map<string, Shape>();
  const lookup: SchemaLookup = { find: finder.find, target: finder.target, node };
  const compiler = new SchemaCompiler(finder.find, dialect, listReadOnly);
  const inspected = new Set<string>();
  const told = new Set<string>();
  const making: NodeMaking = { lookup, judge, shapeOf: shapeAt };

  function node(pointer: string): SchemaNode {
    const at = finder.follow(canonicalFragment(pointer));
    const known = nodes.get(at) ?? new RegisteredSchema(at, finder.find(at), making);
    nodes.set(at, known);
    return known;
  }

  function shapeAt(pointer: string): Shape {
    const text = plainText(finder.find(pointer));
    const known = text === undefined ? undefined : plainShapes.get(text);
    const shape = known ?? createShape([pointer], registry, finder);
    if (text !== undefined) plainShapes.set(text, shape);
    return shape;
  }

  function listReadOnly(pointer: string): readonly string[] {
    return [...shapeAt(pointer).properties].flatMap(([name, member]) =>
      member.shape().readOnly ? [name] : [],
    );
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
      judge: (value, direction) =>
        joinJudgements(parts.map((part) => part.judge(value, direction))),
      validate: (value, direction) => parts.flatMap((part) => part.validate(value, direction)),
      shape: memoize(() => createShape(places, registry, finder)),
      lookup,
    };
  }

  function judge(pointer: string, value: JsonValue, direction: Direction = 'response') {
    return judgeBy(compile(pointer), value, direction, (reason) => {
      if (!told.has(pointer)) tellFault?.(pointer, reason);
      told.add(pointer);
    });
  }

  /** Throws ContractError where faults are not reported otherwise. */
  function compile(pointer: string): Judge | undefined {
    if (judges.has(pointer)) return judges.get(pointer);
    if (tellFault === undefined) refuse(inspectSchema(pointer, finder, dialect, inspected));
    let compiled: Judge | undefined;
    try {
      compiled = compiler.compile(pointer);
    } catch (cause) {
      const reason = `does not compile: ${messageOf(cause)}`;
      if (tellFault === undefined) throw documentError(source, reason, { pointer, cause });
      tellFault(pointer, reason);
    }
    judges.set(pointer, compiled);
    return compiled;
  }

  function inspect(): readonly DocumentIssue[] {
    const seen = new Set<string>();
    return [...nodes.keys()].flatMap((pointer) => inspectSchema(pointer, finder, dialect, seen));
  }

  function checkAll(): void {
    if (tellFault === undefined) refuse(inspect());
    for (const pointer of nodes.keys()) compile(pointer);
  }

  const registry: SchemaRegistry = {
    node,
    intersection,
    inspect,
    check: (pointer) => void compile(node(pointer).pointer),
    checkAll,
  };
  return registry;
}

function refuse(issues: readonly DocumentIssue[]): void {
  if (issues.length > 0) throw new ContractError(issues);
}

const noIssues: readonly Issue[] = [];

const fits: SchemaJudgement = { issues: noIssues };

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

/** `tell` gets the reason why a schema could not judge a value to its end. */
function judgeBy(
  judge: Judge | undefined,
  value: JsonValue,
  direction: Direction,
  tell: (reason: string) => void,
): SchemaJudgement {
  if (judge === undefined) return uncompiled;
  const judging = new Judging(value, direction);
  try {
    const flaws = judge(value, judging);
    const { steps } = judging;
    if (flaws === undefined && judging.doubts === 0 && steps === undefined) return fits;
    const issues = flaws === undefined ? noIssues : readIssues(flaws);
    return judging.doubts === 0 ? { issues, steps } : { issues, undecided: doubtful, steps };
  } catch (error) {
    if (error instanceof StepsError) {
      tell(`${error.message}: its references lead to one value in many ways`);
      return {
        issues: noIssues,
        undecided: { kind: 'steps', reason: error.message },
        steps: judging.steps,
      };
    }
    // The value, which need not come from `parseJson`, is nested deeper than the stack.
    if (error instanceof RangeError)
      return { issues: noIssues, undecided: { kind: 'depth', reason: tooDeep.message } };
    tell(`cannot be judged by: ${messageOf(error)}`);
    return uncompiled;
  }
}

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

function joinJudgements(all: readonly SchemaJudgement[]): SchemaJudgement {
  const undecided = all.find((each) => each.undecided !== undefined)?.undecided;
  return { issues: all.flatMap(({ issues }) => issues), undecided };
}
