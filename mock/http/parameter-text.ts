import type { JsonType } from '../../contract/schema/keyword/keyword.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { Shape } from '../../contract/schema/schema-node.ts';

/** Key of a parameter's value in `Input`: a name is unique only within its place. */
export function argumentKey(parameter: Parameter): string {
  return `${parameter.in} ${parameter.name}`;
}

const integerText = /^-?\d+$/;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value, integers exact, of the text of a parameter; undefined for none. */
export function readParameterText(text: string, shape: Shape): JsonValue | undefined {
  for (const type of readingOrder) {
    const value = shape.types.includes(type) ? readTextAs(type, text) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Narrow types first, so that a text is a string only where nothing else fits. */
export const readingOrder: readonly JsonType[] = ['integer', 'number', 'boolean', 'null', 'string'];

/** A text read as a value of a type; undefined for none, and for arrays and objects. */
export function readTextAs(type: JsonType, text: string): JsonValue | undefined {
  switch (type) {
    case 'integer':
      return integerText.test(text) ? readInteger(text) : undefined;
    case 'number':
      return numberText.test(text) ? Number(text) : undefined;
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'null':
      return text === 'null' ? null : undefined;
    case 'string':
      return text;
    case 'array':
    case 'object':
    default:
      return undefined;
  }
}

function readInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
