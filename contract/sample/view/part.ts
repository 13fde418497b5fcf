import { appendPointer } from '../../json/pointer.ts';
import { createPattern, type Pattern } from '../../pattern/pattern.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { createMembership } from '../../schema/keyword/enum.ts';

/** One schema object of several that must all hold for a value. */
export interface Part {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** The schemas that hold with it: those it refers to, and those of `allOf`. */
  readonly allied: readonly string[];
  readonly unions: readonly Union[];
  /** True where a schema that judges in place can refuse what all parts allow. */
  readonly isIntricate: boolean;
  /** Whether a value is one of its `enum`; true where it has none. */
  readonly lists: (value: JsonValue) => boolean;
  /** The schemas of a member in `properties` and `patternProperties`. */
  readonly member: (name: string) => readonly string[];
  /** Whether a text surely matches `pattern`. */
  readonly matches: (text: string) => boolean;
}

/** Schemas of which some must hold: a keyword, and for each choice the schemas that it adds. */
export interface Union {
  readonly pointer: string;
  readonly branches: readonly (readonly string[])[];
}

/** `targets`: the pointers that its references stand for. */
export function createPart(pointer: string, schema: JsonObject, targets: readonly string[]): Part {
  const unions = listUnions(pointer, schema);
  const members = new Map<string, readonly string[]>();
  const patterns = new Map<string, Pattern | undefined>();
  let isMember: ((value: JsonValue) => boolean) | undefined;
  return {
    pointer,
    schema,
    lists: (value) => {
      if (!isJsonArray(schema.enum)) return true;
      isMember ??= createMembership(schema.enum);
      return isMember(value);
    },
    unions,
    allied: [
      ...targets,
      ...listOf(schema.allOf).map((_one, at) => appendPointer(pointer, 'allOf', at)),
    ],
    isIntricate: unions.length > 0 || intricateKeywords.some((name) => schema[name] !== undefined),
    member: (name) => {
      // Only patterns take long enough to be remembered: many parts have many names together.
      if (schema.patternProperties === undefined)
        return listMember(pointer, schema, noMatches, name);
      const known =
        members.get(name) ?? listMember(pointer, schema, (pattern) => matches(pattern, name), name);
      members.set(name, known);
      return known;
    },
    matches: (text) => typeof schema.pattern !== 'string' || matches(schema.pattern, text),
  };

  function matches(pattern: string, text: string): boolean {
    const known = patterns.has(pattern) ? patterns.get(pattern) : readPattern(pattern);
    patterns.set(pattern, known);
    return known === undefined || known.match(text, mostSteps) === true;
  }
}

/** Steps that one of many texts is worth. */
const mostSteps = 2 ** 22;

function listUnions(pointer: string, schema: JsonObject): readonly Union[] {
  const lists = ['oneOf', 'anyOf'].flatMap((name) => {
    const branches = listOf(schema[name]);
    if (branches.length === 0) return [];
    const at = appendPointer(pointer, name);
    return [{ pointer: at, branches: branches.map((_one, index) => [appendPointer(at, index)]) }];
  });
  if (schema.if === undefined) return lists;
  const part = (name: string): readonly string[] =>
    schema[name] === undefined ? [] : [appendPointer(pointer, name)];
  return [
    ...lists,
    {
      pointer: appendPointer(pointer, 'if'),
      branches: [[...part('if'), ...part('then')], part('else')],
    },
  ];
}

const intricateKeywords = [
  'not',
  'dependentSchemas',
  'dependentRequired',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'minProperties',
  'maxProperties',
] as const;

const noPointers: readonly string[] = [];

const noMatches = (): boolean => false;

function listMember(
  pointer: string,
  schema: JsonObject,
  matches: (pattern: string) => boolean,
  name: string,
): readonly string[] {
  const { properties, patternProperties } = schema;
  const named =
    isJsonObject(properties) && Object.hasOwn(properties, name)
      ? [appendPointer(pointer, 'properties', name)]
      : noPointers;
  if (!isJsonObject(patternProperties)) return named;
  const patterned = Object.keys(patternProperties)
    .filter(matches)
    .map((pattern) => appendPointer(pointer, 'patternProperties', pattern));
  return [...named, ...patterned];
}

export function requiredOf(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(
    parts.flatMap(({ schema }) =>
      listOf(schema.required).filter((name) => typeof name === 'string'),
    ),
  );
}

/** The schemas of a member by its name; undefined where none may be there. */
export function memberPointers(
  parts: readonly Part[],
  name: string,
): readonly string[] | undefined {
  const found = new Set<string>();
  const isKnown = parts.some((part) => part.member(name).length > 0);
  for (const part of parts) {
    const own = part.member(name);
    const { additionalProperties: further, unevaluatedProperties: unevaluated } = part.schema;
    for (const pointer of own) found.add(pointer);
    if (own.length === 0 && further === false) return undefined;
    if (own.length === 0 && isJsonObject(further))
      found.add(appendPointer(part.pointer, 'additionalProperties'));
    const isEvaluated = isKnown || further !== undefined;
    if (!isEvaluated && unevaluated === false) return undefined;
    if (!isEvaluated && isJsonObject(unevaluated))
      found.add(appendPointer(part.pointer, 'unevaluatedProperties'));
  }
  return [...found];
}

/** A pattern; undefined where it is none. */
function readPattern(pattern: string): Pattern | undefined {
  for (const flags of ['u', '']) {
    try {
      return createPattern(pattern, flags);
    } catch {}
  }
  return undefined;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}
