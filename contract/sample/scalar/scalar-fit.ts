import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { isNumeric, jsonEquals } from '../../json/value.ts';
import { createFormatTest } from '../../schema/keyword/format.ts';
import { isMultipleOf } from '../../schema/keyword/multiple-of.ts';
import { listOf, type Part } from '../view/part.ts';

/** Whether a string, number, boolean or null fits what the parts themselves say of it. */
export function fitsScalar(value: JsonValue, parts: readonly Part[]): boolean {
  return parts.every(({ schema, lists, matches }) => {
    if (!lists(value) || !isAllowed(value, schema)) return false;
    if (typeof value === 'string') return fitsText(value, schema) && matches(value);
    return !isNumeric(value) || fitsNumber(value, schema);
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

function fitsText(text: string, schema: JsonObject): boolean {
  const { minLength, maxLength, format } = schema;
  const length = text.length > 2 ** 16 ? text.length : Array.from(text).length;
  return (
    (typeof minLength !== 'number' || length >= minLength) &&
    (typeof maxLength !== 'number' || length <= maxLength) &&
    (typeof format !== 'string' || createFormatTest(format, false)?.(text) !== false)
  );
}

function fitsNumber(value: number | bigint, schema: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  return (
    (!isNumeric(minimum) || value >= minimum) &&
    (!isNumeric(maximum) || value <= maximum) &&
    (!isNumeric(exclusiveMinimum) || value > exclusiveMinimum) &&
    (!isNumeric(exclusiveMaximum) || value < exclusiveMaximum) &&
    (!isNumeric(multipleOf) || isMultiple(value, multipleOf)) &&
    (typeof format !== 'string' || createFormatTest(format, false)?.(value) !== false)
  );
}

/** Exactly, and for those too who divide doubles. */
function isMultiple(value: number | bigint, divisor: number | bigint): boolean {
  return (
    isMultipleOf(value, divisor) &&
    (typeof value === 'bigint' || Number.isInteger(value / Number(divisor)))
  );
}
