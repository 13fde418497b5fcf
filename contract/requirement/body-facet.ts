import type { SchemaNode } from '../schema/schema-node.ts';
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

/** Deepest nesting with facets of its own; the whole body's requirement holds what lies below. */
const deepest = 6;

/** The facets of a body schema, outermost first. Recursive schemas end where they repeat. */
export function listBodyFacets(node: SchemaNode): readonly BodyFacet[] {
  return [...walk(node, [], new Set())];
}

function* walk(node: SchemaNode, path: BodyPath, seen: ReadonlySet<string>): Generator<BodyFacet> {
  const shape = node.shape();
  for (const { facet, demand } of shape.limits)
    if (facet !== undefined) yield { path, facet, demand, pointer: node.pointer };
  if (path.length >= deepest || seen.has(node.pointer)) return;
  const within = new Set([...seen, node.pointer]);
  if (shape.items) yield* walk(shape.items, [...path, '[]'], within);
  for (const [name, member] of shape.properties) {
    const at = [...path, name];
    const { pointer } = member;
    if (shape.required.has(name))
      yield { path: at, facet: 'required', demand: 'is there', pointer };
    yield* walk(member, at, within);
  }
}

/** A member for a sentence: `the body`, `\`name\``, `\`name\` of every item`. */
export function nameMember(path: BodyPath): string {
  if (path.length === 0) return 'the body';
  const name = path.filter((step) => step !== '[]').join('.');
  if (name === '') return 'every item';
  return path.includes('[]') ? `\`${name}\` of every item` : `\`${name}\``;
}
