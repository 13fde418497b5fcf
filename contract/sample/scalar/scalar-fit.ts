import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { isNumeric, jsonEquals } from '../../json/value.ts';
import { createFormatTest } from '../../schema/keyword/any/format.ts';
import { isMultipleOf } from '../../schema/keyword/number/multiple-of.ts';
import type { StringFormats } from '../../schema/keyword/any/string-format.ts';
import { listOf, type Part, readPattern } from '../view/part.ts';

/** Whether a string, number, boolean or null fits what the parts themselves say of it. */
export function fitsScalar(
  value: JsonValue,
  parts: readonly Part[],
  formats: StringFormats,
): boolean {
  return parts.every(({ schema, lists }) => {
    if (!lists(value) || !isAllowed(value, schema)) return false;
    if (typeof value === 'string') return fitsText(value, schema, formats);
    return !isNumeric(value) || fitsNumber(value, schema, formats);
  });
}

function isAllowed(value: JsonValue, { const: constant, not }: JsonObject): boolean {
  const equals = (other: JsonValue): boolean => jsonEquals(other, value);
  return (
    (constant === undefined || equals(constant)) &&
    !(
      isJsonObject(not) &&
      (listOf(not.enum).some(equals) || (not.const !== undefined && equals(not.const)))
    )
  );
}

function fitsText(text: string, schema: JsonObject, formats: StringFormats): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  const length = text.length > 2 ** 16 ? text.length : Array.from(text).length;
  return (
    (typeof minLength !== 'number' || length >= minLength) &&
    (typeof maxLength !== 'number' || length <= maxLength) &&
    (typeof pattern !== 'string' || readPattern(pattern)?.test(text) !== false) &&
    (typeof format !== 'string' || createFormatTest(format, formats, false)?.(text) !== false)
  );
}

function fitsNumber(value: number | bigint, schema: JsonObject, formats: StringFormats): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  return (
    (!isNumeric(minimum) || value >= minimum) &&
    (!isNumeric(maximum) || value <= maximum) &&
    (!isNumeric(exclusiveMinimum) || value > exclusiveMinimum) &&
    (!isNumeric(exclusiveMaximum) || value < exclusiveMaximum) &&
    (!isNumeric(multipleOf) || isMultiple(value, multipleOf)) &&
    (typeof format !== 'string' || createFormatTest(format, formats, false)?.(value) !== false)
  );
}

/** Exactly, and for those too who divide doubles. */
function isMultiple(value: number | bigint, divisor: number | bigint): boolean {
  return (
    isMultipleOf(value, divisor) &&
    (typeof value === 'bigint' || Number.isInteger(value / Number(divisor)))
  );
}
