import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonType, everyType } from '../schema/keyword/value-kind.ts';
import { enumeration } from '../schema/keyword/any/enum.ts';
import { type } from '../schema/keyword/any/type.ts';
import { buildArray } from './array.ts';
import { listOf, type Part, requiredOf } from './view/part.ts';
import type { Conjunction } from './view/schema-view.ts';
import { deviate } from './deviation.ts';
import { listNumbers } from './scalar/number.ts';
import { buildObject } from './object.ts';
import type { Built, Place, Workshop } from './place.ts';
import { rotate } from './scalar/random.ts';
import { fitsScalar } from './scalar/scalar-fit.ts';
import { listTexts } from './scalar/text.ts';

/** What a workshop is opened with. */
export interface WorkshopOptions extends Omit<Workshop, 'build' | 'isWhole'> {
  /** Optional members too, or required ones alone. */
  readonly members: 'all' | 'required';
  /** Judges each value that its parts alone do not settle, and tries on where it does not fit. */
  readonly isCareful: boolean;
  /** Values that may be made. */
  readonly steps: number;
}

/** How often a schema may be made within itself. */
const mostTurns = 3;

/** Choices that are ordered by what is likeliest. */
const mostRanked = 24;

/** Ways in which an object or an array is made: with optional members and without, drawn anew. */
const mostWays = 4;

/** Values tried at one place. */
const mostTries = 40;

/** Opens a workshop for one sample, which ends when its steps are used up. */
export function openWorkshop(options: WorkshopOptions): Workshop {
  const { view, formats, isCareful } = options;
  let steps = options.steps;
  const workshop: Workshop = { ...options, build, isWhole };
  return workshop;

  function build(pointers: readonly string[], place: Place): Built | undefined {
    steps -= 1;
    if (steps < 0) return { value: null, isSound: false };
    const key = pointers.join(' ');
    const turns = place.around.filter((one) => one === key).length;
    if (turns >= mostTurns || place.around.length > 60) return undefined;
    const inside = {
      ...place,
      around: [...place.around, key],
      allowance: turns > 0 ? 0 : place.allowance,
    };
    let best: Built | undefined;
    let tries = 0;
    for (const built of listBuilt(pointers, inside)) {
      if (built.isSound) return built;
      best ??= built;
      tries += 1;
      if (!isCareful || tries >= mostTries || steps < 0) break;
    }
    return best;
  }

  function* listBuilt(pointers: readonly string[], place: Place): Generator<Built> {
    for (const conjunction of orderedConjunctions(pointers, place)) {
      for (const built of listFor(conjunction, pointers, place)) {
        const isDoubtful = isCareful && conjunction.isIntricate && built.isSound;
        if (!isDoubtful || view.fits(pointers, built.value)) {
          yield built;
          continue;
        }
        yield { ...built, isSound: false };
        if (!isJsonObject(built.value)) continue;
        const value = deviate(built.value, conjunction, view);
        if (value !== built.value && view.fits(pointers, value)) yield { value, isSound: true };
      }
    }
  }

  function* orderedConjunctions(
    pointers: readonly string[],
    { allowance }: Place,
  ): Generator<Conjunction> {
    const rank = ({ parts }: Conjunction): number => {
      const [likeliest = 'string'] = typesOf(parts, allowance > 0);
      return allowance > 0 ? Number(likeliest === 'null') : weights[likeliest];
    };
    const first = [...view.conjunctions(pointers).take(mostRanked)];
    yield* first.toSorted((one, other) => rank(one) - rank(other));
    if (first.length === mostRanked) yield* view.conjunctions(pointers).drop(mostRanked);
  }

  function* listFor(
    conjunction: Conjunction,
    pointers: readonly string[],
    place: Place,
  ): Generator<Built> {
    const { parts } = conjunction;
    const draw = options.draw(place);
    for (const value of knownValues(parts, place))
      if (isScalar(value) ? fitsAlone(value, parts) : view.fits(pointers, value))
        yield { value, isSound: true };
    const values = enumeration.limit(parts.map(({ schema }) => schema))?.value;
    if (values !== undefined) {
      const lawful = values.filter((value) => !isScalar(value) || fitsAlone(value, parts));
      const ordered = draw === undefined ? lawful : rotate(lawful, draw);
      for (const value of ordered) yield { value, isSound: true };
      if (lawful.length === 0) for (const value of values) yield { value, isSound: false };
      return;
    }
    for (const one of typesOf(parts, place.allowance > 0)) {
      if (one === 'object' || one === 'array') {
        const make = one === 'object' ? buildObject : buildArray;
        const ways = isCareful && conjunction.isIntricate ? mostWays : 1;
        for (let way = 0; way < ways; way += 1) {
          const variant = place.variant * mostWays + way;
          const built = make(conjunction, { ...place, variant }, workshop);
          if (built !== undefined) yield built;
        }
      } else {
        let misfit: JsonValue | undefined;
        let found = 0;
        for (const value of listScalars(one, parts, place)) {
          misfit ??= value;
          if (!fitsAlone(value, parts)) continue;
          yield { value, isSound: true };
          found += 1;
          if (found > 6) break;
        }
        if (found === 0 && misfit !== undefined) yield { value: misfit, isSound: false };
      }
    }
  }

  function fitsAlone(value: JsonValue, parts: readonly Part[]): boolean {
    const types = type.limit(parts.map(({ schema }) => schema))?.value ?? everyType;
    return types.some((one) => isOfType(value, one)) && fitsScalar(value, parts, formats);
  }

  function listScalars(
    one: Exclude<JsonType, 'object' | 'array'>,
    parts: readonly Part[],
    place: Place,
  ): Iterable<JsonValue> {
    const draw = options.draw(place);
    if (one === 'string') return listTexts(parts, place.name, draw);
    if (one === 'null') return [null];
    if (one === 'boolean') return draw === undefined ? [true, false] : rotate([true, false], draw);
    return listNumbers(parts, one === 'integer', draw);
  }

  /** What the schemas show themselves, as far as the sample may have it. */
  function knownValues(parts: readonly Part[], place: Place): readonly JsonValue[] {
    const shown = parts.flatMap(({ schema: { example, examples, default: usual } }) =>
      [example, ...listOf(examples), usual].filter((value) => value !== undefined),
    );
    const draw = options.draw(place);
    const some = shown.map((value) =>
      isJsonObject(value) ? withWanted(value, parts, place) : value,
    );
    return draw === undefined ? some : rotate(some, draw);
  }

  function withWanted(value: JsonObject, parts: readonly Part[], place: Place): JsonObject {
    const required = requiredOf(parts);
    const kept =
      options.members === 'all'
        ? value
        : Object.fromEntries(Object.entries(value).filter(([name]) => required.has(name)));
    return place.pointer === '' ? { ...kept, ...wantedOf(parts) } : kept;
  }

  function wantedOf(parts: readonly Part[]): JsonObject {
    const isDeclared = (name: string): boolean =>
      parts.some(
        ({ schema: { properties } }) => isJsonObject(properties) && Object.hasOwn(properties, name),
      );
    return Object.fromEntries([...options.wanted].filter(([name]) => isDeclared(name)));
  }

  function isWhole({ allowance, variant }: Place): boolean {
    return allowance > 0 && (options.members === 'all') === (variant % 2 === 0);
  }
}

const weights: Readonly<Record<JsonType, number>> = {
  null: 0,
  boolean: 1,
  integer: 1,
  number: 1,
  string: 1,
  array: 2,
  object: 3,
};

/** The types to try, the likeliest first. `isAmple`: more than the least is made. */
function typesOf(parts: readonly Part[], isAmple: boolean): readonly JsonType[] {
  const schemas = parts.map(({ schema }) => schema);
  const allowed = type.limit(schemas)?.value;
  const told = allowed ?? [...new Set([...impliedTypes(parts), ...everyType])];
  const types = told.filter((one) => one !== 'integer' || !told.includes('number') || !isAmple);
  if (!isAmple) return types.toSorted((one, other) => weights[one] - weights[other]);
  return types.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'));
}

/** The types that keywords speak of where `type` does not; text where they speak of none. */
function impliedTypes(parts: readonly Part[]): readonly JsonType[] {
  const found = new Set<JsonType>();
  for (const { schema } of parts)
    for (const [name, one] of Object.entries(impliedBy))
      if (schema[name] !== undefined) found.add(one);
  return found.size === 0 ? ['string'] : [...found];
}

const impliedBy: Readonly<Record<string, JsonType>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  unevaluatedProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  contains: 'array',
  minItems: 'array',
  pattern: 'string',
  minLength: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
};

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

function isOfType(value: JsonValue, one: JsonType): boolean {
  if (typeof value === 'bigint') return one === 'integer' || one === 'number';
  if (typeof value === 'number')
    return one === 'number' || (one === 'integer' && Number.isInteger(value));
  return value === null ? one === 'null' : typeof value === one;
}
