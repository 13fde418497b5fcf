import { addAll } from '../list/list.ts';
import { documentError } from '../source/contract-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { keywordOf, keywords, subschemaPointers } from './keywords.ts';
import { appendPointer, canonicalFragment, resolvePointer } from '../json/pointer.ts';
import { normalizeSchema, type SchemaDialect } from '../source/dialect.ts';

/** Finds schemas in a document by pointer and by reference. */
export interface SchemaFinder {
  readonly source: string;
  /** The schema at a pointer, as 2020-12 has it. Throws ContractError where there is none. */
  readonly find: (pointer: string) => JsonObject | boolean;
  /** The pointer of the schema that a `$ref` names. Throws SyntaxError where it is none. */
  readonly target: (reference: string) => string;
  /** Why a `$ref` cannot be followed, or undefined. */
  readonly referenceIssue: (reference: string) => string | undefined;
  /** The pointer that stands for this one: where it is only a `$ref`, the target's. */
  readonly follow: (pointer: string) => string;
  /** Pointers of the schemas that judge the same value; its own too if it comes back to itself. */
  readonly inPlace: (pointer: string) => ReadonlySet<string>;
}

export function createSchemaFinder(
  document: JsonObject,
  source: string,
  dialect: SchemaDialect,
): SchemaFinder {
  /** What pointers lead to that are no more than references. */
  const followed = new Map<string, string>();

  function find(pointer: string): JsonObject | boolean {
    const schema = resolvePointer(document, pointer);
    if (typeof schema === 'boolean') return schema;
    if (isJsonObject(schema)) return normalizeSchema(schema, dialect);
    const reason = schema === undefined ? 'is not there' : 'is not a schema';
    throw documentError(source, reason, { pointer });
  }

  function referenceIssue(reference: string): string | undefined {
    if (!reference.startsWith('#')) return `refers to ${reference}, outside this document`;
    const target = readTarget(document, reference);
    if (target === undefined) return `refers to ${reference}, which is not there`;
    return isJsonObject(target) || typeof target === 'boolean'
      ? undefined
      : `refers to ${reference}, which is not a schema`;
  }

  function follow(pointer: string): string {
    const passed = new Set<string>();
    let at = pointer;
    for (;;) {
      const known = followed.get(at);
      const reference = known === undefined ? onlyReference(find(at)) : undefined;
      if (reference === undefined) {
        for (const one of passed) followed.set(one, known ?? at);
        return known ?? at;
      }
      const reason = passed.has(at) ? 'refers to itself without end' : referenceIssue(reference);
      if (reason !== undefined)
        throw documentError(source, reason, { pointer: appendPointer(at, '$ref') });
      passed.add(at);
      at = target(reference);
    }
  }

  function inPlace(pointer: string): ReadonlySet<string> {
    const passed = new Set<string>();
    const pending = [...stepsInPlace(pointer)];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (!passed.has(at)) addAll(pending, stepsInPlace(at));
      passed.add(at);
    }
    return passed;
  }

  function stepsInPlace(pointer: string): readonly string[] {
    const schema = readTarget(document, pointer);
    if (!isJsonObject(schema)) return [];
    const steps = inPlaceKeywords.flatMap(({ name, takes }) =>
      subschemaPointers(appendPointer(pointer, name), takes, schema[name]),
    );
    const { $ref: reference } = schema;
    if (typeof reference !== 'string' || referenceIssue(reference) !== undefined) return steps;
    return [...steps, target(reference)];
  }

  return { source, find, target, referenceIssue, follow, inPlace };
}

/** Keywords whose subschemas judge the same value as the schema they stand in. */
const inPlaceKeywords = keywords.filter(({ isInPlace }) => isInPlace === true);

function target(reference: string): string {
  return canonicalFragment(reference);
}

function readTarget(document: JsonObject, reference: string): JsonValue | undefined {
  try {
    return resolvePointer(document, reference);
  } catch {
    return undefined;
  }
}

function onlyReference(schema: JsonObject | boolean): string | undefined {
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return undefined;
  const others = Object.keys(schema).filter((name) => name !== '$ref');
  const isAlone = others.every((name) => keywordOf(name)?.effect === 'annotation');
  return isAlone ? schema.$ref : undefined;
}
