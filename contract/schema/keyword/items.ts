import { addAll } from '../../list/list.ts';
import { isJsonArray, listOf, type JsonValue } from '../../json/value.ts';
import { type Flaw, type Judge, type Judging, within } from './judging.ts';
import type { Keyword } from './keyword.ts';

/** JSON Schema Core, sections 10.3.1.1 and 10.3.1.2. */
export const items: readonly Keyword[] = [
  {
    name: 'items',
    takes: 'schema',
    judge: (place) => {
      const judgeItem = place.subschema(place.value);
      const start = listOf(place.schema.prefixItems).length;
      return (value, judging, evaluated) => {
        if (!isJsonArray(value)) return undefined;
        if (evaluated !== undefined) evaluated.items = Infinity;
        return judgeFrom(start, value, judgeItem, judging);
      };
    },
  },
  {
    name: 'prefixItems',
    takes: 'schemas',
    judge: (place) => {
      const judges = listOf(place.value).map((schema, index) => place.subschema(schema, index));
      return (value, judging, evaluated) => {
        if (!isJsonArray(value)) return undefined;
        if (evaluated !== undefined) evaluated.items = Math.max(evaluated.items, judges.length);
        const flaws: Flaw[] = [];
        for (const [index, item] of value.slice(0, judges.length).entries())
          addAll(flaws, within(judges[index]?.(item, judging) ?? [], index));
        return flaws.length === 0 ? undefined : flaws;
      };
    },
  },
];

/** JSON Schema Core, section 10.3.1.3, and Validation, sections 6.4.4 and 6.4.5. */
export const contains: readonly Keyword[] = [
  {
    name: 'contains',
    takes: 'schema',
    judge: (place) => {
      const judgeItem = place.subschema(place.value);
      const { minContains = 1, maxContains = Infinity } = place.schema;
      return (value, judging, evaluated) => {
        if (!isJsonArray(value)) return undefined;
        const { doubts } = judging;
        let count = 0;
        for (const [index, item] of value.entries()) {
          if (judgeItem(item, judging) !== undefined) continue;
          evaluated?.contained.add(index);
          count += 1;
        }
        return judging.doubts > doubts ||
          (count >= Number(minContains) && count <= Number(maxContains))
          ? undefined
          : place.flaw(() => 'must have as many items that fit "contains" as the schema says');
      };
    },
  },
  { name: 'minContains', takes: 'count' },
  { name: 'maxContains', takes: 'count' },
];

/** JSON Schema Core, section 11.2. */
export const unevaluatedItems: Keyword = {
  name: 'unevaluatedItems',
  takes: 'schema',
  judge: (place) => {
    const judgeItem = place.subschema(place.value);
    return (value, judging, evaluated) => {
      if (!isJsonArray(value) || evaluated === undefined || judging.doubts > 0) return undefined;
      const { items: start, contained } = evaluated;
      evaluated.items = Infinity;
      return judgeFrom(start, value, judgeItem, judging, contained);
    };
  },
};

/** Judges the items from an index on. */
function judgeFrom(
  start: number,
  list: readonly JsonValue[],
  judgeItem: Judge,
  judging: Judging,
  except?: ReadonlySet<number>,
): readonly Flaw[] | undefined {
  let flaws: Flaw[] | undefined;
  for (let index = start; index < list.length; index += 1) {
    const item = list[index];
    if (item === undefined || except?.has(index) === true) continue;
    const found = judgeItem(item, judging);
    if (found !== undefined) addAll((flaws ??= []), within(found, index));
  }
  return flaws;
}
