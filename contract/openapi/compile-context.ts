import { hasCode } from '../error/petstore-error.ts';
import type { Codec } from '../json/codec.ts';
import { appendPointer, parsePointer, resolvePointer } from '../json/pointer.ts';
import { jsonEquals, listOf, objectOf, type JsonObject, type JsonValue } from '../json/value.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { DocumentNode } from '../source/node.ts';

/** Shared by the compilers of all parts of a document. */
export interface CompileContext {
  readonly root: DocumentNode;
  readonly issues: DiagnosticLog;
  /**
   * When examples are validated: all at once, or each when first used. `trusted`: the document was checked
   * before, so they are valid.
   */
  readonly judges: 'trusted' | 'at once' | 'when used';
  /**
   * The schema at a pointer, with its `$ref` followed; undefined, with an error logged, if it is broken.
   */
  readonly schema: (pointer: string) => SchemaNode | undefined;
}

/** Reads an extension `x-...` of this package; undefined, with an error logged, if it is malformed. */
export function readExtension<T>(
  { issues }: CompileContext,
  { value, pointer }: DocumentNode,
  codec: Codec<T>,
): T | undefined {
  try {
    return codec.read(value, pointer);
  } catch (cause) {
    if (!hasCode(cause, 'shape')) throw cause;
    const { place = pointer, detail } = cause;
    issues.misuse(place, detail.slice(place.length + 1));
    return undefined;
  }
}

interface NamedExample {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: string;
}

/** The schema of a media type, parameter or header; undefined for none. */
export function schemaOf(
  context: CompileContext,
  holder: DocumentNode,
  member: 'schema' | 'itemSchema' = 'schema',
): SchemaNode | undefined {
  return holder.get(member) === undefined ? undefined : context.schema(holder.at(member));
}

export type Described = Pick<Description, 'schema' | 'pointer' | 'examples'>;

/**
 * Something that the document describes by a schema and examples. A class, because a large document has
 * tens of thousands.
 */
export class Description {
  readonly schema: SchemaNode | undefined;
  readonly pointer: string;
  readonly #context: CompileContext;
  readonly #holder: DocumentNode;
  readonly #mediaType: string | undefined;
  #examples: readonly NamedExample[] | undefined;

  /**
   * `holder`: the object with the schema and the examples. `mediaType`: of values that are not JSON on the
   * wire. An example may be the body as text, which only a schema of a text can judge (OpenAPI 3.1, Example
   * Object).
   */
  constructor(
    context: CompileContext,
    holder: DocumentNode,
    pointer = holder.pointer,
    mediaType?: string,
  ) {
    this.schema = schemaOf(context, holder);
    this.pointer = pointer;
    this.#context = context;
    this.#holder = holder;
    this.#mediaType = mediaType;
    if (context.judges === 'at once') this.#examples = this.examples;
  }

  /**
   * The examples of the holder, then of its schema; an invalid one is reported and omitted. Validated when
   * first read, unless all are validated at once.
   */
  get examples(): readonly NamedExample[] {
    return (this.#examples ??= listFitting(
      this.#context,
      this.#holder,
      this.schema,
      this.#mediaType,
    ));
  }
}

function listFitting(
  context: CompileContext,
  holder: DocumentNode,
  schema: SchemaNode | undefined,
  mediaType: string | undefined,
): readonly NamedExample[] {
  const fits = (example: NamedExample): boolean =>
    context.judges === 'trusted' || reportIssues(context, schema, example, 'example');
  const isBody = ({ value }: NamedExample): boolean =>
    mediaType !== undefined &&
    typeof value === 'string' &&
    !(mediaType.startsWith('text/') && schema?.shape().types.includes('string') === true);
  const own = listOwn(holder).filter((example) => isBody(example) || fits(example));
  const inSchema = schema === undefined ? [] : listSchemaExamples(schema.pointer, schema.schema);
  const further = inSchema.filter(
    (example) => !own.some(({ value }) => jsonEquals(value, example.value)),
  );
  return [...own, ...further.filter(fits)];
}

function listOwn(holder: DocumentNode): readonly NamedExample[] {
  const { example } = holder.object;
  const named = (holder.get('examples')?.entries() ?? []).flatMap(([name, node]) => {
    const { value } = node.object;
    return value === undefined ? [] : [{ name, value, pointer: node.at('value') }];
  });
  if (example === undefined) return named;
  return [{ name: 'example', value: example, pointer: holder.at('example') }, ...named];
}

/** Warns about examples and defaults that break their schemas. `schemas`: with their pointers. */
export function checkSchemaData(
  context: CompileContext,
  schemas: ReadonlyMap<JsonObject, string>,
): void {
  const { root, schema: compile } = context;
  for (const [schema, pointer] of schemas) {
    // A repair may have moved it.
    if (resolvePointer(root.value, pointer) !== schema) continue;
    for (const example of listSchemaExamples(pointer, schema))
      reportIssues(context, compile(pointer), example, 'example');
    const { default: value } = schema;
    if (value === undefined) continue;
    const at = appendPointer(pointer, 'default');
    reportIssues(context, compile(pointer), { pointer: at, value }, 'default');
  }
}

/** The values of `example` and `examples` of a schema, in this order. */
function listSchemaExamples(pointer: string, schema: JsonValue): readonly NamedExample[] {
  const { example: value, examples } = objectOf(schema);
  const name = 'schema example';
  const several = listOf(examples).map((each, index) => ({
    name: `${name} ${index + 1}`,
    value: each,
    pointer: appendPointer(pointer, 'examples', index),
  }));
  if (value === undefined) return several;
  return [{ name, value, pointer: appendPointer(pointer, 'example') }, ...several];
}

const anyIssue = [{ at: '', message: 'is invalid' }];

/** Logs the errors of a value in the document. @returns true without errors */
function reportIssues(
  context: CompileContext,
  schema: SchemaNode | undefined,
  { pointer, value }: Omit<NamedExample, 'name'>,
  word: 'example' | 'default',
): boolean {
  if (schema === undefined || schema.isValid(value)) return true;
  // A document may have thousands of examples that break their schemas in a hundred ways.
  const issues = context.issues.isFull() ? anyIssue : schema.validate(value);
  // An invalid example is omitted either way: it does not change what is served or judged.
  const effect = word === 'example' ? '; until then the example is left out' : '';
  const fix = `Correct the ${word} or the schema${effect}.`;
  for (const { at, message } of issues) {
    const tokens = parsePointer(at);
    // A message without a subject is about the pointer itself.
    const subject = message.startsWith('is ') ? `${tokens.at(-1) ?? 'it'} ` : '';
    const text = `the ${word} breaks its schema: ${subject}${message}`;
    context.issues.report(`invalid-${word}`, appendPointer(pointer, ...tokens), text, fix);
  }
  return false;
}
