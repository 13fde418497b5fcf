import type { JsonType } from '../../contract/schema/keyword/keyword.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { fieldOf, type RecordedHeaders } from '../recorded/recorded.ts';

/** What a request says of its parameters. */
export interface ParameterTexts {
  /** Values of the path parameters by name, decoded. */
  readonly values: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly headers: RecordedHeaders;
}

/** The texts of a parameter, decoded; empty where the request has none. */
export function readTexts(
  { values, query, headers }: ParameterTexts,
  { in: place, name }: Parameter,
): readonly string[] {
  switch (place) {
    case 'path':
      return [values.get(name) ?? ''];
    case 'querystring':
      return query.size === 0 ? [] : [query.toString()];
    case 'query':
      return query.getAll(name);
    case 'header':
      return headers.flatMap(([each, text]) =>
        each.toLowerCase() === name.toLowerCase() ? [text.trim()] : [],
      );
    case 'cookie':
      return readCookies(fieldOf(headers, 'cookie') ?? '')
        .filter(([each]) => each === name)
        .map(([, text]) => text);
  }
}

/** The pairs of a `Cookie` field (RFC 6265 section 4.2). */
export function readCookies(field: string): readonly (readonly [name: string, value: string])[] {
  return field.split(';').flatMap((pair) => {
    const mark = pair.indexOf('=');
    return mark < 0 ? [] : [[pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()] as const];
  });
}

/**
 * What is wrong with the texts of a parameter: completes "it". Undefined where they fit, and for
 * forms that are not read here: objects, other styles than the usual ones, and `content`.
 */
export function judgeTexts(texts: readonly string[], parameter: Parameter): string | undefined {
  const { schema, style, mediaType } = parameter;
  const { types, items } = schema.shape();
  if (mediaType !== undefined || (style !== 'form' && style !== 'simple')) return undefined;
  if (types.includes('object')) return undefined;
  if (types.includes('array')) {
    const isOneByOne = style === 'form' && parameter.explode && parameter.in === 'query';
    if (!isOneByOne || items === undefined || types.length > 1) return undefined;
    const readings = texts.map((text) => listReadings(text, items.shape().types)[0]);
    if (readings.includes(undefined))
      return `has an item that is not of type ${items.shape().types.join(' or ')}`;
    return schema.validate(readings.filter((each) => each !== undefined))[0]?.message;
  }
  const [text, ...more] = texts;
  if (text === undefined) return undefined;
  if (more.length > 0) return 'has several values';
  const readings = listReadings(text, types);
  if (readings.length === 0) return `must be of type ${types.join(' or ')}`;
  const issues = readings.map((value) => schema.validate(value)[0]);
  return issues.includes(undefined) ? undefined : issues[0]?.message;
}

/** The values of some types that a text may stand for. */
function listReadings(text: string, types: readonly JsonType[]): readonly JsonValue[] {
  const isInteger = /^[+-]?\d+$/.test(text);
  const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)
    ? Number(text)
    : undefined;
  const readings: Readonly<Partial<Record<JsonType, JsonValue | undefined>>> = {
    integer: isInteger ? readInteger(text) : Number.isInteger(number) ? number : undefined,
    number: isInteger ? readInteger(text) : number,
    boolean: /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined,
    null: text === '' || text === 'null' ? null : undefined,
    string: text,
  };
  return types.flatMap((type) => readings[type] ?? (readings[type] === null ? [null] : []));
}

/** Digits of an integer that are read: more than any bound has, and reading many takes long. */
const mostDigits = 1000;

function readInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text.replace(/^\+/, '').slice(0, mostDigits));
}
