import { addAll } from '../../list/list.ts';
import { appendPointer } from '../../json/pointer.ts';
import { isJsonObject, listOf, ownMember, type JsonValue } from '../../json/value.ts';
import { Evaluated, type Flaw, type Judge, type Judging } from './judging.ts';
import type { Keyword, KeywordPlace } from './keyword.ts';
import { renderAlternatives } from './wording.ts';

/** JSON Schema Core, section 10.2.1.1. The keywords of its schemas report what is wrong. */
export const allOf: Keyword = {
  name: 'allOf',
  takes: 'schemas',
  isInPlace: true,
  judge: (place) => {
    const branches = compileBranches(place);
    return (value, judging, evaluated) => {
      let flaws: Flaw[] | undefined;
      for (const branch of branches) {
        const found = branch(value, judging, evaluated);
        if (found !== undefined) addAll((flaws ??= []), found);
      }
      return flaws;
    };
  },
};

/** JSON Schema Core, section 10.2.1.2. */
export const anyOf: Keyword = {
  name: 'anyOf',
  takes: 'schemas',
  isInPlace: true,
  judge: (place) => {
    const branches = compileBranches(place);
    return withDiscriminator(place, branches, (value, judging, evaluated) => {
      const refused: Flaw[] = [];
      let isFit = false;
      for (const branch of branches) {
        const found = judgeApart(branch, value, judging, evaluated);
        if (found === undefined && evaluated === undefined) return undefined;
        isFit ||= found === undefined;
        addAll(refused, found ?? []);
      }
      return isFit
        ? undefined
        : place.flaw(
            () => `must fit at least one of ${renderAlternatives(branches.length, refused)}`,
          );
    });
  },
};

/**
 * JSON Schema Core, section 10.2.1.3. Branches beside a discriminator may overlap, as it chooses
 * among them.
 */
export const oneOf: Keyword = {
  name: 'oneOf',
  takes: 'schemas',
  isInPlace: true,
  judge: (place) => {
    const branches = compileBranches(place);
    const mostPassing = discriminatorOf(place) === undefined ? 1 : Infinity;
    return withDiscriminator(place, branches, (value, judging, evaluated) => {
      const { doubts } = judging;
      const refused: Flaw[] = [];
      const passing: number[] = [];
      for (const [index, branch] of branches.entries()) {
        const found = judgeApart(branch, value, judging, evaluated);
        if (found === undefined) passing.push(index + 1);
        else addAll(refused, found);
        if (passing.length > mostPassing) break;
      }
      const isFew = passing.length <= mostPassing;
      if (passing.length > 0 && (isFew || judging.doubts > doubts)) return undefined;
      return place.flaw(() =>
        passing.length === 0
          ? `must fit exactly one of ${renderAlternatives(branches.length, refused)}`
          : `must fit exactly one of ${renderAlternatives(branches.length, [])}, not both ${passing.join(' and ')}`,
      );
    });
  },
};

/** JSON Schema Core, section 10.2.1.4. */
export const not: Keyword = {
  name: 'not',
  takes: 'schema',
  isInPlace: true,
  judge: (place) => {
    const judge = place.subschema(place.value);
    return (value, judging) => {
      const { doubts } = judging;
      return judge(value, judging) === undefined && judging.doubts === doubts
        ? place.flaw(() => 'must not fit the schema under "not"')
        : undefined;
    };
  },
};

/** JSON Schema Core, section 10.2.2. `then` and `else` report what is wrong. */
export const condition: readonly Keyword[] = [
  {
    name: 'if',
    takes: 'schema',
    isInPlace: true,
    judge: (place) => {
      const test = place.subschema(place.value);
      const [positive, negative] = [place.sibling('then'), place.sibling('else')];
      return (value, judging, evaluated) => {
        const { doubts } = judging;
        const found = judgeApart(test, value, judging, evaluated);
        if (judging.doubts > doubts) return undefined;
        const next = found === undefined ? positive : negative;
        return next?.(value, judging, evaluated);
      };
    },
  },
  { name: 'then', takes: 'schema', isInPlace: true },
  { name: 'else', takes: 'schema', isInPlace: true },
];

function compileBranches(place: KeywordPlace): readonly Judge[] {
  return listOf(place.value).map((schema, index) => place.subschema(schema, index));
}

/** Judges by a branch whose flaws need not be flaws of the value; it evaluates where it fits. */
function judgeApart(
  branch: Judge,
  value: JsonValue,
  judging: Judging,
  evaluated: Evaluated | undefined,
): readonly Flaw[] | undefined {
  if (evaluated === undefined) return branch(value, judging);
  const own = new Evaluated();
  const found = branch(value, judging, own);
  if (found === undefined) evaluated.add(own);
  return found;
}

/**
 * A value that names its branch by the discriminator (OpenAPI 3.1, Discriminator Object) is judged
 * by that branch alone, others by all.
 */
function withDiscriminator(
  place: KeywordPlace,
  branches: readonly Judge[],
  judgeAll: Judge,
): Judge {
  const { propertyName, mapping } = discriminatorOf(place) ?? {};
  if (propertyName === undefined) return judgeAll;
  const chosen = mapBranches(place, branches, mapping);
  return (value, judging, evaluated) => {
    const name = isJsonObject(value) ? ownMember(value, propertyName) : undefined;
    const branch = typeof name === 'string' ? chosen.get(name) : undefined;
    return (branch ?? judgeAll)(value, judging, evaluated);
  };
}

function discriminatorOf({
  schema: { discriminator },
}: KeywordPlace): { readonly propertyName: string; readonly mapping?: JsonValue } | undefined {
  if (!isJsonObject(discriminator) || typeof discriminator.propertyName !== 'string')
    return undefined;
  const { propertyName, mapping = {} } = discriminator;
  return { propertyName, mapping };
}

/** Branches by the values that choose them: names of the mapping, and of the schemas. */
function mapBranches<Branch>(
  { value, target }: Pick<KeywordPlace, 'value' | 'target'>,
  branches: readonly Branch[],
  mapping: JsonValue | undefined,
): ReadonlyMap<string, Branch> {
  const byPointer = new Map<string, Branch>();
  for (const [index, schema] of listOf(value).entries()) {
    const reference = isJsonObject(schema) ? schema.$ref : undefined;
    const pointer = typeof reference === 'string' ? target(reference) : undefined;
    const branch = branches[index];
    if (pointer !== undefined && branch !== undefined) byPointer.set(pointer, branch);
  }
  const prefix = '#/components/schemas/';
  const chosen = new Map<string, Branch>();
  for (const [pointer, branch] of byPointer)
    if (pointer.startsWith(prefix)) chosen.set(pointer.slice(prefix.length), branch);
  for (const [name, to] of Object.entries(isJsonObject(mapping) ? mapping : {})) {
    if (typeof to !== 'string') continue;
    const pointer = to.includes('#') ? target(to) : appendPointer(prefix.slice(0, -1), to);
    const branch = byPointer.get(pointer ?? '');
    if (branch !== undefined) chosen.set(name, branch);
  }
  return chosen;
}
