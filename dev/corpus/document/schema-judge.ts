import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { bounded } from './bounded.ts';
import { type Direction, toJsonSchema } from './json-schema.ts';
import type { PublicDocument } from './read.ts';

/** Ajv alone, over the document as it is: nothing of what it judges goes into the judgement. */
export interface SchemaJudge {
  /** Whether a value fits the schema at a pointer. */
  judge(pointer: string, value: unknown): Fit;
}

export interface Fit {
  /** `unknown` where the schema does not compile, or takes too long. */
  readonly kind: 'valid' | 'invalid' | 'unknown';
  /** What is wrong with an invalid value. */
  readonly fault?: string;
}

export function createSchemaJudge(document: PublicDocument, direction: Direction): SchemaJudge {
  const strict = lazy(() => createAjv(document, direction, true));
  // Patterns of older dialects only compile without the flag `u`.
  const loose = lazy(() => createAjv(document, direction, false));
  const compiled = new Map<string, ValidateFunction | undefined>();
  const compile = (pointer: string): ValidateFunction | undefined => {
    for (const ajv of [strict, loose]) {
      try {
        return ajv().compile({ $ref: `document${pointer}` });
      } catch {
        continue;
      }
    }
    return undefined;
  };
  return {
    judge: (pointer, value) => {
      if (!compiled.has(pointer)) compiled.set(pointer, compile(pointer));
      const validate = compiled.get(pointer);
      if (validate === undefined) return { kind: 'unknown' };
      try {
        if (bounded(() => validate(value))) return { kind: 'valid' };
        return { kind: 'invalid', fault: renderError(validate.errors?.[0]) };
      } catch {
        return { kind: 'unknown' };
      }
    },
  };
}

function createAjv(
  document: PublicDocument,
  direction: Direction,
  unicodeRegExp: boolean,
): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    unicodeRegExp,
    inlineRefs: false,
    logger: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('binary', true).addFormat('password', true);
  return ajv.addSchema(toJsonSchema(document, direction), 'document');
}

function renderError(error: ErrorObject | undefined): string {
  return error === undefined
    ? 'invalid'
    : `${error.instancePath} ${error.message ?? error.keyword}`;
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
