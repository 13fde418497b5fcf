import type { SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import type { BodyPath } from '../judge/trace/requirement.ts';

interface BodyFacet {
  readonly path: BodyPath;
  /** As `facetOf` names it: `required`, `type`, `values`, ... */
  readonly facet: string;
  /** What it demands, in words that follow the member: `is present`, `is a string`. */
  readonly demand: string;
  readonly pointer: string;
}

/** Deepest nesting with facets of its own; the whole body's requirement holds what lies below. */
const deepest = 6;

/**
 * Members of a response that may be left out, one within the other, before a response is too unlikely
 * to show them: what lies deeper, the whole body's requirement holds.
 */
const mostOptional = 1;

/** Most facets of one body: what lies deeper than so many allow, the whole body's holds. */
const most = 300;

/**
 * The facets of a body schema, outermost first. Recursive schemas end where they repeat. A request
 * need not hold what only responses have (`readOnly`), nor a response what only requests have.
 */
export function listBodyFacets(
  node: SchemaNode | undefined,
  direction: 'request' | 'response',
  status = '200',
): readonly BodyFacet[] {
  if (node === undefined) return [];
  const isLeftOut = ({ readOnly, writeOnly }: Shape): boolean =>
    direction === 'request' ? readOnly : writeOnly;
  const limits = (depth: number): Limits => ({
    isRequest: direction === 'request',
    isLeftOut,
    depth,
    optional: direction === 'request' ? Infinity : /^[23]/.test(status) ? mostOptional : 0,
  });
  for (let depth = deepest; depth > 1; depth -= 1) {
    const facets = [...walk(node, [], new Set(), limits(depth), 0).take(most + 1)];
    if (facets.length <= most) return facets;
  }
  return [...walk(node, [], new Set(), limits(1), 0).take(most)];
}

/** Facets that a valid value breaks by what is added to it. */
const brokenBy: ReadonlySet<string> = new Set(['additional', 'unique-items']);

interface Limits {
  /** A request is refused for what can be sent wrong. */
  readonly isRequest: boolean;
  readonly isLeftOut: (shape: Shape) => boolean;
  readonly depth: number;
  /** Members on the way that may be left out. */
  readonly optional: number;
}

function* walk(
  node: SchemaNode,
  path: BodyPath,
  seen: ReadonlySet<string>,
  limits: Limits,
  optional: number,
): Generator<BodyFacet> {
  const shape = node.shape();
  for (const { facet, demand, wrong } of shape.limits())
    if (facet !== undefined && (!limits.isRequest || brokenBy.has(facet) || wrong?.().length))
      yield { path, facet, demand, pointer: node.pointer };
  if (path.length >= limits.depth || seen.has(node.pointer)) return;
  const within = new Set([...seen, node.pointer]);
  if (shape.items) yield* walk(shape.items, [...path, '[]'], within, limits, optional);
  for (const [name, member] of shape.properties) {
    const at = [...path, name];
    const { pointer } = member;
    if (limits.isLeftOut(member.shape())) continue;
    const isRequired = shape.required.has(name);
    const passed = isRequired ? optional : optional + 1;
    if (passed > limits.optional) continue;
    if (isRequired) yield { path: at, facet: 'required', demand: 'is present', pointer };
    yield* walk(member, at, within, limits, passed);
  }
}

/** A member for a sentence: `the body`, `\`name\``, `\`name\` of every item`. */
export function nameMember(path: BodyPath): string {
  if (path.length === 0) return 'the body';
  const name = path.filter((step) => step !== '[]').join('.');
  if (name === '') return 'every item';
  return path.includes('[]') ? `\`${name}\` of every item` : `\`${name}\``;
}
