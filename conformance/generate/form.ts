import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { JsonType } from '../../contract/schema/keyword/merged-schema.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';

/** What the texts of a form stand for, according to its schema. */
export interface FormReading {
  readonly body: JsonObject;
  /**
   * The same with null for each member that services may read in several ways: a blank text, which
   * many take for null; an object; a text of several types.
   */
  readonly clear: JsonObject;
}

/** Reads a form; a name that occurs twice is a list only if its schema says so. */
export function readForm(
  text: string,
  contentType: string,
  schema: SchemaNode | undefined,
): FormReading {
  const properties = schema?.shape().properties;
  const body: [string, JsonValue][] = [];
  const clear: [string, JsonValue][] = [];
  for (const [name, pairs] of Map.groupBy(pairsOf(text, contentType), ([each]) => each)) {
    const member = properties?.get(name);
    const { types = [], items } = member?.shape() ?? {};
    const isList = types.includes('array');
    const readings = pairs.map(([, each]) => readText(each, isList ? items : member));
    const values = readings.map((each) => each.value);
    const value = isList ? values : (values.at(-1) ?? '');
    const isClear = readings.every((each) => each.isClear) && (isList || values.length === 1);
    body.push([name, value]);
    clear.push([name, isClear ? value : null]);
    // Of `address[city]` it is only known that the address was sent.
    const [holder = name] = name.split('[', 1);
    if (member === undefined && properties?.has(holder)) clear.push([holder, null]);
  }
  return { body: Object.fromEntries(body), clear: Object.fromEntries(clear) };
}

/** The value that a text stands for; clear if it is the only valid one. */
function readText(text: string, node: SchemaNode | undefined) {
  const { types = [], format } = node?.shape() ?? {};
  const readings = listReadings(text, types);
  const [valid, ...others] = readings.filter((one) => node?.isValid(one) === true);
  const isPlain = /[^\s\0]/.test(text) && !types.includes('object') && format !== 'binary';
  const isOne = valid !== undefined && others.length === 0;
  const isClear = isPlain && (isOne || node === undefined);
  return { value: valid ?? readings[0] ?? text, isClear };
}

/** Names and texts of a form; of a form with parts (RFC 7578), as the suite writes it. */
function pairsOf(text: string, contentType: string): Iterable<readonly [string, string]> {
  const boundary = /;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return new URLSearchParams(text);
  return text.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [, name, value] = /^\r\n[^]*?\bname="([^"]*)"[^]*?\r\n\r\n([^]*)\r\n$/.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name.replaceAll('%22', '"'), value]];
  });
}

/** The values of some types that a text can stand for. */
export function listReadings(text: string, types: readonly JsonType[]): readonly JsonValue[] {
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

/** Most digits of an integer that are read: more than any bound has, since parsing many is slow. */
const maxDigits = 1000;

function readInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text.replace(/^\+/, '').slice(0, maxDigits));
}
