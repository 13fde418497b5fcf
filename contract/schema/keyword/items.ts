import { isJsonArray, listOf, type JsonValue } from '../../json/value.ts';
import type { Judge, Judging } from './judging.ts';
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
        if (!isJsonArray(value)) return;
        if (evaluated !== undefined) evaluated.items = Infinity;
        judgeFrom(start, value, judgeItem, judging);
      };
    },
  },
  {
    name: 'prefixItems',
    takes: 'schemas',
    judge: (place) => {
      const judges = listOf(place.value).map((schema, index) => place.subschema(schema, index));
      return (value, judging, evaluated) => {
        if (!isJsonArray(value)) return;
        if (evaluated !== undefined) evaluated.items = Math.max(evaluated.items, judges.length);
        for (const [index, judge] of judges.entries()) {
          const item = value[index];
          if (item !== undefined) judging.judgeWithin(index, judge, item);
        }
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
        if (!isJsonArray(value)) return;
        const { doubts } = judging;
        let count = 0;
        for (const [index, item] of value.entries()) {
          if (judging.judgeApart(judgeItem, item).length > 0) continue;
          evaluated?.contained.add(index);
          count += 1;
        }
        const isWithin = count >= Number(minContains) && count <= Number(maxContains);
        if (!isWithin && judging.doubts === doubts)
          place.refuse(
            judging,
            () => 'must have as many items that fit "contains" as the schema says',
          );
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
      if (!isJsonArray(value) || evaluated === undefined || judging.doubts > 0) return;
      const { items: start, contained } = evaluated;
      evaluated.items = Infinity;
      judgeFrom(start, value, judgeItem, judging, contained);
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
): void {
  for (let index = start; index < list.length; index += 1) {
    const item = list[index];
    if (item !== undefined && except?.has(index) !== true)
      judging.judgeWithin(index, judgeItem, item);
  }
}
