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
  const isWhole = !shape.types.includes('number');
  const inwards = end === 'minimum' ? 1n : -1n;
  const round = end === 'minimum' ? Math.ceil : Math.floor;
  const whole = typeof value === 'bigint' ? value : BigInt(round(value));
  const step = BigInt(Number.isInteger(shape.multipleOf) ? (shape.multipleOf ?? 1) : 1);
  // JavaScript compares a number with a bigint by value.
  const start = exclusive && whole == value ? whole + inwards : whole;
  const beyond = ((start % step) + step) % step;
  const fitting =
    beyond === 0n ? start : end === 'minimum' ? start + step - beyond : start - beyond;
  const candidate = isWhole ? canonicalInteger(fitting) : value;
  return schema.validate(candidate).length === 0 ? candidate : undefined;
}
