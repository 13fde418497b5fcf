import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, listOf } from '../json/value.ts';
import { namesOf } from '../schema/keyword/required.ts';
import { maxProperties, minProperties } from '../schema/keyword/count.ts';
import { discriminatorValues } from './discriminator.ts';
import type { Built, Place, SampleMaker } from './place.ts';
import { listPatternTexts } from './pattern-text.ts';
import { createDraw } from './random.ts';
import { type Part, requiredOf } from './schema-view.ts';

/** Members of a generated object that are not required. */
export const mostSampleMembers = 1_000;

/** An object that fits the parts; undefined where a required member cannot be made. */
export function buildObject(
  parts: readonly Part[],
  place: Place,
  maker: SampleMaker,
): Built | undefined {
  const schemas = parts.map(({ schema }) => schema);
  const least = minProperties.limit(schemas)?.value ?? 0;
  const most = maxProperties.limit(schemas)?.value ?? Infinity;
  const hints = discriminatorValues(parts, maker.view);
  const isSent = (name: string): boolean => hints.has(name) || !isHidden(parts, name, maker);
  const asked = withDependents(requiredOf(parts), parts);
  const isRequest = maker.view.direction === 'request';
  const required = isRequest ? new Set([...asked].filter(isSent)) : asked;
  const added = dependentPointers(parts, required);
  if (added.length > 0)
    return maker.build([...parts.map(({ pointer }) => pointer), ...added], place);
  const declared = declaredNames(parts);
  const isDeclared = new Set(declared);
  const isAll = maker.isWhole(place);
  const isMissed = least > required.size;
  const optional: string[] = [];
  for (const name of isAll || isMissed ? declared : []) {
    if (optional.length === mostSampleMembers || maker.budget.left < 0) break;
    if (!required.has(name) && isSent(name) && isOptional(name, parts, isDeclared))
      optional.push(name);
  }
  const isMade = new Set(isAll ? [...required, ...optional] : required);
  const allowance = Math.floor((place.allowance - isMade.size) / Math.max(1, isMade.size));
  const members = new Map<string, JsonValue>();
  let isSound = required.size <= most;
  let left = required.size;
  for (const name of new Set([...declared.filter((one) => isMade.has(one)), ...required])) {
    const isRequired = required.has(name);
    if (isRequired) left -= 1;
    else if (members.size + left >= most) continue;
    const made = makeMember(name);
    if (made === undefined && isRequired) return undefined;
    if (made === undefined || (!made.isSound && !isRequired)) continue;
    isSound &&= made.isSound;
    members.set(name, made.value);
  }
  // A map has one member, so that it shows what it holds.
  const isMap = isAll && isMade.size === 0 && schemas.some(isMapSchema);
  const target = Math.min(most, Math.max(least, isMap ? 1 : 0), 1000);
  for (const name of members.size < target ? listFurther() : []) {
    const made = members.has(name) ? undefined : makeMember(name);
    if (made === undefined || (!made.isSound && members.size >= least)) continue;
    isSound &&= made.isSound;
    members.set(name, made.value);
    if (members.size >= target) break;
  }
  return { value: Object.fromEntries(members), isSound: isSound && members.size >= least };

  function makeMember(name: string): Built | undefined {
    const pointers = maker.view.memberPointers(parts, name);
    if (pointers === undefined) return undefined;
    const wanted = place.pointer === '' ? maker.wanted.get(name) : undefined;
    const known = [...(wanted === undefined ? [] : [wanted]), ...(hints.get(name) ?? [])];
    const fitting = known.find((value) => maker.view.fits(pointers, value));
    return fitting === undefined
      ? maker.build(pointers, {
          ...place,
          pointer: appendPointer(place.pointer, name),
          name,
          allowance: Math.min(allowance, place.allowance),
        })
      : { value: fitting, isSound: true };
  }

  function* listFurther(): Generator<string> {
    yield* optional;
    yield* inventNames(parts, maker, place);
  }
}

/** Whether the direction does not carry a member. */
function isHidden(parts: readonly Part[], name: string, { view }: SampleMaker): boolean {
  const flag = view.direction === 'request' ? 'readOnly' : 'writeOnly';
  const pointers = view.memberPointers(parts, name);
  const members = pointers && view.parts(pointers);
  return members?.some(({ schema }) => schema[flag] === true) ?? false;
}

/** Whether a member asks for no more than what is declared, and nothing forbids it. */
function isOptional(name: string, parts: readonly Part[], declared: ReadonlySet<string>): boolean {
  if (parts.some((part) => forbiddenNames(part).includes(name))) return false;
  const asked = withDependents(new Set([name]), parts);
  return asked.size === 1 || [...asked].every((one) => declared.has(one));
}

function isMapSchema({ additionalProperties, patternProperties }: JsonObject): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}

function declaredNames(parts: readonly Part[]): readonly string[] {
  const names = parts.flatMap(({ schema: { properties } }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
  return [...new Set(names)];
}

/** Names that `not: {required: [name]}` keeps out. */
function forbiddenNames({ schema: { not } }: Part): readonly JsonValue[] {
  if (!isJsonObject(not)) return [];
  const alternatives = [not, ...listOf(not.anyOf).filter(isJsonObject)];
  return alternatives.flatMap(({ required }) =>
    listOf(required).length === 1 ? listOf(required) : [],
  );
}

/** Names and all that `dependentRequired` asks for with them. */
function withDependents(names: ReadonlySet<string>, parts: readonly Part[]): ReadonlySet<string> {
  const all = new Set(names);
  for (const name of all) {
    for (const { schema } of parts) {
      const { dependentRequired } = schema;
      if (!isJsonObject(dependentRequired) || !Object.hasOwn(dependentRequired, name)) continue;
      for (const other of namesOf(dependentRequired[name])) all.add(other);
    }
  }
  return all;
}

/** Schemas that the presence of members adds, as far as the parts do not have them. */
function dependentPointers(parts: readonly Part[], names: ReadonlySet<string>): readonly string[] {
  return parts.flatMap(({ pointer, schema: { dependentSchemas } }) =>
    Object.keys(isJsonObject(dependentSchemas) ? dependentSchemas : {})
      .filter((name) => names.has(name))
      .map((name) => appendPointer(pointer, 'dependentSchemas', name))
      .filter((at) => parts.every((part) => part.pointer !== at)),
  );
}

/** Names for members that no schema names. */
function* inventNames(parts: readonly Part[], maker: SampleMaker, place: Place): Generator<string> {
  const rules = parts.flatMap(({ pointer, schema }) =>
    schema.propertyNames === undefined ? [] : [appendPointer(pointer, 'propertyNames')],
  );
  const isAllowed = (name: string): boolean => rules.length === 0 || maker.view.fits(rules, name);
  for (const rule of maker.view.parts(rules) ?? []) yield* namesOf(rule.schema.enum);
  for (let index = 0; rules.length > 0 && index < 40; index += 1) {
    const pointer = appendPointer(place.pointer, `name ${index}`);
    const made = maker.build(rules, {
      ...place,
      pointer,
      name: `key${index}`,
      isRepeated: index > 0,
    });
    if (typeof made?.value === 'string' && isAllowed(made.value)) yield made.value;
  }
  for (const [source] of parts.flatMap(({ patterns }) => patterns))
    for (const name of listPatternTexts(source, { min: 0, max: Infinity }, createDraw(source)).take(
      20,
    ))
      if (isAllowed(name)) yield name;
  for (let index = 1; index < 2000; index += 1) if (isAllowed(`key${index}`)) yield `key${index}`;
}
