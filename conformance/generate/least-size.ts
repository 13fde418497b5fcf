import type { SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import { smallest } from '../../contract/list/list.ts';
import { mostSampleItems, mostSampleText } from '../../contract/limits/index.ts';

/** Characters of a body that the suite sends, at its smallest, with `perValue` for each value in it. */
export const mostSampleBody = 2 * 1024 * 1024;

type Type = Shape['types'][number];

/** Characters that each value counts beside those of its texts: it takes memory of its own. */
const perValue = 16;

/** Nesting below which nothing more is counted. */
const deepest = 16;

/** Whether every value of a type would be larger than what is sent. */
export function isTooLarge(shape: Shape, type: Type): boolean {
  if (type === 'string') return (shape.minLength ?? 0) > mostSampleText;
  if (type === 'array' && (shape.minItems ?? 0) > mostSampleItems) return true;
  return leastOfType(shape, type, { depth: 0, known: new Map() }) > mostSampleBody;
}

/** The types of the values that are drawn: those that a schema without a type speaks of, or text. */
export function drawnTypes(shape: Shape): Shape['types'] {
  if (shape.types.length !== 7) return shape.types;
  if (shape.properties.size > 0 || shape.required.size > 0) return ['object'];
  if (shape.items !== undefined || shape.minItems !== undefined) return ['array'];
  return shape.minimum || shape.maximum || shape.multipleOf !== undefined ? ['number'] : ['string'];
}

interface Count {
  readonly depth: number;
  readonly known: Map<SchemaNode, number>;
}

/** Characters of the smallest value; 0 for what refers to itself. */
function leastOf(node: SchemaNode, { depth, known }: Count): number {
  const found = known.get(node);
  if (found !== undefined || depth > deepest) return found ?? 0;
  known.set(node, 0);
  const least = leastOfShape(node, { depth: depth + 1, known });
  known.set(node, least);
  return least;
}

function leastOfShape(node: SchemaNode, count: Count): number {
  try {
    const shape = node.shape();
    if (shape.values?.length) return perValue;
    const own = smallest(drawnTypes(shape).map((type) => leastOfType(shape, type, count)));
    const others = shape.alternatives.map((each) => leastOf(each, count));
    return Math.max(own, others.length === 0 ? 0 : smallest(others));
  } catch {
    // A contradiction is reported where the value is drawn.
    return 0;
  }
}

function leastOfType(shape: Shape, type: Type, count: Count): number {
  if (type === 'string') return perValue + (shape.minLength ?? 0);
  if (type === 'array') {
    const item = shape.items === undefined ? perValue : leastOf(shape.items, count);
    return perValue + (shape.minItems ?? 0) * item;
  }
  if (type !== 'object') return perValue;
  const members = [...shape.required].flatMap((name) => shape.properties.get(name) ?? []);
  return members.reduce((sum, member) => sum + leastOf(member, count), perValue);
}
