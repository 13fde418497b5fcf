import {
  isJsonArray,
  isJsonObject,
  renderJson,
  requirementId,
  type JsonObject,
  type JsonValue,
  type SchemaNode,
} from '../../contract/index.ts';
import type { InvalidBody } from './invalid-body.ts';
import { requestIssues } from './plain-value.ts';

/** A change that breaks a value in one way, at a path of members and items. */
interface Break {
  /** As requirements name it: `['owner', 'name']`, `['tags', '[]']`. */
  readonly path: readonly string[];
  readonly facet: string;
  readonly way: string;
  readonly value: JsonValue;
  readonly rank: number;
}

/** Most broken bodies of one operation. */
const most = 400;

/**
 * A lawful body of any kind, broken in one way each, as deep as it goes: one for each requirement
 * first. What is lawful after all, or breaks more than one place, is left out.
 */
export function listInvalidVariants(
  operation: string,
  node: SchemaNode,
  isRequired: boolean,
  valid: JsonValue,
): readonly InvalidBody[] {
  const requirement = requirementId.requestBody(operation);
  const missing = { requirement, way: 'the body is missing', text: undefined, rank: 1 };
  const turns = new Map<string, number>();
  const broken = [...breaks(node, valid, [])].flatMap((each): readonly InvalidBody[] => {
    const about = requirementId.requestFacet(operation, each.path, each.facet);
    const turn = turns.get(about) ?? 0;
    if (turns.size > most || turn > 2 || !isBrokenOnce(node, each.value)) return [];
    turns.set(about, turn + 1);
    return [{ requirement: about, way: each.way, text: renderJson(each.value), rank: turn }];
  });
  return [...(isRequired ? [missing] : []), ...broken.toSorted((a, b) => a.rank - b.rank)];
}

function isBrokenOnce(node: SchemaNode, value: JsonValue): boolean {
  return new Set(requestIssues(node, value).map(({ at }) => at)).size === 1;
}

/** Each way to break a value, the value itself before what is in it. */
function* breaks(node: SchemaNode, valid: JsonValue, path: readonly string[]): Generator<Break> {
  const shape = node.shape();
  const name = path.length === 0 ? 'the body' : `\`${path.join('.')}\``;
  for (const { facet, wrong } of shape.limits)
    if (facet !== undefined)
      for (const each of wrong?.() ?? [])
        yield { path, facet, way: `${name} is ${each.name}`, value: each.value, rank: each.rank };
  if (isJsonArray(valid) && shape.items !== undefined && valid.length > 0) {
    const [first = null, ...rest] = valid;
    for (const inner of breaks(shape.items, first, [...path, '[]']))
      yield { ...inner, value: [inner.value, ...rest] };
  }
  if (isJsonObject(valid)) yield* memberBreaks(node, valid, path);
}

function* memberBreaks(
  node: SchemaNode,
  valid: JsonObject,
  path: readonly string[],
): Generator<Break> {
  const { properties, required } = node.shape();
  for (const [name, member] of properties) {
    const value = valid[name];
    if (value === undefined || !Object.hasOwn(valid, name)) continue;
    const at = [...path, name];
    if (required.has(name)) {
      const { [name]: _left, ...rest } = valid;
      const way = `\`${at.join('.')}\` is missing`;
      yield { path: at, facet: 'required', way, value: rest, rank: 1 };
    }
    for (const inner of breaks(member, value, at))
      yield { ...inner, value: { ...valid, [name]: inner.value } };
  }
}
