import { canonicalInteger } from '../json/number.ts';
import type { JsonValue } from '../json/value.ts';
import { commonMultiple, ceilDivide, decimalOf } from './keyword/limit.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The smallest or largest number that a schema accepts: its bound, or the next integer within an exclusive
 * one. Undefined if there is none, as for `exclusiveMaximum` of a fraction.
 */
export function extremeOf(schema: SchemaNode, end: 'minimum' | 'maximum'): JsonValue | undefined {
  const { [end]: bound, types, multipleOf = 1 } = schema.shape();
  if (bound === undefined) return undefined;
  let candidate: JsonValue = bound.value;
  if (!types.includes('number')) {
    const inwards = end === 'minimum' ? 1n : -1n;
    const unit = commonMultiple([1, multipleOf]);
    const { digits, exponent } = decimalOf(bound.value);
    const times = ceilDivide({ digits: inwards * digits, exponent }, unit);
    const nearest = inwards * times * unit.digits;
    // JavaScript compares a number with a bigint by value.
    const isExcluded = bound.exclusive && nearest == bound.value;
    candidate = canonicalInteger(isExcluded ? nearest + inwards * unit.digits : nearest);
  }
  return schema.isValid(candidate) ? candidate : undefined;
}
