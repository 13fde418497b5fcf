import { isJsonObject, objectOf, ownMember, type JsonValue } from '../../json/value.ts';
import { createPattern, type Pattern } from '../../pattern/pattern.ts';
import type { Evaluated, Judge, Judging } from './judging.ts';
import { type Keyword, limitKeyword } from './keyword.ts';

/** Up to so many, declared members are looked for in a value; of more, its members in them. */
const fewMembers = 50;

/**
 * JSON Schema Core, section 10.3.2.1. A member is compiled when a value has it: a wide object may have
 * tens of thousands.
 */
const declared: Keyword = {
  name: 'properties',
  takes: 'schema-map',
  judge: (place) => {
    const schemas = objectOf(place.value);
    const names = Object.keys(schemas);
    const judges: Judge[] = [];
    const indexes = names.length > fewMembers && new Map(names.map((name, at) => [name, at]));
    return (value, judging, evaluated) => {
      if (!isJsonObject(value)) return;
      const listed = indexes ? Object.keys(value) : names;
      if (indexes) judging.take(listed.length);
      for (let at = 0; at < listed.length; at += 1) {
        const name = listed[at] ?? '';
        const index = indexes ? indexes.get(name) : at;
        const member = ownMember(value, name);
        if (index === undefined || member === undefined) continue;
        evaluated?.names.add(name);
        const judge = (judges[index] ??= place.subschema(schemas[name] ?? true, name));
        judging.judgeWithin(name, judge, member);
      }
    };
  },
};

/** JSON Schema Core, section 10.3.2.2. */
const patterned: Keyword = {
  name: 'patternProperties',
  takes: 'pattern-map',
  judge: (place) => {
    const rules = Object.entries(objectOf(place.value)).map(
      ([source, schema]) =>
        [createPattern(source), place.subschema(schema ?? true, source)] as const,
    );
    return eachMember((name, member, judging, evaluated) => {
      judging.take(rules.length);
      for (const [pattern, judge] of rules) {
        const isMatch = judging.matches(pattern, name);
        if (isMatch !== false) evaluated?.names.add(name);
        if (isMatch === true) judging.judgeWithin(name, judge, member);
      }
    });
  },
};

/**
 * JSON Schema Core, section 10.3.2.3. The shape shows false, be it said here or by
 * `unevaluatedProperties`.
 */
export const additionalProperties = limitKeyword(
  {
    name: 'additionalProperties',
    takes: 'schema',
    judge: (place) => {
      const names = objectOf(place.schema.properties);
      const patterns = Object.keys(objectOf(place.schema.patternProperties)).map(createPattern);
      const judgeMember = place.subschema(place.value);
      const judge = eachMember((name, member, judging) => {
        if (!Object.hasOwn(names, name) && !isCovered(patterns, name, judging))
          judging.judgeWithin(name, judgeMember, member);
      });
      return (value, judging, evaluated) => {
        if (evaluated !== undefined) evaluated.hasEveryName = true;
        judge(value, judging);
      };
    },
    facet: 'additional',
  },
  (parts) =>
    parts.some(({ schema }) =>
      [schema.additionalProperties, schema.unevaluatedProperties].includes(false),
    ) || undefined,
  () => ({ demand: 'has no additional members' }),
);

/** JSON Schema Core, section 10.2.2.4. */
const dependentSchemas: Keyword = {
  name: 'dependentSchemas',
  takes: 'schema-map',
  isInPlace: true,
  judge: (place) => {
    const rules = Object.entries(objectOf(place.value)).map(
      ([name, schema]) => [name, place.subschema(schema ?? true, name)] as const,
    );
    return (value, judging, evaluated) => {
      if (!isJsonObject(value)) return;
      for (const [name, judge] of rules)
        if (ownMember(value, name) !== undefined) judge(value, judging, evaluated);
    };
  },
};

/** JSON Schema Core, section 10.3.2.4. */
const propertyNames: Keyword = {
  name: 'propertyNames',
  takes: 'schema',
  judge: (place) => {
    const judge = place.subschema(place.value);
    const judgeName: Judge = (name, judging) => {
      for (const flaw of judging.judgeApart(judge, name))
        judging.flaws.push({ ...flaw, message: () => `has a name that ${flaw.message()}` });
    };
    return eachMember((name, _member, judging) => judging.judgeWithin(name, judgeName, name));
  },
};

/** JSON Schema Core, section 11.3. */
export const unevaluatedProperties: Keyword = {
  name: 'unevaluatedProperties',
  takes: 'schema',
  facet: 'additional',
  judge: (place) => {
    const judgeMember = place.subschema(place.value);
    return (value, judging, evaluated) => {
      if (evaluated === undefined || evaluated.hasEveryName || judging.doubts > 0) return;
      const judge = eachMember((name, member) => {
        if (!evaluated.names.has(name)) judging.judgeWithin(name, judgeMember, member);
      });
      judge(value, judging);
      evaluated.hasEveryName = true;
    };
  },
};

export const properties: readonly Keyword[] = [
  declared,
  patterned,
  dependentSchemas,
  propertyNames,
];

/** Judges each member of an object. */
function eachMember(
  judgeMember: (
    name: string,
    member: JsonValue,
    judging: Judging,
    evaluated: Evaluated | undefined,
  ) => void,
): Judge {
  return (value, judging, evaluated) => {
    if (!isJsonObject(value)) return;
    const names = Object.keys(value);
    judging.take(names.length);
    for (const name of names) {
      const member = value[name];
      if (member !== undefined) judgeMember(name, member, judging, evaluated);
    }
  };
}

/** A doubt counts as covered: such a name is refused by nothing. */
function isCovered(patterns: readonly Pattern[], name: string, judging: Judging): boolean {
  judging.take(patterns.length);
  return patterns.some((pattern) => judging.matches(pattern, name) !== false);
}
