import type { ErrorObject, KeywordCxt, ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { loadSchemaEngine, type SchemaEngine } from './engine/engine.ts';
import type { SchemaDialect } from '../source/dialect.ts';
import { createPatternJudge, type PatternJudge } from '../pattern/pattern-judge.ts';
import { keywords } from './keywords.ts';
import { callParts, type PartFunction } from './parts.ts';
import {
  createSchemaRewriter,
  neverKeyword,
  type SchemaOrigin,
  type SchemaPart,
} from './rewrite.ts';
import { createStepCounter, type StepCounter } from './engine/steps.ts';

export interface SchemaCompiler {
  /** The validator of a schema that passed inspection. Throws Error if it does not compile. */
  compile(pointer: string): CompiledSchema;
  /** Compiles what else waits for its first value. Throws Error if something does not compile. */
  compileParts(): void;
}

export interface CompiledSchema {
  /** What the engine finds; empty if the value fits. */
  readonly run: (value: JsonValue) => readonly EngineError[];
  /**
   * What it finds in the value of the last run, where texts that no pattern could judge do not match;
   * undefined where there were none. In `run` they match.
   */
  readonly runOtherwise: (value: JsonValue) => readonly EngineError[] | undefined;
  readonly origin: (schema: unknown) => SchemaOrigin | undefined;
}

export type EngineError = ErrorObject;

/**
 * Compiles with ajv. `find`: a schema by canonical pointer; `target`: that of a reference;
 * `tracksEvaluated`: some schema has `unevaluatedProperties` or `unevaluatedItems`. Where none has,
 * nothing is kept for them: it takes the square of the number of properties.
 */
export function createSchemaCompiler(
  find: (pointer: string) => JsonObject | boolean,
  target: (reference: string) => string,
  dialect: SchemaDialect,
  tracksEvaluated: boolean,
  mostInFunction?: number,
): SchemaCompiler {
  const ids = new Map<string, string>();
  const pending: string[] = [];
  /** The ids that each schema refers to. */
  const references = new Map<string, string[]>();
  const compiled = new Set<string>();
  let referring: string[] = [];
  const engine = loadSchemaEngine();
  const judge = createPatternJudge();
  const steps = createStepCounter();
  const ajv = createAjv(engine, judge, steps);
  ajv.opts.unevaluated = tracksEvaluated;
  const rewriter = createSchemaRewriter(
    dialect,
    (reference) => {
      const id = idOf(target(reference));
      referring.push(id);
      return id;
    },
    mostInFunction,
  );

  /** What compiles each part that was not called yet. */
  const waiting = new Set<() => void>();
  let partCount = 0;
  callParts(ajv, engine, rewriter, createPart);

  function idOf(pointer: string): string {
    const known = ids.get(pointer);
    if (known !== undefined) return known;
    const id = `schema:${ids.size}`;
    ids.set(pointer, id);
    pending.push(pointer);
    return id;
  }

  function addPending(): void {
    for (let pointer = pending.pop(); pointer !== undefined; pointer = pending.pop()) {
      const at = pointer;
      add(idOf(at), () => rewriter.rewrite(find(at), at));
    }
  }

  /** The engine compiles what a schema refers to within it: long chains are compiled from their end. */
  function compileChains(start: string): void {
    const open = [{ id: start, next: 0 }];
    let isLong = false;
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      compiled.add(frame.id);
      const id = references.get(frame.id)?.[frame.next];
      frame.next += 1;
      if (id !== undefined && !compiled.has(id)) open.push({ id, next: 0 });
      if (id !== undefined) continue;
      isLong ||= open.length > longChain;
      open.pop();
      if (isLong) ajv.getSchema(frame.id);
    }
  }

  /** A part of a large schema, as a function that is compiled when it is first called. */
  function createPart({ rewrite, names }: SchemaPart): PartFunction {
    let validate: ValidateFunction | undefined;
    const part: PartFunction = Object.assign(
      (value: unknown, context: DataValidationCxt) => {
        if (validate === undefined && names !== undefined && !hasAny(value, names))
          return pass(part);
        validate ??= compilePart();
        const isFit = validate(value, context);
        part.errors = validate.errors;
        part.evaluated = validate.evaluated;
        return isFit;
      },
      { errors: null, evaluated: undefined },
    );
    waiting.add(prepare);
    return part;

    function prepare(): void {
      validate ??= compilePart();
    }

    function compilePart(): ValidateFunction {
      waiting.delete(prepare);
      const id = `part:${partCount}`;
      partCount += 1;
      add(id, rewrite);
      addPending();
      return getCompiled(id);
    }
  }

  function add(id: string, rewrite: SchemaPart['rewrite']): void {
    referring = [];
    ajv.addSchema(rewrite(), id);
    references.set(id, referring);
  }

  function getCompiled(id: string): ValidateFunction {
    if (!compiled.has(id)) compileChains(id);
    const validate = ajv.getSchema(id);
    if (validate === undefined) throw new Error('the engine does not know the schema');
    return validate;
  }

  function compile(pointer: string): CompiledSchema {
    const id = idOf(pointer);
    addPending();
    const validate = getCompiled(id);
    return {
      run: (value) => {
        judge.begin(true);
        steps.start(value);
        return errorsOf(validate, value);
      },
      runOtherwise: (value) => {
        if (!judge.isInDoubt()) return undefined;
        judge.begin(false);
        steps.start(value);
        return errorsOf(validate, value);
      },
      origin: rewriter.origin,
    };
  }

  function compileParts(): void {
    for (const prepare of waiting) prepare();
  }

  return { compile, compileParts };
}

function pass(part: PartFunction): true {
  part.errors = null;
  part.evaluated = { dynamicProps: false, dynamicItems: false };
  return true;
}

function hasAny(value: unknown, names: ReadonlySet<string>): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).some((name) => names.has(name))
  );
}

const noErrors: readonly EngineError[] = [];

function errorsOf(validate: ValidateFunction, value: JsonValue): readonly EngineError[] {
  return validate(value) ? noErrors : (validate.errors ?? noErrors);
}

/** References in a row from which on the stack of the engine may end. */
const longChain = 100;

function createAjv(
  engine: SchemaEngine,
  judge: PatternJudge,
  steps: StepCounter,
): InstanceType<SchemaEngine['Ajv']> {
  const ajv = new engine.Ajv({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    unicodeRegExp: true,
    code: {
      // A fifth of the time that large documents take, for code that runs as fast.
      optimize: false,
      regExp: Object.assign(judge.create, { code: 'new RegExp' }),
      process: appendErrors,
    },
    logger: false,
  });
  for (const { name, engineName = name, code, repair } of keywords) {
    if (code !== undefined)
      ajv.removeKeyword(engineName).addKeyword({
        keyword: engineName,
        code: (context) => code(context, engine),
        error: { message: '' },
      });
    const definition = ajv.getKeyword(name);
    if (typeof definition === 'object') Object.assign(definition, repair?.(engine));
  }
  countReferences(ajv, engine, steps);
  return ajv.addKeyword({ keyword: neverKeyword, code: (context) => context.fail() });
}

/**
 * Has the code of the engine add the errors of a reference to those that it has: it copies all of
 * them for each reference, which takes quadratic time for a list of wrong items.
 */
function appendErrors(code: string): string {
  return code.replaceAll(
    /vErrors = vErrors === null \? ([\w.[\]]+) : vErrors\.concat\(\1\);/g,
    'if (vErrors === null) vErrors = $1; else for (const error of $1) vErrors.push(error);',
  );
}

/** Has the code of each reference count a step. */
function countReferences(
  ajv: InstanceType<SchemaEngine['Ajv']>,
  { _ }: SchemaEngine,
  steps: StepCounter,
): void {
  const definition = ajv.getKeyword('$ref');
  if (typeof definition !== 'object' || !('code' in definition)) return;
  const { code } = definition;
  Object.assign(definition, {
    code: (context: KeywordCxt, rule?: string) => {
      const count = context.gen.scopeValue('func', { ref: steps.count });
      context.gen.code(_`${count}()`);
      code(context, rule);
    },
  });
}
