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
  const { types, format, values, minimum, maximum, multipleOf } = shape;
  const { minLength, maxLength, pattern, minItems, maxItems } = shape;
  const demands: readonly (readonly [string, string | false | undefined])[] = [
    ['type', types.length < 7 && `is ${types.map(withArticle).join(' or ')}`],
    ['format', format && `has the format ${format}`],
    ['values', values && `is ${values.map((value) => renderJson(value)).join(' or ')}`],
    ['minimum', minimum && `is ${minimum.exclusive ? 'more than' : 'at least'} ${minimum.value}`],
    ['maximum', maximum && `is ${maximum.exclusive ? 'less than' : 'at most'} ${maximum.value}`],
    ['multiple-of', isGiven(multipleOf) && `is a multiple of ${multipleOf}`],
    ['min-length', isGiven(minLength) && `has at least ${minLength} characters`],
    ['max-length', isGiven(maxLength) && `has at most ${maxLength} characters`],
    ['pattern', isGiven(pattern) && `matches ${pattern}`],
    ['min-items', isGiven(minItems) && `has at least ${minItems} items`],
    ['max-items', isGiven(maxItems) && `has at most ${maxItems} items`],
    ['unique-items', shape.uniqueItems && 'has no item twice'],
    ['additional', shape.additional === false && 'has no further members'],
  ];
  for (const [facet, demand] of demands) if (demand) yield { path, facet, demand, pointer };
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

/** A member for a sentence: `the body`, `\`name\``, `\`name\` of every item`. */
export function nameMember(path: BodyPath): string {
  if (path.length === 0) return 'the body';
  const name = path.filter((step) => step !== '[]').join('.');
  if (name === '') return 'every item';
  return path.includes('[]') ? `\`${name}\` of every item` : `\`${name}\``;
}

function withArticle(type: string): string {
  return type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/**
 * The facet that a JSON Schema keyword is reported under; undefined for keywords without one of
 * their own.
 */
export function facetOf(keyword: string): string | undefined {
  return facetByKeyword.get(keyword);
}

const facetByKeyword: ReadonlyMap<string, string> = new Map([
  ['required', 'required'],
  ['type', 'type'],
  ['format', 'format'],
  ['enum', 'values'],
  ['const', 'values'],
  ['minimum', 'minimum'],
  ['exclusiveMinimum', 'minimum'],
  ['maximum', 'maximum'],
  ['exclusiveMaximum', 'maximum'],
  ['multipleOf', 'multiple-of'],
  ['minLength', 'min-length'],
  ['maxLength', 'max-length'],
  ['pattern', 'pattern'],
  ['minItems', 'min-items'],
  ['maxItems', 'max-items'],
  ['uniqueItems', 'unique-items'],
  ['additionalProperties', 'additional'],
]);
