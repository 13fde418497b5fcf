import { isJsonObject, type JsonValue } from '../json/value.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import { allowedTypes } from '../schema/keyword/type.ts';
import { everyType, type JsonType } from '../schema/keyword/value-kind.ts';
import { buildArray } from './array.ts';
import { deviate } from './deviation.ts';
import { buildObject } from './object.ts';
import type { Built, Place, SampleMaker } from './place.ts';
import { isIntricate, type Part, type SampleBudget, type SchemaView } from './schema-view.ts';
import { isVaried, listShown } from './shown.ts';
import { listNumbers } from './number.ts';
import { createDraw, type Draw, rotate } from './random.ts';
import { listTexts } from './text.ts';

/** How often a schema may be made within itself, and schemas within one another. */
const mostTurns = 3;
const mostDepth = 60;

/** Ways in which an object or an array is made. */
const mostWays = 4;

/** Scalars that one type is tried with. */
const mostScalars = 500;

export interface SamplerOptions {
  readonly members: 'all' | 'required';
  readonly wanted: ReadonlyMap<string, JsonValue>;
  readonly seed: string | undefined;
}

/** Makes one sample: each value by plain recursion, checked by the validator. */
export class Sampler implements SampleMaker {
  readonly view: SchemaView;
  readonly members: 'all' | 'required';
  readonly wanted: ReadonlyMap<string, JsonValue>;
  readonly budget: SampleBudget;
  readonly #seed: string | undefined;

  constructor(view: SchemaView, budget: SampleBudget, { members, wanted, seed }: SamplerOptions) {
    this.view = view;
    this.budget = budget;
    this.members = members;
    this.wanted = wanted;
    this.#seed = seed;
  }

  draw({ pointer, way, isRepeated }: Place): Draw | undefined {
    const isPlain = this.#seed === undefined && way < 2 && !isRepeated;
    return isPlain ? undefined : createDraw(`${this.#seed ?? ''} ${pointer} ${way}`);
  }

  isWhole({ allowance, way }: Place): boolean {
    return allowance > 0 && (this.members === 'all') === (way % 2 === 0);
  }

  build(pointers: readonly string[], place: Place): Built | undefined {
    this.budget.left -= 1;
    if (this.budget.left < 0) return { value: null, isSound: false };
    const key = pointers.join(' ');
    const turns = place.around.filter((one) => one === key).length;
    if (turns >= mostTurns || place.around.length > mostDepth) return undefined;
    const inside = {
      ...place,
      around: [...place.around, key],
      allowance: turns > 0 ? 0 : place.allowance,
    };
    const conjunctions = this.view
      .conjunctions(pointers)
      .toSorted((one, other) => rank(one, inside) - rank(other, inside));
    let best: Built | undefined;
    for (const parts of conjunctions) {
      const built = this.#buildOf(parts, pointers, inside);
      if (built?.isSound === true) return built;
      best ??= built;
    }
    return best;
  }

  #buildOf(parts: readonly Part[], pointers: readonly string[], place: Place): Built | undefined {
    const draw = this.draw(place);
    const values = enumeration.limit(parts.map(({ schema }) => schema))?.value;
    const shown = listShown(parts, pointers, place, this);
    if (values !== undefined)
      return this.#choose(
        [...shown, ...(draw === undefined ? values : rotate(values, draw))],
        pointers,
      );
    const known = shown.length === 0 ? undefined : this.#choose(shown, pointers);
    const isDrawnFirst = draw !== undefined && isVaried(parts, place.name);
    if (known?.isSound === true && !isDrawnFirst) return known;
    let best: Built | undefined;
    for (const type of listTypes(parts, place.allowance > 0)) {
      const built =
        type === 'object' || type === 'array'
          ? this.#buildStructure(type, parts, pointers, place)
          : this.#choose(listScalars(type, parts, place, this), pointers);
      if (built?.isSound === true) return built;
      best ??= built;
    }
    return known?.isSound === true ? known : best;
  }

  /** The first value that fits, else the first. */
  #choose(values: Iterable<JsonValue>, pointers: readonly string[]): Built | undefined {
    let first: Built | undefined;
    let tries = 0;
    for (const value of values) {
      if (this.view.fits(pointers, value)) return { value, isSound: true };
      first ??= { value, isSound: false };
      tries += 1;
      if (tries === mostScalars) break;
    }
    return first;
  }

  #buildStructure(
    type: 'object' | 'array',
    parts: readonly Part[],
    pointers: readonly string[],
    place: Place,
  ): Built | undefined {
    const make = type === 'object' ? buildObject : buildArray;
    if (!isIntricate(parts)) return make(parts, place, this);
    let best: Built | undefined;
    for (let way = 0; way < mostWays && this.budget.left > 0; way += 1) {
      const built = make(parts, { ...place, way: place.way * mostWays + way }, this);
      if (built === undefined) continue;
      if (this.view.fits(pointers, built.value)) return { ...built, isSound: true };
      const changed = isJsonObject(built.value)
        ? deviate(built.value, parts, this.view)
        : built.value;
      if (changed !== built.value && this.view.fits(pointers, changed))
        return { value: changed, isSound: true };
      best ??= { ...built, isSound: false };
    }
    return best;
  }
}

function* listScalars(
  type: Exclude<JsonType, 'object' | 'array'>,
  parts: readonly Part[],
  place: Place,
  sampler: SampleMaker,
): Generator<JsonValue> {
  const draw = sampler.draw(place);
  if (type === 'string') yield* listTexts(parts, place, draw, sampler.budget);
  else if (type === 'null') yield null;
  else if (type === 'boolean')
    yield* draw === undefined ? [true, false] : rotate([true, false], draw);
  else yield* listNumbers(parts, type === 'integer', place, draw);
}

/** Branches in the order in which they are tried: where little is made, those that take least first. */
function rank(parts: readonly Part[], { allowance }: Place): number {
  const [likeliest = 'string'] = listTypes(parts, allowance > 0);
  return allowance > 0 ? Number(likeliest === 'null') : weights[likeliest];
}

/** From what takes least to what takes most. */
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
function listTypes(parts: readonly Part[], isAmple: boolean): readonly JsonType[] {
  const allowed = allowedTypes(parts.map(({ schema }) => schema));
  const stated = allowed ?? [...new Set([...impliedTypes(parts), ...everyType])];
  const types = stated.filter((one) => one !== 'integer' || !stated.includes('number') || !isAmple);
  if (!isAmple) return types.toSorted((one, other) => weights[one] - weights[other]);
  return types.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'));
}

/** The types that keywords are about where `type` is not there; text where they are about none. */
function impliedTypes(parts: readonly Part[]): readonly JsonType[] {
  const found = everyType.filter((one) =>
    impliedBy[one]?.some((name) => parts.some(({ schema }) => schema[name] !== undefined)),
  );
  return found.length === 0 ? ['string'] : found;
}

const impliedBy: Readonly<Partial<Record<JsonType, readonly string[]>>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems'],
  string: ['pattern', 'minLength', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
