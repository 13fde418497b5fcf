import { isJsonObject, type JsonValue } from '../json/value.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import type { JsonType } from '../schema/keyword/value-kind.ts';
import { buildArray } from './array.ts';
import { deviate } from './deviation.ts';
import { buildObject } from './object.ts';
import type { Built, Place, Workshop } from './place.ts';
import { listNumbers } from './scalar/number.ts';
import { rotate } from './scalar/random.ts';
import { fitsScalar } from './scalar/scalar-fit.ts';
import { listTexts, type TextBudget } from './scalar/text.ts';
import { isVaried, listShown } from './shown-value.ts';
import { createTypeTest, listTypes, weights } from './types.ts';
import type { Part } from './view/part.ts';
import type { Conjunction } from './view/schema-view.ts';

/** What a workshop is opened with. */
export interface WorkshopOptions extends Omit<Workshop, 'build' | 'isWhole'> {
  /** Judges each value that its parts alone do not settle, and tries on where it does not fit. */
  readonly isCareful: boolean;
  /** Values that may be made, counted down. */
  readonly budget: SampleBudget;
}

/** What making one sample may cost. */
export interface SampleBudget extends TextBudget {
  left: number;
  /** Schemas that a value was made of: the first costs nothing, as objects have any number of members. */
  readonly met: Set<string>;
}

/** How often a schema may be made within itself. */
const mostTurns = 3;

/** Choices that are ordered by what is likeliest. */
const mostRanked = 24;

/** Ways in which an object or an array is made: with optional members and without, drawn anew. */
const mostWays = 4;

/** Scalars that one type is tried with. */
const mostScalars = 7;

/** Values tried at one place. */
const mostTries = 40;

/** Members looked for among many parts that count as one value made. */
const lookupsInStep = 2_000;

/** Opens a workshop for one sample, which ends when its steps are used up. */
export function openWorkshop(options: WorkshopOptions): Workshop {
  const { view, isCareful, budget } = options;
  const workshop: Workshop = { ...options, build, isWhole };
  return workshop;

  function build(pointers: readonly string[], place: Place): Built | undefined {
    const key = pointers.join(' ');
    if (pointers.length > 1 || budget.met.has(key)) budget.left -= 1;
    else budget.met.add(key);
    if (budget.left < 0) return { value: null, isSound: false };
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
      if (!isCareful || tries >= mostTries || budget.left < 0) break;
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
      const [likeliest = 'string'] = listTypes(parts, allowance > 0);
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
    const isOfTypes = createTypeTest(parts);
    const fitsAlone = (value: JsonValue): boolean => isOfTypes(value) && fitsScalar(value, parts);
    const shown = listShown(parts, place, workshop).filter((value) =>
      isScalar(value) ? fitsAlone(value) : view.fits(pointers, value),
    );
    const isDrawnFirst = draw !== undefined && isVaried(parts, place.name);
    if (!isDrawnFirst) yield* shown.map(sound);
    const values = enumeration.limit(parts.map(({ schema }) => schema))?.value;
    if (values !== undefined) {
      const lawful = values.filter((value) => !isScalar(value) || fitsAlone(value));
      yield* (draw === undefined ? lawful : rotate(lawful, draw)).map(sound);
      if (lawful.length === 0) yield* values.map(unsound);
      return;
    }
    for (const one of listTypes(parts, place.allowance > 0)) {
      if (one === 'object' || one === 'array') {
        yield* listStructures(one === 'object' ? buildObject : buildArray, conjunction, place);
        continue;
      }
      let first: JsonValue | undefined;
      let fitting = 0;
      for (const value of listScalars(one, parts, place)) {
        first ??= value;
        if (!fitsAlone(value)) continue;
        yield sound(value);
        fitting += 1;
        if (fitting === mostScalars) break;
      }
      if (isDrawnFirst) yield* shown.map(sound);
      if (fitting === 0 && first !== undefined) yield unsound(first);
    }
  }

  function* listStructures(
    make: typeof buildObject,
    conjunction: Conjunction,
    place: Place,
  ): Generator<Built> {
    const ways = isCareful && conjunction.isIntricate ? mostWays : 1;
    for (let way = 0; way < ways; way += 1) {
      const variant = place.variant * mostWays + way;
      const built = make(conjunction, { ...place, variant }, workshop);
      // Each member of each part is looked for in all of them.
      budget.left -= Math.floor(conjunction.parts.length ** 2 / lookupsInStep);
      if (built !== undefined) yield built;
    }
  }

  function* listScalars(
    one: Exclude<JsonType, 'object' | 'array'>,
    parts: readonly Part[],
    place: Place,
  ): Generator<JsonValue> {
    const draw = options.draw(place);
    if (one === 'string') yield* listTexts(parts, place.name, draw, budget);
    else if (one === 'null') yield null;
    else if (one === 'boolean')
      yield* draw === undefined ? [true, false] : rotate([true, false], draw);
    else yield* listNumbers(parts, one === 'integer', draw);
  }

  function isWhole({ allowance, variant }: Place): boolean {
    return allowance > 0 && (options.members === 'all') === (variant % 2 === 0);
  }
}

function sound(value: JsonValue): Built {
  return { value, isSound: true };
}

function unsound(value: JsonValue): Built {
  return { value, isSound: false };
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}
