import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { loadSchemaEngine, type SchemaEngine } from './engine/engine.ts';
import type { SchemaDialect } from './dialect.ts';
import { createPatternJudge, type PatternJudge } from './pattern-judge.ts';
import { keywords } from './keywords.ts';
import { createSchemaRewriter, neverKeyword, type SchemaOrigin } from './rewrite.ts';

export interface SchemaCompiler {
  /** The validator of a schema that passed inspection. Throws Error if it does not compile. */
  compile(pointer: string): CompiledSchema;
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

/** Compiles with ajv. `find`: a schema by canonical pointer; `target`: that of a reference. */
export function createSchemaCompiler(
  find: (pointer: string) => JsonObject | boolean,
  target: (reference: string) => string,
  dialect: SchemaDialect,
): SchemaCompiler {
  const ids = new Map<string, string>();
  const pending: string[] = [];
  const engine = loadSchemaEngine();
  const judge = createPatternJudge();
  const ajv = createAjv(engine, judge);
  const rewriter = createSchemaRewriter(dialect, (reference) => idOf(target(reference)));

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
      ajv.addSchema(rewriter.rewrite(find(pointer), pointer), idOf(pointer));
    }
  }

  function compile(pointer: string): CompiledSchema {
    const id = idOf(pointer);
    addPending();
    const validate = ajv.getSchema(id);
    if (validate === undefined) throw new Error('the engine does not know the schema');
    return {
      run: (value) => {
        judge.begin(true);
        return errorsOf(validate, value);
      },
      runOtherwise: (value) => {
        if (!judge.isInDoubt()) return undefined;
        judge.begin(false);
        return errorsOf(validate, value);
      },
      origin: rewriter.origin,
    };
  }

  return { compile };
}

const noErrors: readonly EngineError[] = [];

function errorsOf(validate: ValidateFunction, value: JsonValue): readonly EngineError[] {
  return validate(value) ? noErrors : (validate.errors ?? noErrors);
}

function createAjv(engine: SchemaEngine, judge: PatternJudge): InstanceType<SchemaEngine['Ajv']> {
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
  return ajv.addKeyword({ keyword: neverKeyword, code: (context) => context.fail() });
}
