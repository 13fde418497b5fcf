import type { SchemaNode, Shape } from '../schema/schema-node.ts';
import { renderJson } from '../json/value.ts';
import type { BodyPath } from './requirement.ts';

/** One facet of one member of a body: what a requirement is made of. */
export interface BodyFacet {
  readonly path: BodyPath;
  /** As `facetOf` names it: `required`, `type`, `values`, ... */
  readonly facet: string;
  /** What it demands, in words that follow the member: `is there`, `is a string`. */
  readonly demand: string;
  readonly pointer: string;
}

/**
 * Deepest nesting that gets facets of its own; what lies below is held by the whole body's
 * requirement.
 */
const deepest = 6;

/**
 * Lists the facets of a body schema, outermost first, members in the order of the document.
 * Recursive schemas end at their first repetition.
 */
export function listBodyFacets(node: SchemaNode): readonly BodyFacet[] {
  return [...walk(node, [], new Set())];
}

function* walk(node: SchemaNode, path: BodyPath, seen: ReadonlySet<string>): Generator<BodyFacet> {
  const shape = node.shape();
  yield* ownFacets(shape, path, node.pointer);
  if (path.length >= deepest || seen.has(node.pointer)) return;
  const within = new Set([...seen, node.pointer]);
  if (shape.items) yield* walk(shape.items, [...path, '[]'], within);
  for (const [name, member] of shape.properties) {
    if (shape.required.has(name)) {
      yield {
        path: [...path, name],
        facet: 'required',
        demand: 'is there',
        pointer: member.pointer,
      };
    }
    yield* walk(member, [...path, name], within);
  }
}

function* ownFacets(shape: Shape, path: BodyPath, pointer: string): Generator<BodyFacet> {
  const facet = (name: string, demand: string): BodyFacet => ({
    path,
    facet: name,
    demand,
    pointer,
  });
  if (shape.types.length < 7)
    yield facet('type', `is ${shape.types.map(withArticle).join(' or ')}`);
  if (shape.format) yield facet('format', `has the format ${shape.format}`);
  if (shape.values)
    yield facet('values', `is ${shape.values.map((value) => renderJson(value)).join(' or ')}`);
  if (shape.minimum)
    yield facet(
      'minimum',
      `is ${shape.minimum.exclusive ? 'more than' : 'at least'} ${shape.minimum.value}`,
    );
  if (shape.maximum)
    yield facet(
      'maximum',
      `is ${shape.maximum.exclusive ? 'less than' : 'at most'} ${shape.maximum.value}`,
    );
  if (shape.multipleOf !== undefined)
    yield facet('multiple-of', `is a multiple of ${shape.multipleOf}`);
  if (shape.minLength !== undefined)
    yield facet('min-length', `has at least ${shape.minLength} characters`);
  if (shape.maxLength !== undefined)
    yield facet('max-length', `has at most ${shape.maxLength} characters`);
  if (shape.pattern !== undefined) yield facet('pattern', `matches ${shape.pattern}`);
  if (shape.minItems !== undefined)
    yield facet('min-items', `has at least ${shape.minItems} items`);
  if (shape.maxItems !== undefined) yield facet('max-items', `has at most ${shape.maxItems} items`);
  if (shape.uniqueItems) yield facet('unique-items', 'has no item twice');
  if (shape.additional === false) yield facet('additional', 'has no further members');
}

function withArticle(type: string): string {
  return type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
