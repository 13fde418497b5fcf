import type { CodeKeywordDefinition } from 'ajv';
import type { SchemaEngine } from '../engine/engine.ts';

/**
 * Makes the error of a keyword whose error follows those of its subschemas say how many of the
 * errors before it belong to these (`inner`), which its path alone does not tell where subschemas
 * are references.
 */
export function countInnerErrors({ _ }: SchemaEngine): Partial<CodeKeywordDefinition> {
  return {
    trackErrors: true,
    error: {
      message: '',
      params: ({ errsCount, params }) =>
        _`{inner: errors - ${errsCount ?? _`errors`}, passing: ${params.passing ?? _`null`}, name: ${params.propertyName ?? _`null`}}`,
    },
  };
}
