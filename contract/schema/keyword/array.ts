import { isJsonArray, listOf } from '../../json/value.ts';
import { eachItem, judgeUnevaluated } from './judging.ts';
import type { Keyword } from './keyword.ts';

export const items: readonly Keyword[] = [
  {
    /** JSON Schema Core, section 10.3.1.2. */
    name: 'items',
    takes: 'schema',
    judge: (place) => {
      const judgeItem = place.subschema(place.value);
      const start = listOf(place.schema.prefixItems).length;
      return eachItem((index, item, judging, evaluated) => {
        if (index >= start) judging.judgeWithin(index, judgeItem, item, evaluated);
      });
    },
  },
  {
    /** JSON Schema Core, section 10.3.1.1. */
    name: 'prefixItems',
    takes: 'schemas',
    judge: (place) => {
      const judges = place.subschemas().map(([, judge]) => judge);
      return eachItem((index, item, judging, evaluated) => {
        const judge = judges[index];
        if (judge !== undefined) judging.judgeWithin(index, judge, item, evaluated);
      });
    },
  },
  {
    /** JSON Schema Core, section 10.3.1.3, and Validation, sections 6.4.4 and 6.4.5. */
    name: 'contains',
    takes: 'schema',
    judge: (place) => {
      const judgeItem = place.subschema(place.value);
      const { minContains = 1, maxContains = Infinity } = place.schema;
      return (value, judging, evaluated) => {
        if (!isJsonArray(value)) return;
        let count = 0;
        for (const [index, item] of value.entries()) {
          const found = judging.judgeApart(judgeItem, item);
          if (found === undefined) return;
          if (found.length > 0) continue;
          evaluated?.add(index);
          count += 1;
        }
        if (count < Number(minContains) || count > Number(maxContains))
          place.refuse(
            judging,
            () => 'must have as many items that fit "contains" as the schema says',
          );
      };
    },
  },
  { name: 'minContains', takes: 'count' },
  { name: 'maxContains', takes: 'count' },
  /** JSON Schema Core, section 11.2. */
  {
    name: 'unevaluatedItems',
    takes: 'schema',
    judge: (place) => judgeUnevaluated(place, eachItem),
  },
];
