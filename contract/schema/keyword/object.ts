import { appendPointer } from '../../json/pointer.ts';
import { isJsonObject, objectOf, ownMember, type JsonObject } from '../../json/value.ts';
import {
  eachMember,
  type Judge,
  type Judging,
  judgeUnevaluated,
  type KeywordPlace,
} from './judging.ts';
import type { Keyword } from './keyword.ts';
import { namesOf } from './merged-schema.ts';
import { renderShort } from './wording.ts';

/** JSON Schema Validation, sections 6.5.3 and 6.5.4. */
export const required: readonly Keyword[] = [
  {
    name: 'required',
    takes: 'names',
    facet: 'required',
    judge: (place) => {
      const names = namesOf(place.value);
      return (value, judging) => {
        if (isJsonObject(value)) refuseMissing(place, value, names, judging);
      };
    },
  },
  {
    name: 'dependentRequired',
    takes: 'names-map',
    judge: (place) => {
      const lists = Object.entries(objectOf(place.value)).map(
        ([name, names]) => [name, namesOf(names)] as const,
      );
      return (value, judging) => {
        if (!isJsonObject(value)) return;
        for (const [name, names] of lists)
          if (ownMember(value, name) !== undefined)
            refuseMissing(place, value, names, judging, ` beside ${renderShort(name)}`);
      };
    },
  },
];

function refuseMissing(
  place: KeywordPlace,
  object: JsonObject,
  names: readonly string[],
  judging: Judging,
  why = '',
): void {
  for (const name of names)
    if (ownMember(object, name) === undefined && !judging.mayLack(object, name))
      place.refuse(judging, () => `is required${why}`, appendPointer('', name));
}

export const properties: readonly Keyword[] = [
  {
    /** JSON Schema Core, section 10.3.2.1. */
    name: 'properties',
    takes: 'schema-map',
    judge: (place) => {
      const schemas = objectOf(place.value);
      // Compiled when a value has the member: a wide object may have tens of thousands.
      const judges = new Map<string, Judge>();
      return eachMember((name, member, judging, evaluated) => {
        let judge = judges.get(name);
        if (judge === undefined) {
          const schema = ownMember(schemas, name);
          if (schema === undefined) return;
          judges.set(name, (judge = place.subschema(schema, name)));
        }
        judging.judgeWithin(name, judge, member, evaluated);
      }, Object.keys(schemas));
    },
  },
  {
    /** JSON Schema Core, section 10.3.2.2. */
    name: 'patternProperties',
    takes: 'pattern-map',
    judge: (place) => {
      const rules = place
        .subschemas()
        .map(([source, judge]) => [place.pattern(source), judge] as const);
      return eachMember((name, member, judging, evaluated) => {
        judging.take(rules.length);
        for (const [expression, judge] of rules) {
          const isMatch = judging.matches(expression, name);
          if (isMatch !== false) evaluated?.add(name);
          if (isMatch === true) judging.judgeWithin(name, judge, member);
        }
      });
    },
  },
  {
    /** JSON Schema Core, section 10.2.2.4. */
    name: 'dependentSchemas',
    takes: 'schema-map',
    isInPlace: true,
    judge: (place) => {
      const rules = place.subschemas();
      return (value, judging, evaluated) => {
        if (!isJsonObject(value)) return;
        for (const [name, judge] of rules)
          if (ownMember(value, name) !== undefined) judge(value, judging, evaluated);
      };
    },
  },
  {
    /** JSON Schema Core, section 10.3.2.4. */
    name: 'propertyNames',
    takes: 'schema',
    judge: (place) => {
      const judge = place.subschema(place.value);
      const judgeName: Judge = (name, judging) => {
        for (const flaw of judging.judgeApart(judge, name) ?? [])
          judging.flaws.push(flaw.reword((message) => `has a name that ${message}`));
      };
      return eachMember((name, _member, judging) => judging.judgeWithin(name, judgeName, name));
    },
  },
];

/**
 * JSON Schema Core, section 10.3.2.3. Its limit applies to objects without additional members, whether
 * forbidden here or by `unevaluatedProperties`.
 */
export const additionalProperties: Keyword = {
  name: 'additionalProperties',
  takes: 'schema',
  facet: 'additional',
  judge: (place) => {
    const names = objectOf(place.schema.properties);
    const patterns = Object.keys(objectOf(place.schema.patternProperties)).map((source) =>
      place.pattern(source),
    );
    const judgeMember = place.subschema(place.value);
    return eachMember((name, member, judging, evaluated) => {
      evaluated?.add(name);
      if (Object.hasOwn(names, name)) return;
      judging.take(patterns.length);
      if (!patterns.some((expression) => judging.matches(expression, name) !== false))
        judging.judgeWithin(name, judgeMember, member);
    });
  },
  limit: ({ parts }) =>
    parts.some(({ schema: { additionalProperties: own, unevaluatedProperties: others } }) =>
      [own, others].includes(false),
    )
      ? { demand: 'has no additional members' }
      : undefined,
};

/** JSON Schema Core, section 11.3. */
export const unevaluatedProperties: Keyword = {
  name: 'unevaluatedProperties',
  takes: 'schema',
  facet: 'additional',
  judge: (place) => judgeUnevaluated(place, eachMember),
};
