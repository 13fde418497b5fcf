import type { Format, FormatDefinition } from 'ajv';
import type { JsonValue } from '../../json/value.ts';
import { isFloat, isInRangeOfBits, isIntegerOfBits } from './number.ts';

/**
 * Says whether a value of any type fits a format; values of types that the format is not about do.
 */
export type FormatTest = (value: JsonValue) => boolean;

/**
 * The test for a format, or undefined for a format nobody knows, which constrains nothing (JSON
 * Schema Validation section 7.2.3). Where the schema says `type: integer`, a fraction is left to
 * `type` to refuse.
 */
export function createFormatTest(
  format: string,
  stringFormats: ReadonlyMap<string, Format>,
  isIntegerByType: boolean,
): FormatTest | undefined {
  const numeric = numberTest(format, isIntegerByType);
  if (numeric !== undefined)
    return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || numeric(value);
  const test = stringTest(stringFormats.get(format));
  return test && ((value) => typeof value !== 'string' || test(value));
}

function numberTest(
  format: string,
  isIntegerByType: boolean,
): ((value: number | bigint) => boolean) | undefined {
  if (format === 'float') return isFloat;
  if (format !== 'int32' && format !== 'int64') return undefined;
  const bits = format === 'int32' ? 32 : 64;
  if (isIntegerByType)
    return (value) =>
      (typeof value === 'number' && !Number.isInteger(value)) || isInRangeOfBits(value, bits);
  return (value) => isIntegerOfBits(value, bits);
}

function stringTest(format: Format | undefined): ((text: string) => boolean) | undefined {
  if (typeof format === 'function') return format;
  if (typeof format === 'string') return stringTest(new RegExp(format, 'u'));
  if (format instanceof RegExp) return (text) => format.test(text);
  return isStringDefinition(format) ? stringTest(format.validate) : undefined;
}

function isStringDefinition(format: Format | undefined): format is FormatDefinition<string> {
  return (
    typeof format === 'object' &&
    !(format instanceof RegExp) &&
    format.type !== 'number' &&
    format.async !== true
  );
}
