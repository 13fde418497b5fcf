import { isJsonObject, ownMember, type JsonObject, type JsonValue } from '../../json/value.ts';
import { createPattern, type Pattern } from '../../pattern/pattern.ts';
import type { Evaluated, Judge, Judging } from './judging.ts';
import type { Keyword, KeywordPlace, LimitKeyword } from './keyword.ts';

/** Up to so many, declared members are looked for in a value; of more, its members in them. */
const fewMembers = 50;

/** JSON Schema Core, section 10.3.2.1. */
const declared: Keyword = {
  name: 'properties',
  takes: 'schema-map',
  judge: (place) => {
    const members = membersOf(place.value);
    if (members.length > fewMembers) return judgePresent(place, members);
    const judges = members.map(([name, schema]) => [name, place.subschema(schema, name)] as const);
    return (value, judging, evaluated) => {
      if (!isJsonObject(value)) return;
      for (const [name, judge] of judges) {
        const member = ownMember(value, name);
        if (member === undefined) continue;
        evaluated?.names.add(name);
        judging.judgeWithin(name, judge, member);
      }
    };
  },
};

/** Compiles a member when a value has it: a wide object may have tens of thousands. */
function judgePresent(
  place: KeywordPlace,
  members: readonly (readonly [name: string, schema: JsonValue])[],
): Judge {
  const schemas = new Map(members);
  const judges = new Map<string, Judge>();
  return eachMember((name, member, judging, evaluated) => {
    const schema = schemas.get(name);
    if (schema === undefined) return;
    const judge = judges.get(name) ?? place.subschema(schema, name);
    judges.set(name, judge);
    evaluated?.names.add(name);
    judging.judgeWithin(name, judge, member);
  });
}

/** JSON Schema Core, section 10.3.2.2. */
const patterned: Keyword = {
  name: 'patternProperties',
  takes: 'pattern-map',
  judge: (place) => {
    const rules = membersOf(place.value).map(
      ([source, schema]) => [createPattern(source), place.subschema(schema, source)] as const,
    );
    return eachMember((name, member, judging, evaluated) => {
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
export const additionalProperties: LimitKeyword<false> = {
  name: 'additionalProperties',
  takes: 'schema',
  judge: (place) => {
    const { properties, patternProperties } = place.schema;
    const names = new Set(membersOf(properties).map(([name]) => name));
    const patterns = membersOf(patternProperties).map(([source]) => createPattern(source));
    const judgeMember = place.subschema(place.value);
    const judge = eachMember((name, member, judging) => {
      if (!names.has(name) && !isCovered(patterns, name, judging))
        judging.judgeWithin(name, judgeMember, member);
    });
    return (value, judging, evaluated) => {
      if (evaluated !== undefined) evaluated.hasEveryName = true;
      judge(value, judging);
    };
  },
  facet: 'additional',
  limit: (schemas) =>
    schemas.some((schema) =>
      [schema.additionalProperties, schema.unevaluatedProperties].includes(false),
    )
      ? { value: false, demand: 'has no additional members' }
      : undefined,
};

/** JSON Schema Core, section 10.2.2.4. */
const dependentSchemas: Keyword = {
  name: 'dependentSchemas',
  takes: 'schema-map',
  isInPlace: true,
  judge: (place) => {
    const rules = membersOf(place.value).map(
      ([name, schema]) => [name, place.subschema(schema, name)] as const,
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
  judge: (place: KeywordPlace) => {
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
  return patterns.some((pattern) => judging.matches(pattern, name) !== false);
}

function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  const object: JsonObject = isJsonObject(value) ? value : {};
  return Object.entries(object).map(([name, member]) => [name, member ?? true]);
}
