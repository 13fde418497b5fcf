import { addAll } from '../../list/list.ts';
import { appendPointer, canonicalFragment } from '../../json/pointer.ts';
import { isJsonObject, listOf, objectOf, ownMember, type JsonObject } from '../../json/value.ts';
import type { Flaw, Judge, KeywordPlace } from './judging.ts';
import type { Keyword } from './keyword.ts';
import { namedReasons, renderAlternatives } from './wording.ts';

export const branches: readonly Keyword[] = [
  {
    /** JSON Schema Core, section 10.2.1.4. */
    name: 'not',
    takes: 'schema',
    isInPlace: true,
    judge: (place) => {
      const judge = place.subschema(place.value);
      return (value, judging) => {
        if (judging.judgeApart(judge, value)?.length === 0)
          place.refuse(judging, () => 'must not fit the schema under "not"');
      };
    },
  },
  {
    /** JSON Schema Core, section 10.2.2. `then` and `else` report the errors. */
    name: 'if',
    takes: 'schema',
    isInPlace: true,
    judge: (place) => {
      const test = place.subschema(place.value);
      const [positive, negative] = [place.sibling('then'), place.sibling('else')];
      return (value, judging, evaluated) => {
        const found = judging.judgeApart(test, value, evaluated);
        if (found === undefined) return;
        (found.length === 0 ? positive : negative)?.(value, judging, evaluated);
      };
    },
  },
  { name: 'then', takes: 'schema', isInPlace: true },
  { name: 'else', takes: 'schema', isInPlace: true },
  {
    /** JSON Schema Core, section 10.2.1.1. The keywords of its schemas report the errors. */
    name: 'allOf',
    takes: 'schemas',
    isInPlace: true,
    judge: (place) => {
      const all = place.subschemas();
      return (value, judging, evaluated) => {
        for (const [, judge] of all) judge(value, judging, evaluated);
      };
    },
  },
  {
    /** JSON Schema Core, section 10.2.1.2. */
    name: 'anyOf',
    takes: 'schemas',
    isInPlace: true,
    judge: (place) => judgeUnion(place, 'at least one', Infinity),
  },
  {
    /**
     * JSON Schema Core, section 10.2.1.3. Branches with a discriminator may overlap, because it selects
     * one.
     */
    name: 'oneOf',
    takes: 'schemas',
    isInPlace: true,
    judge: (place) => {
      const { propertyName } = objectOf(place.schema.discriminator);
      return judgeUnion(place, 'exactly one', propertyName === undefined ? 1 : Infinity);
    },
  },
];

/**
 * `words`: how many branches must match; `most`: how many may. A value that names its branch by the
 * discriminator (OpenAPI 3.1, Discriminator Object) is judged only by that branch.
 */
function judgeUnion(place: KeywordPlace, words: string, most: number): Judge {
  const judges = place.subschemas().map(([, judge]) => judge);
  const chooseBranch = compileDiscriminator(place, judges);
  return (value, judging, evaluated) => {
    const chosen = chooseBranch?.(value);
    if (chosen !== undefined) return chosen(value, judging, evaluated);
    const refused: Flaw[] = [];
    const passing: number[] = [];
    for (const [index, branch] of judges.entries()) {
      const found = judging.judgeApart(branch, value, evaluated);
      if (found === undefined) return;
      if (found.length === 0) passing.push(index + 1);
      if (refused.length <= namedReasons) addAll(refused, found);
      if (passing.length > most) break;
      // Further branches reject nothing, but may evaluate members.
      if (passing.length > 0 && most === Infinity && evaluated === undefined) return;
    }
    const isFew = passing.length <= most;
    if (passing.length > 0 && isFew) return;
    place.refuse(judging, (at) => {
      const alternatives = renderAlternatives(judges.length, isFew ? refused : [], at);
      const both = isFew ? '' : `, not both ${passing.join(' and ')}`;
      return `must fit ${words} of ${alternatives}${both}`;
    });
  };
}

/** Finds the branch that a value names; undefined without a discriminator. */
function compileDiscriminator(
  { schema, value: union }: KeywordPlace,
  judges: readonly Judge[],
): ((value: unknown) => Judge | undefined) | undefined {
  const { propertyName, defaultMapping } = objectOf(schema.discriminator);
  if (typeof propertyName !== 'string') return undefined;
  const byPointer = new Map<string, Judge>();
  for (const [index, branch] of judges.entries()) {
    const { $ref: reference } = objectOf(listOf(union)[index]);
    if (typeof reference === 'string') byPointer.set(canonicalFragment(reference), branch);
  }
  // That of a value which names none (OpenAPI 3.2).
  const usual =
    typeof defaultMapping === 'string' ? byPointer.get(targetOf(defaultMapping) ?? '') : undefined;
  return (value) => {
    const name = isJsonObject(value) ? ownMember(value, propertyName) : undefined;
    const pointer = typeof name === 'string' ? mappedPointer(schema, name) : undefined;
    return (pointer === undefined ? undefined : byPointer.get(pointer)) ?? usual;
  };
}

/** The schema for a value of the discriminator: by the mapping, or by a component's name. */
export function mappedPointer({ discriminator }: JsonObject, name: string): string | undefined {
  const mapped = ownMember(objectOf(objectOf(discriminator).mapping), name);
  return typeof mapped === 'string'
    ? targetOf(mapped)
    : appendPointer('#/components/schemas', name);
}

/** The schema that a mapping names by a reference, or as a component. */
function targetOf(mapped: string): string | undefined {
  if (!mapped.includes('#')) return appendPointer('#/components/schemas', mapped);
  try {
    return canonicalFragment(mapped);
  } catch {
    return undefined;
  }
}
