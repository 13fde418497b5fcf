import { listSchemaExamples, reportIssues } from './example.ts';
import { listSchemas } from '../schema/place.ts';
import { appendPointer } from '../json/pointer.ts';
import type { CompileContext } from './compile-context.ts';

/**
 * Holds the examples and defaults that stand in schemas to those schemas, nested ones included. An
 * example that breaks its schema is an error, a default that does is a warning.
 */
export function checkSchemaData({ root, issues, schema: compile }: CompileContext): void {
  for (const { pointer, schema } of listSchemas(root)) {
    for (const example of listSchemaExamples(pointer, schema))
      reportIssues(compile(pointer), example, 'example', issues.error);
    const { default: value } = schema;
    if (value === undefined) continue;
    const at = appendPointer(pointer, 'default');
    reportIssues(compile(pointer), { pointer: at, value }, 'default', issues.warn);
  }
}
