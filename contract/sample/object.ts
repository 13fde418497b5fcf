import { documentLimits } from '../limits/index.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { maxProperties } from '../schema/keyword/count.ts';
import { minProperties } from '../schema/keyword/count.ts';
import { listOf, memberPointers, type Part, requiredOf } from './view/part.ts';
import type { Conjunction } from './view/schema-view.ts';
import { discriminatorValues } from './discriminator.ts';
import { listPatternTexts } from './scalar/pattern-text.ts';
import type { Built, Place, Workshop } from './place.ts';
import { createDraw } from './scalar/random.ts';

/** An object that fits the parts; undefined where a required member cannot be made. */
export function buildObject(
  { parts }: Conjunction,
  place: Place,
  workshop: Workshop,
): Built | undefined {
  const schemas = parts.map(({ schema }) => schema);
  const least = minProperties.limit(schemas)?.value ?? 0;
  const most = maxProperties.limit(schemas)?.value ?? Infinity;
  const required = withDependents(requiredOf(parts), parts);
  const added = dependentPointers(parts, required);
  if (added.length > 0)
    return workshop.build([...parts.map(({ pointer }) => pointer), ...added], place);
  const isAll = workshop.isWhole(place);
  const declared = declaredNames(parts);
  const optional = listOptional();
  const isMade = new Set(optional);
  const count = required.size + (isAll ? optional.length : 0);
  const allowance = Math.floor((place.allowance - count) / Math.max(1, count));
  const hints = discriminatorValues(parts, workshop.view);
  const members = new Map<string, JsonValue>();
  let isSound = required.size <= most;
  const names = new Set([
    ...(isAll ? declared.filter((name) => required.has(name) || isMade.has(name)) : []),
    ...required,
  ]);
  let left = required.size;
  for (const name of names) {
    const isRequired = required.has(name);
    if (isRequired) left -= 1;
    else if (members.size + left >= most) continue;
    const made = makeMember(name);
    if (made === undefined && isRequired) return undefined;
    if (made === undefined || (!made.isSound && !isRequired)) continue;
    isSound &&= made.isSound;
    members.set(name, made.value);
  }
  fill();
  return { value: Object.fromEntries(members), isSound: isSound && members.size >= least };

  function listOptional(): readonly string[] {
    const forbidden = new Set(parts.flatMap(forbiddenNames));
    let room: number = documentLimits.sampleMembers.most;
    return declared.filter((name) => {
      if (room === 0 || !isOptional(name, forbidden)) return false;
      room -= 1;
      return true;
    });
  }

  function isOptional(name: string, forbidden: ReadonlySet<string>): boolean {
    if (required.has(name) || forbidden.has(name)) return false;
    const pointers = memberPointers(parts, name);
    if (pointers === undefined || isHidden(pointers, workshop)) return false;
    return withDependents(new Set([name]), parts).size === 1 || isDependable(name);
  }

  /** Whether a member asks for no more than what is there anyway. */
  function isDependable(name: string): boolean {
    const asked = withDependents(new Set([name]), parts);
    return [...asked].every((one) => declared.includes(one));
  }

  function makeMember(name: string): Built | undefined {
    const pointers = memberPointers(parts, name);
    if (pointers === undefined) return undefined;
    const inside = {
      ...place,
      pointer: appendPointer(place.pointer, name),
      name,
      allowance: Math.min(allowance, place.allowance),
    };
    const wanted = place.pointer === '' ? workshop.wanted.get(name) : undefined;
    const known = [...(wanted === undefined ? [] : [wanted]), ...(hints.get(name) ?? [])];
    const fitting = known.find((value) => workshop.view.fits(pointers, value));
    return fitting === undefined
      ? workshop.build(pointers, inside)
      : { value: fitting, isSound: true };
  }

  /** Adds members until there are enough; to a map one, so that it shows what it holds. */
  function fill(): void {
    const isMap = isAll && names.size === 0 && parts.some(({ schema }) => isMapSchema(schema));
    const target = Math.min(most, Math.max(least, isMap ? 1 : 0), 1000);
    if (members.size >= target) return;
    for (const name of listFurther()) {
      if (members.size >= target) return;
      const made = members.has(name) ? undefined : makeMember(name);
      if (made === undefined || (!made.isSound && members.size >= least)) continue;
      isSound &&= made.isSound;
      members.set(name, made.value);
    }
  }

  function* listFurther(): Generator<string> {
    yield* optional;
    yield* inventNames(parts, workshop, place);
  }
}

/** Members that one direction does not carry. */
function isHidden(pointers: readonly string[], { view, direction }: Workshop): boolean {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  return view.parts(pointers)?.some(({ schema }) => schema[flag] === true) ?? true;
}

function isMapSchema({ additionalProperties, patternProperties }: JsonObject): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}

function declaredNames(parts: readonly Part[]): readonly string[] {
  return [
    ...new Set(
      parts.flatMap(({ schema: { properties } }) =>
        isJsonObject(properties) ? Object.keys(properties) : [],
      ),
    ),
  ];
}

/** Names that `not: {required: [name]}` keeps out. */
function forbiddenNames({ schema: { not } }: Part): readonly string[] {
  if (!isJsonObject(not)) return [];
  const alternatives = [not, ...listOf(not.anyOf).filter(isJsonObject)];
  return alternatives.flatMap(({ required }) =>
    listOf(required).length === 1
      ? listOf(required).filter((name) => typeof name === 'string')
      : [],
  );
}

/** Names and all that `dependentRequired` asks for with them. */
function withDependents(names: ReadonlySet<string>, parts: readonly Part[]): ReadonlySet<string> {
  const all = new Set(names);
  for (const name of all) {
    for (const { schema } of parts) {
      const { dependentRequired } = schema;
      if (!isJsonObject(dependentRequired) || !Object.hasOwn(dependentRequired, name)) continue;
      for (const other of listOf(dependentRequired[name]))
        if (typeof other === 'string') all.add(other);
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
function* inventNames(parts: readonly Part[], workshop: Workshop, place: Place): Generator<string> {
  const rules = parts.flatMap(({ pointer, schema }) =>
    schema.propertyNames === undefined ? [] : [appendPointer(pointer, 'propertyNames')],
  );
  const isLawful = (name: string): boolean => rules.length === 0 || workshop.view.fits(rules, name);
  for (const rule of workshop.view.parts(rules) ?? [])
    for (const name of listOf(rule.schema.enum)) if (typeof name === 'string') yield name;
  for (let index = 0; rules.length > 0 && index < 40; index += 1) {
    const pointer = appendPointer(place.pointer, `name ${index}`);
    const made = workshop.build(rules, { ...place, pointer, name: `key${index}` });
    if (typeof made?.value === 'string' && isLawful(made.value)) yield made.value;
  }
  for (const { schema } of parts) {
    for (const pattern of Object.keys(
      isJsonObject(schema.patternProperties) ? schema.patternProperties : {},
    )) {
      const texts = listPatternTexts(pattern, { min: 0, max: Infinity }, createDraw(pattern));
      for (let index = 0; index < 20; index += 1) {
        const name = texts.next().value;
        if (typeof name === 'string' && isLawful(name)) yield name;
      }
    }
  }
  for (let index = 1; index < 2000; index += 1) if (isLawful(`key${index}`)) yield `key${index}`;
}
