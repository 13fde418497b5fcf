import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { breaksOnce, type InvalidBody } from './invalid-body.ts';
import { plainRequestValue, requestIssues } from './plain-value.ts';

/** Characters of all bodies that break the schema of one operation in one way each. */
export const mostBrokenBodies = 16 * 1024 * 1024;

/** A change that breaks a value in one way, at a path of members and items. */
interface Break {
  /** As requirements name it: `['owner', 'name']`, `['tags', '[]']`. */
  readonly path: readonly string[];
  readonly facet: string;
  readonly way: string;
  readonly value: JsonValue;
  readonly rank: number;
}

/** A requirement that a body is refused. */
export interface RefusedFacet {
  readonly id: string;
  readonly path: readonly string[];
  readonly facet: string;
}

/** A member that no schema names. */
const undescribed = 'noSuchMember';

/** Bodies for one requirement. */
const most = 3;

/**
 * A valid body of any kind, broken in one way each: one for each requirement first. Members that the
 * body lacks are added to be broken. What is valid after all, or breaks more than one place, is left
 * out.
 */
export function listInvalidVariants(
  refused: readonly RefusedFacet[],
  node: SchemaNode,
  valid: JsonValue,
): readonly InvalidBody[] {
  const ids = new Map(refused.map(({ id, path, facet }) => [keyOf([...path, facet]), id]));
  const ways = new Set(
    refused.flatMap(({ path }) => path.map((_step, at) => keyOf(path.slice(0, at + 1)))),
  );
  const whole = refused.find(({ path, facet }) => path.length === 0 && facet === 'required');
  const turns = new Map<string, number>();
  const broken: InvalidBody[] = [];
  let left = mostBrokenBodies;
  for (const each of breaks(node, valid, [], ways)) {
    const requirement = ids.get(keyOf([...each.path, each.facet]));
    const turn = turns.get(requirement ?? '') ?? 0;
    if (requirement === undefined || turn >= most) continue;
    const text = renderJson(each.value);
    left -= text.length;
    if (left < 0) break;
    if (!breaksOnce(requestIssues(node, each.value), each.facet)) continue;
    turns.set(requirement, turn + 1);
    broken.push({ requirement, way: each.way, text, rank: turn });
  }
  const sorted = broken.toSorted((a, b) => a.rank - b.rank);
  if (whole === undefined) return sorted;
  return [
    { requirement: whole.id, way: 'the body is missing', text: undefined, rank: 1 },
    ...sorted,
  ];
}

function keyOf(path: readonly string[]): string {
  return renderPointer(path);
}

/** Each way to break a value, the value itself before what is in it. */
function* breaks(
  node: SchemaNode,
  valid: JsonValue,
  path: readonly string[],
  ways: ReadonlySet<string>,
): Generator<Break> {
  const shape = node.shape();
  const name = path.length === 0 ? 'the body' : `\`${path.join('.')}\``;
  for (const { facet, wrong } of shape.limits())
    if (facet !== undefined)
      for (const each of wrong?.() ?? [])
        yield { path, facet, way: `${name} is ${each.name}`, value: each.value, rank: each.rank };
  if (isJsonArray(valid) && shape.items !== undefined && valid.length > 0) {
    const [first = null, ...rest] = valid;
    const twice = { way: `${name} has a duplicate item`, value: [first, ...valid], rank: 1 };
    yield { path, facet: 'unique-items', ...twice };
    for (const inner of breaks(shape.items, first, [...path, '[]'], ways))
      yield { ...inner, value: [inner.value, ...rest] };
  }
  if (!isJsonObject(valid)) return;
  const way = `${name} has an undescribed member`;
  yield { path, facet: 'additional', way, value: { ...valid, [undescribed]: true }, rank: 1 };
  yield* memberBreaks(node, valid, path, ways);
}

function* memberBreaks(
  node: SchemaNode,
  valid: JsonObject,
  path: readonly string[],
  ways: ReadonlySet<string>,
): Generator<Break> {
  const { properties, required } = node.shape();
  for (const [name, member] of properties) {
    const at = [...path, name];
    if (!ways.has(keyOf(at))) continue;
    const isThere = Object.hasOwn(valid, name);
    const value = isThere ? valid[name] : plainRequestValue(member);
    if (value === undefined) continue;
    if (isThere && required.has(name)) {
      const { [name]: _left, ...rest } = valid;
      const way = `\`${at.join('.')}\` is missing`;
      yield { path: at, facet: 'required', way, value: rest, rank: 1 };
    }
    for (const inner of breaks(member, value, at, ways))
      yield { ...inner, value: { ...valid, [name]: inner.value } };
  }
}
