import { addAll } from '../../list/list.ts';
import { isJsonObject, ownMember, type JsonObject, type JsonValue } from '../../json/value.ts';
import { createPattern, type Pattern } from '../../pattern/pattern.ts';
import { type Evaluated, type Flaw, type Judge, type Judging, within } from './judging.ts';
import type { Keyword, KeywordPlace, LimitKeyword } from './keyword.ts';

/** Up to so many, declared members are looked for in a value; of more, its members in them. */
const fewMembers = 50;

/** JSON Schema Core, section 10.3.2.1. */
const declared: Keyword = {
  name: 'properties',
  takes: 'schema-map',
  judge: (place) => {
    const members = membersOf(place.value);
    const names = members.map(([name]) => name);
    const judges = members.map(([name, schema]) => place.subschema(schema, name));
    const byName =
      names.length <= fewMembers
        ? undefined
        : new Map(names.map((name, index) => [name, judges[index]]));
    return (value, judging, evaluated) => {
      if (!isJsonObject(value)) return undefined;
      let flaws: Flaw[] | undefined;
      const sought = byName === undefined ? names : Object.keys(value);
      for (let index = 0; index < sought.length; index += 1) {
        const name = sought[index] ?? '';
        const member = ownMember(value, name);
        const judge = byName === undefined ? judges[index] : byName.get(name);
        if (member === undefined || judge === undefined) continue;
        evaluated?.names.add(name);
        const found = judge(member, judging);
        if (found !== undefined) addAll((flaws ??= []), within(found, name));
      }
      return flaws;
    };
  },
};

/** JSON Schema Core, section 10.3.2.2. */
const patterned: Keyword = {
  name: 'patternProperties',
  takes: 'pattern-map',
  judge: (place) => {
    const rules = membersOf(place.value).map(
      ([source, schema]) => [createPattern(source), place.subschema(schema, source)] as const,
    );
    return eachMember((name, member, judging, evaluated) => {
      const flaws: Flaw[] = [];
      for (const [pattern, judge] of rules) {
        const isMatch = judging.matches(pattern, name);
        if (isMatch !== false) evaluated?.names.add(name);
        if (isMatch === true) addAll(flaws, judge(member, judging) ?? []);
      }
      return flaws.length === 0 ? undefined : flaws;
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
    const judge = eachMember((name, member, judging) =>
      names.has(name) || isCovered(patterns, name, judging)
        ? undefined
        : judgeMember(member, judging),
    );
    return (value, judging, evaluated) => {
      if (evaluated !== undefined) evaluated.hasEveryName = true;
      return judge(value, judging);
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
      if (!isJsonObject(value)) return undefined;
      const flaws: Flaw[] = [];
      for (const [name, judge] of rules)
        if (ownMember(value, name) !== undefined)
          addAll(flaws, judge(value, judging, evaluated) ?? []);
      return flaws.length === 0 ? undefined : flaws;
    };
  },
};

/** JSON Schema Core, section 10.3.2.4. */
const propertyNames: Keyword = {
  name: 'propertyNames',
  takes: 'schema',
  judge: (place) => {
    const judge = place.subschema(place.value);
    return eachMember((name, _member, judging) =>
      judge(name, judging)?.map((flaw) => ({
        ...flaw,
        message: () => `has a name that ${flaw.message()}`,
      })),
    );
  },
};

/** JSON Schema Core, section 11.3. */
export const unevaluatedProperties: Keyword = {
  name: 'unevaluatedProperties',
  takes: 'schema',
  judge: (place: KeywordPlace) => {
    const judgeMember = place.subschema(place.value);
    return (value, judging, evaluated) => {
      if (evaluated === undefined || evaluated.hasEveryName || judging.doubts > 0) return undefined;
      const judge = eachMember((name, member) =>
        evaluated.names.has(name) ? undefined : judgeMember(member, judging),
      );
      const flaws = judge(value, judging);
      evaluated.hasEveryName = true;
      return flaws;
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
  ) => readonly Flaw[] | undefined,
): Judge {
  return (value, judging, evaluated) => {
    if (!isJsonObject(value)) return undefined;
    const names = Object.keys(value);
    judging.take(names.length);
    let flaws: Flaw[] | undefined;
    for (const name of names) {
      const member = value[name];
      if (member === undefined) continue;
      const found = judgeMember(name, member, judging, evaluated);
      if (found !== undefined) addAll((flaws ??= []), within(found, name));
    }
    return flaws;
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
