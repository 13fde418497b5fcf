import { countKeyword } from '../count.ts';

/** JSON Schema Validation, section 6.5.1. */
export const maxProperties = countKeyword({
  name: 'maxProperties',
  side: 'at most',
  noun: 'member',
  edges: (count) => (count === 0 ? [{}] : []),
  wrong: (count) =>
    count < 1000
      ? [{ name: 'an object with too many members', value: objectOf(count + 1), rank: 2 }]
      : [],
});

function objectOf(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, index]));
}
