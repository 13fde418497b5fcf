import { canonicalInteger } from '../json/number.ts';
import type { JsonValue } from '../json/value.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The least or the greatest value that a schema of a number accepts: its bound, or the next integer
 * within an exclusive one. Undefined where there is none, as for `exclusiveMaximum` of a fraction.
 */
export function extremeOf(schema: SchemaNode, end: 'minimum' | 'maximum'): JsonValue | undefined {
  const shape = schema.shape();
  const bound = shape[end];
  if (bound === undefined) return undefined;
  const { value, exclusive } = bound;
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  const isWhole = !shape.types.includes('number');
  const inwards = end === 'minimum' ? 1n : -1n;
  const round = end === 'minimum' ? Math.ceil : Math.floor;
  const whole = typeof value === 'bigint' ? value : BigInt(round(value));
  const { multipleOf = 1 } = shape;
  const step = Number.isInteger(multipleOf) && multipleOf > 0 ? BigInt(multipleOf) : 1n;
  // JavaScript compares a number with a bigint by value.
  const start = exclusive && whole == value ? whole + inwards : whole;
  const beyond = ((start % step) + step) % step;
  const fitting =
    beyond === 0n ? start : end === 'minimum' ? start + step - beyond : start - beyond;
  const candidate = isWhole ? canonicalInteger(fitting) : value;
  return schema.validate(candidate).length === 0 ? candidate : undefined;
}
