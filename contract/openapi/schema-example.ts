import { issuesOf } from './example.ts';
import { isJsonArray } from '../json/value.ts';
import { listSchemas } from '../schema/place.ts';
import { appendPointer, parsePointer } from '../json/pointer.ts';
import type { CompileContext } from './compile-context.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

interface Datum {
  readonly pointer: string;
  readonly value: JsonValue;
}

/**
 * Holds the examples and defaults that stand in schemas to those schemas, nested ones included. An
 * example that breaks its schema is an error, a default that does is a warning.
 */
export function checkSchemaData(context: CompileContext): void {
  for (const { pointer, schema } of listSchemas(context.root)) {
    for (const datum of listExamples(pointer, schema))
      report(context, pointer, datum, 'example', context.issues.error);
    for (const datum of listOne(pointer, schema, 'default'))
      report(context, pointer, datum, 'default', context.issues.warn);
  }
}

function report(
  context: CompileContext,
  pointer: string,
  datum: Datum,
  word: string,
  log: (pointer: string, reason: string) => void,
): void {
  const node = context.schema(pointer);
  for (const { at, message } of node === undefined ? [] : issuesOf(node, datum.value)) {
    log(
      appendPointer(datum.pointer, ...parsePointer(at)),
      `the ${word} breaks its schema: ${message}`,
    );
  }
}

function listExamples(pointer: string, schema: JsonObject): readonly Datum[] {
  const several = schema['examples'];
  const list = isJsonArray(several) ? several : [];
  return [
    ...listOne(pointer, schema, 'example'),
    ...list.map((value, index) => ({ pointer: appendPointer(pointer, 'examples', index), value })),
  ];
}

function listOne(pointer: string, schema: JsonObject, name: string): readonly Datum[] {
  const value = schema[name];
  return value === undefined ? [] : [{ pointer: appendPointer(pointer, name), value }];
}
