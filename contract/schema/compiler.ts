import type { ErrorObject } from 'ajv';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { loadSchemaEngine, type SchemaEngine } from './engine/engine.ts';
import type { SchemaDialect } from './dialect.ts';
import { keywords } from './keywords.ts';
import { createSchemaRewriter, neverKeyword, type SchemaOrigin } from './rewrite.ts';

export interface SchemaCompiler {
  /** The validator of a schema that passed inspection. Throws Error if it does not compile. */
  compile(pointer: string): CompiledSchema;
}

export interface CompiledSchema {
  /** What the engine finds; empty if the value fits. */
  readonly run: (value: JsonValue) => readonly EngineError[];
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
  const ajv = createAjv(engine);
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
      run: (value) => (validate(value) === true ? noErrors : (validate.errors ?? noErrors)),
      origin: rewriter.origin,
    };
  }

  return { compile };
}

const noErrors: readonly EngineError[] = [];

function createAjv(engine: SchemaEngine): InstanceType<SchemaEngine['Ajv']> {
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
      regExp: Object.assign(engine.createPattern, { code: 'new RegExp' }),
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
  return ajv.addKeyword({ keyword: neverKeyword, code: (context) => context.fail() });
}

/**
 * Has the code of the engine add the errors of a reference to those that it has: it copies all of
 * them for each reference, which takes quadratic time for a list of wrong items.
 */
function appendErrors(code: string): string {
  return code.replaceAll(
    /vErrors = vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\);/g,
    'if (vErrors === null) vErrors = $1; else for (const error of $1) vErrors.push(error);',
  );
}
