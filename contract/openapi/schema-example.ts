import { listSchemaExamples, reportIssues } from './example.ts';
import { listSchemas } from '../schema/place.ts';
import { appendPointer } from '../json/pointer.ts';
import type { CompileContext } from './compile-context.ts';

/** Examples and defaults in schemas: one that breaks its schema is an error or a warning. */
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
