import { canonicalInteger } from '../json/number.ts';
import type { JsonValue } from '../json/value.ts';

/**
 * What a plain scalar means by the core schema of YAML 1.2, integers exact. Throws an Error for
 * what is no finite number.
 */
export function readPlainScalar(text: string): JsonValue {
  if (!mayMean(text.charCodeAt(0))) return text;
  if (/^(?:~|[Nn]ull|NULL)?$/.test(text)) return null;
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true;
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false;
  if (/^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return canonicalInteger(BigInt(text));
  if (/^[-+]?[0-9]+$/.test(text)) return canonicalInteger(BigInt(text.replace('+', '')));
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text))
    return finite(Number.parseFloat(text));
  return /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/.test(text) ? finite(Number.NaN) : text;
}

function finite(value: number): JsonValue {
  const scalar = canonicalScalar(value);
  if (scalar === undefined) throw new Error(`${value} is no JSON value`);
  return scalar;
}

/** The JSON value of a scalar that was read; undefined where there is none, as for `.inf`. */
export function canonicalScalar(value: unknown): JsonValue | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return canonicalInteger(value);
  if (typeof value === 'number' && Number.isFinite(value))
    return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
  return undefined;
}

/** Whether a text that starts so can be anything but a text: `~`, a digit, `+-.`, `fFnNtT`. */
function mayMean(first: number): boolean {
  return Number.isNaN(first) || first <= 0x39 || '~fFnNtT'.includes(String.fromCharCode(first));
}
