import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { isJsonTypeName } from '../schema/keyword/value-kind.ts';
import { wordOf } from '../json/word.ts';
import { describeForm, objectForm, type Form } from './forms.ts';

/** A value as its form has it. `fitted` is undefined where nothing can be made of the value. */
export interface Fit {
  readonly fitted: JsonValue | undefined;
  /** What is wrong with the value as it is; undefined: nothing. */
  readonly reason: string | undefined;
}

/** Only the value itself is looked at, not what it holds. */
export function fitValue(value: JsonValue, form: Form): Fit {
  const fitted = fit(value, form);
  const reason = fitted === value ? undefined : `must be ${describeForm(form)}`;
  return { fitted, reason };
}

function fit(value: JsonValue, form: Form): JsonValue | undefined {
  switch (form.kind) {
    case 'data':
      return value;
    case 'text':
      return typeof value === 'boolean' || isNumeric(value) ? String(value) : textOf(value);
    case 'flag':
      return typeof value === 'boolean' ? value : flags.get(wordOf(value).toLowerCase());
    case 'number':
      return isNumeric(value) ? value : numberOf(value);
    case 'list':
      return isJsonArray(value) ? value : listOf(value, form.of);
    case 'map':
      return isJsonObject(value) ? value : mapOf(value);
    case 'object':
      return isJsonObject(value) ? value : objectOf(value, form.name);
  }
}

function textOf(value: JsonValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const flags = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

function numberOf(value: JsonValue): number | undefined {
  const isNumber =
    typeof value === 'string' && /^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(value);
  const number = isNumber ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** One thing for a list of one; an object of things by number or name for a list of them. */
function listOf(value: JsonValue, item: Form): readonly JsonValue[] | undefined {
  if (value === null) return undefined;
  if (!isJsonObject(value))
    return fit(value, item) === undefined || item.kind === 'object' ? undefined : [value];
  const members = Object.values(value).filter((member) => member !== undefined);
  if (members.length === 0) return [];
  const isOne = typeof value['$ref'] === 'string' || !members.every(isJsonObject);
  if (item.kind !== 'object') return undefined;
  return isOne || objectForm(item.name).others !== undefined ? [value] : members;
}

/** An empty array is how some languages write an empty object; others write a list of members. */
function mapOf(value: JsonValue): JsonObject | undefined {
  if (!isJsonArray(value) || !value.every(isJsonObject)) return undefined;
  return Object.fromEntries(value.flatMap((item) => Object.entries(item)));
}

function objectOf(value: JsonValue, name: string): JsonValue | undefined {
  if (name === 'Schema') return schemaOf(value);
  const { text, empty } = objectForm(name);
  if (typeof value === 'string' && text !== undefined) return { [text]: value };
  if (typeof value === 'string' && name === 'SecurityRequirement') return { [value]: [] };
  const [only, ...others] = isJsonArray(value) ? value : [];
  if (isJsonArray(value) && only === undefined) return {};
  return others.length === 0 && isJsonObject(only) ? only : empty && { ...empty };
}

/** A boolean is a schema; the name of a type is meant for one. */
function schemaOf(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'string' && isJsonTypeName(value) ? { type: value } : {};
}
