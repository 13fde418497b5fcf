import type { CodeKeywordDefinition } from 'ajv';
import type { SchemaEngine } from '../engine/engine.ts';

/**
 * Makes an error that follows those of its subschemas say how many they are (`inner`), which its
 * path does not tell.
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
