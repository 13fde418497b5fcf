import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { BodyPath } from '../judge/trace/requirement.ts';
import { once } from '../../contract/memo/once.ts';

/**
 * Whether bodies of an operation have requirements as a whole only, because they are wide, or the
 * document has too many.
 */
export type IsWhole = (operation: Operation, direction: 'request' | 'response') => boolean;

interface BodyFacet {
  readonly path: BodyPath;
  /** The name from `facetOf`: `required`, `type`, `values`, ... */
  readonly facet: string;
  /** What it demands, in words that follow the member: `is present`, `is a string`. */
  readonly demand: string;
  readonly pointer: string;
}

/** Deepest nesting with its own facets. Deeper members belong to the requirement of the body. */
const deepest = 6;

/**
 * Most optional members nested in each other that have their own facets. Responses rarely show
 * deeper ones, so these belong to the requirement of the whole body.
 */
const maxOptional = 1;

/** Most facets of one body. Beyond that, the deepest belong to the requirement of the body. */
const most = 300;

/**
 * The facets of a body schema, outermost first. Recursive schemas end where they repeat. Requests
 * need no `readOnly` members, and responses no `writeOnly` members.
 */
export function listBodyFacets(
  node: SchemaNode | undefined,
  direction: 'request' | 'response',
  status = '200',
): readonly BodyFacet[] {
  if (node === undefined) return [];
  if (direction === 'request') return facetsOf.request(node);
  return /^[23]/.test(status) ? facetsOf.success(node) : facetsOf.error(node);
}

/** The facets of the whole body of a request. */
export function listOwnFacets(node: SchemaNode | undefined): Iterable<BodyFacet> {
  const limits = { isRequest: true, depth: 0, optional: 0 };
  return node === undefined ? [] : walk(node, [], new Set(), limits, 0);
}

const readFacets = (isRequest: boolean, optional: number) =>
  once((node: SchemaNode): readonly BodyFacet[] => findFacets(node, { isRequest, optional }));

/** Cached, because many operations have the same bodies. */
const facetsOf = {
  request: readFacets(true, Infinity),
  success: readFacets(false, maxOptional),
  error: readFacets(false, 0),
};

function findFacets(
  node: SchemaNode,
  direction: Pick<Limits, 'isRequest' | 'optional'>,
): readonly BodyFacet[] {
  const limits = (depth: number): Limits => ({ ...direction, depth });
  const walkTo = (depth: number): BodyFacet[] => [
    ...walk(node, [], new Set(), limits(depth), 0).take(most + 1),
  ];
  const all = walkTo(deepest);
  if (all.length <= most) return all;
  // From the outside, because in a wide body even the outermost are too many.
  let facets = walkTo(1).slice(0, most);
  for (let depth = 2; facets.length < most; depth += 1) {
    const deeper = walkTo(depth);
    if (deeper.length > most) break;
    facets = deeper;
  }
  return facets;
}

/** Facets that are broken by adding something to a valid value. */
const brokenBy: ReadonlySet<string> = new Set(['additional', 'unique-items']);

interface Limits {
  /** For requests, only facets that a wrong value can break. */
  readonly isRequest: boolean;
  readonly depth: number;
  /** Most optional members on the path. */
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
    const { readOnly, writeOnly } = member.shape();
    if (limits.isRequest ? readOnly : writeOnly) continue;
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
