import { addAll } from '../../list/list.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { enumeration } from '../../schema/keyword/enum.ts';
import { allowedTypes } from '../../schema/keyword/type.ts';
import type { SchemaLookup, SchemaNode } from '../../schema/schema-node.ts';
import { createPart, memberPointers, type Part, requiredOf } from './part.ts';

/** Schemas that must all hold for a value: references followed, `allOf` and choices resolved. */
export interface Conjunction {
  readonly parts: readonly Part[];
  /** True where a schema that judges in place can refuse what all parts allow. */
  readonly isIntricate: boolean;
}

/** The schemas of a document as samples are made from them; remembers what it has read. */
export interface SchemaView {
  /** The pointer that a `$ref` stands for; undefined for none. */
  readonly target: (reference: string) => string | undefined;
  /** The schemas with those they refer to and those of `allOf`; undefined if one fits no value. */
  readonly parts: (pointers: readonly string[]) => readonly Part[] | undefined;
  /** The conjunctions that schemas stand for, one for each combination of their unions. */
  readonly conjunctions: (pointers: readonly string[]) => Generator<Conjunction>;
  /** Whether a value fits all of the schemas; one that does not compile refuses nothing. */
  readonly fits: (pointers: readonly string[], value: JsonValue) => boolean;
}

/** Choices looked at for one value, of all combinations of `oneOf`, `anyOf` and `if`. */
const mostChoices = 200;

/** Values judged; beyond them each counts as one that fits. */
const mostJudgements = 3000;

/** Choices that are remembered. */
const mostKept = 24;

export function createSchemaView(lookup: SchemaLookup): SchemaView {
  const known = new Map<string, Part | boolean>();
  const kept = new Map<string, readonly Conjunction[]>();
  const validators = new Map<string, (value: JsonValue) => boolean>();
  let judgements = mostJudgements;

  function partAt(pointer: string): Part | boolean {
    const part = known.get(pointer) ?? readPart(pointer);
    known.set(pointer, part);
    return part;
  }

  /** True, which says nothing, where the document has none. */
  function readPart(pointer: string): Part | boolean {
    const schema = findSchema(pointer);
    if (typeof schema === 'boolean') return schema;
    const at = typeof schema.$ref === 'string' ? target(schema.$ref) : undefined;
    return createPart(pointer, schema, at === undefined ? [] : [at]);
  }

  function findSchema(pointer: string): JsonObject | boolean {
    try {
      return lookup.find(pointer);
    } catch {
      return true;
    }
  }

  function target(reference: string): string | undefined {
    try {
      return lookup.target(reference);
    } catch {
      return undefined;
    }
  }

  function parts(pointers: readonly string[]): readonly Part[] | undefined {
    const found = new Map<string, Part>();
    const pending = [...pointers];
    for (let pointer = pending.shift(); pointer !== undefined; pointer = pending.shift()) {
      if (found.has(pointer)) continue;
      const part = partAt(pointer);
      if (part === false) return undefined;
      if (part === true) continue;
      found.set(pointer, part);
      addAll(pending, part.allied);
    }
    return [...found.values()];
  }

  function* conjunctions(pointers: readonly string[]): Generator<Conjunction> {
    const key = pointers.join(' ');
    const all = listConjunctions(pointers);
    const first = kept.get(key) ?? [...all.take(mostKept)];
    kept.set(key, first);
    yield* first;
    if (first.length === mostKept) yield* listConjunctions(pointers).drop(mostKept);
  }

  function* listConjunctions(pointers: readonly string[]): Generator<Conjunction> {
    let left = mostChoices;
    yield* resolve(pointers, new Set());

    function* resolve(
      chosen: readonly string[],
      resolved: ReadonlySet<string>,
    ): Generator<Conjunction> {
      left -= 1;
      const all = left < 0 ? undefined : parts(chosen);
      if (all === undefined || isContradiction(all, 2)) return;
      const open = all
        .flatMap(({ unions }) => unions)
        .find(({ pointer }) => !resolved.has(pointer));
      if (open === undefined) {
        yield { parts: all, isIntricate: all.some(({ isIntricate }) => isIntricate) };
        return;
      }
      for (const branch of open.branches)
        yield* resolve([...chosen, ...branch], new Set([...resolved, open.pointer]));
    }
  }

  /** True where what the parts say plainly fits no value, so that nothing need be built. */
  function isContradiction(all: readonly Part[], depth: number): boolean {
    if (all.length < 2) return false;
    const schemas = all.map(({ schema }) => schema);
    const types = allowedTypes(schemas);
    const values = enumeration.limit(schemas)?.value;
    if (types?.length === 0 || values?.length === 0) return true;
    if (
      values !== undefined &&
      !values.some((value) => schemas.every((one) => isOfType(value, one)))
    )
      return true;
    if (depth === 0 || types?.length !== 1 || types[0] !== 'object') return false;
    return [...requiredOf(all)].some((name) => {
      const pointers = memberPointers(all, name);
      const members = pointers && parts(pointers);
      return members === undefined || isContradiction(members, depth - 1);
    });
  }

  function fits(pointers: readonly string[], value: JsonValue): boolean {
    return pointers.every((pointer) => {
      judgements -= 1;
      if (judgements < 0) return true;
      const validate = validators.get(pointer) ?? readValidator(pointer);
      validators.set(pointer, validate);
      return validate(value);
    });
  }

  function readValidator(pointer: string): (value: JsonValue) => boolean {
    let node: SchemaNode | undefined;
    return (value) => {
      try {
        node ??= lookup.node(pointer);
        const { issues, undecided } = node.judge(value);
        const isGivenUp = undecided?.kind === 'steps' || undecided?.kind === 'depth';
        if (isGivenUp) judgements -= mostJudgements / 10;
        return issues.length === 0 && !isGivenUp;
      } catch {
        return true;
      }
    };
  }

  return { target, parts, conjunctions, fits };
}

function isOfType(value: JsonValue, schema: JsonObject): boolean {
  if (schema.type === undefined) return true;
  const names = isJsonArray(schema.type) ? schema.type : [schema.type];
  return names.some((name) => typeNameFits(value, name));
}

function typeNameFits(value: JsonValue, name: JsonValue): boolean {
  if (value === null) return name === 'null';
  if (isJsonArray(value)) return name === 'array';
  if (typeof value === 'bigint') return name === 'integer' || name === 'number';
  if (typeof value === 'number')
    return name === 'number' || (name === 'integer' && Number.isInteger(value));
  return name === typeof value;
}
