import { isJsonArray, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { isJsonTypeName } from '../../../schema/keyword/value-kind.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { type Rule, setAside, warning } from '../../base/repair.ts';

/** Names of types in other languages: the type of JSON, and a format where they say one. */
const synonyms: ReadonlyMap<string, readonly [type: string, format?: string]> = new Map([
  ['int', ['integer']],
  ['int32', ['integer', 'int32']],
  ['int64', ['integer', 'int64']],
  ['long', ['integer', 'int64']],
  ['short', ['integer']],
  ['bigint', ['integer']],
  ['float', ['number', 'float']],
  ['double', ['number', 'double']],
  ['decimal', ['number']],
  ['numeric', ['number']],
  ['bool', ['boolean']],
  ['str', ['string']],
  ['text', ['string']],
  ['char', ['string']],
  ['date', ['string', 'date']],
  ['time', ['string']],
  ['datetime', ['string', 'date-time']],
  ['date-time', ['string', 'date-time']],
  ['timestamp', ['string']],
  ['uuid', ['string', 'uuid']],
  ['guid', ['string', 'uuid']],
  ['uri', ['string', 'uri']],
  ['url', ['string']],
  ['email', ['string', 'email']],
  ['password', ['string', 'password']],
  ['byte', ['string', 'byte']],
  ['binary', ['string', 'binary']],
  ['file', ['string', 'binary']],
  ['enum', ['string']],
  ['list', ['array']],
  ['map', ['object']],
  ['dict', ['object']],
  ['hash', ['object']],
  ['json', ['object']],
  ['none', ['null']],
  ['nil', ['null']],
]);

/** A `type` that is no JSON type, or no list of them. */
export const repairType: Rule = (schema, place, repair) => {
  const { type } = schema;
  if (type === undefined || isSound(type)) return;
  const at = { parent: place, token: 'type' };
  const names = readNames(type, schema);
  const found = names.map((name) => synonyms.get(name) ?? [name]);
  const types = [...new Set(found.map(([name]) => name))].filter(isJsonTypeName);
  const format = found.map(([, one]) => one).find((one) => one !== undefined);
  const reason = `${JSON.stringify(type)} is no JSON type`;
  if (types.length === 0 || types.length < new Set(names).size - 1) {
    repair.report(at, setAside(reason, 'Write a type of JSON; until then any is taken.'));
    return removeMember(schema, 'type');
  }
  const [only = '', ...others] = types;
  const read = others.length === 0 ? only : types;
  repair.report(at, warning(reason, `Write ${JSON.stringify(read)}; it is read so.`));
  setMember(schema, 'type', read);
  if (format !== undefined && schema['format'] === undefined) setMember(schema, 'format', format);
};

function isSound(type: JsonValue): boolean {
  if (!isJsonArray(type)) return isJsonTypeName(type);
  return type.length > 0 && type.every(isJsonTypeName) && new Set(type).size === type.length;
}

function readNames(type: JsonValue, schema: JsonObject): readonly string[] {
  const items = isJsonArray(type) ? type : [type];
  return items.flatMap((item) => {
    // The word null without quotes: the type where nothing else is said, else a value left out.
    if (item === null) return items.length > 1 || Object.keys(schema).length === 1 ? ['null'] : [];
    return typeof item === 'string'
      ? item
          .toLowerCase()
          .split(/[,|]/)
          .map((name) => name.trim().replace(/\?$/, ''))
          .filter((name) => name !== '')
      : [];
  });
}
