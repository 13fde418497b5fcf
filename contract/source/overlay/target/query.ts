import { type JSONPathQuery, jsonpath, TokenKind } from 'json-p3';
import { isJsonArray, isJsonObject, ownMember } from '../../../json/value.ts';
import { compileFilter } from './filter.ts';
import { childNode, type PathNode, type Scope, type Visit, type Walk } from './scope.ts';

const { FilterSelector, IndexSelector, NameSelector, SliceSelector, WildcardSelector } =
  jsonpath.selectors;

type Segment = JSONPathQuery['segments'][number];

/**
 * A query (RFC 9535) that the package has parsed, to be evaluated one value after the other: the
 * package would keep all values of each of its segments, however many they are.
 */
export function compileQuery({ segments }: JSONPathQuery): Walk {
  return segments.reduceRight<Walk>(
    (next, segment) => compileSegment(segment, next),
    (node, _scope, visit) => visit(node),
  );
}

function compileSegment({ token, selectors }: Segment, next: Walk): Walk {
  const walks = selectors.map((selector) => compileSelector(selector, next));
  const [only = next] = walks;
  const select: Walk =
    walks.length === 1
      ? only
      : (node, scope, visit) => walks.some((walk) => walk(node, scope, visit));
  if (token.kind !== TokenKind.DDOT) return select;
  const descend: Walk = (node, scope, visit) =>
    select(node, scope, visit) || someChild(node, scope, (child) => descend(child, scope, visit));
  return descend;
}

function compileSelector(selector: Segment['selectors'][number], next: Walk): Walk {
  if (selector instanceof NameSelector) return selectName(selector.name, next);
  if (selector instanceof IndexSelector) return selectIndex(selector.index, next);
  if (selector instanceof SliceSelector) return selectSlice(selector, next);
  if (selector instanceof WildcardSelector)
    return (node, scope, visit) => someChild(node, scope, (child) => next(child, scope, visit));
  if (selector instanceof FilterSelector) {
    const holds = compileFilter(selector.expression, compileQuery);
    return (node, scope, visit) =>
      someChild(node, scope, (child) => holds(child, scope) && next(child, scope, visit));
  }
  throw new TypeError('a selector that RFC 9535 does not have');
}

function selectName(name: string, next: Walk): Walk {
  return (node, scope, visit) => {
    scope.spend(1);
    const { value } = node;
    if (!isJsonObject(value)) return false;
    const member = ownMember(value, name);
    return member !== undefined && next(childNode(node, value, name, member), scope, visit);
  };
}

function selectIndex(index: number, next: Walk): Walk {
  return (node, scope, visit) => {
    scope.spend(1);
    const { value } = node;
    if (!isJsonArray(value)) return false;
    const at = index < 0 ? value.length + index : index;
    const item = value[at];
    return item !== undefined && next(childNode(node, value, at, item), scope, visit);
  };
}

/** RFC 9535 section 2.3.4.2. */
function selectSlice(
  {
    start,
    stop,
    step = 1,
  }: { start?: number | undefined; stop?: number | undefined; step?: number | undefined },
  next: Walk,
): Walk {
  return (node, scope, visit) => {
    scope.spend(1);
    const { value } = node;
    if (!isJsonArray(value) || step === 0) return false;
    const { length } = value;
    const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
    const bound = (index: number): number =>
      Math.min(Math.max(index < 0 ? length + index : index, least), most);
    const from = start === undefined ? (step > 0 ? 0 : length - 1) : bound(start);
    const to = stop === undefined ? (step > 0 ? length : -1) : bound(stop);
    for (let at = from; step > 0 ? at < to : at > to; at += step) {
      scope.spend(1);
      const item = value[at];
      if (item !== undefined && next(childNode(node, value, at, item), scope, visit)) return true;
    }
    return false;
  };
}

function someChild(node: PathNode, scope: Scope, visit: Visit): boolean {
  const { value } = node;
  scope.spend(1);
  if (isJsonArray(value))
    for (const [index, item] of value.entries()) {
      scope.spend(1);
      if (visit(childNode(node, value, index, item))) return true;
    }
  else if (isJsonObject(value))
    for (const name of Object.keys(value)) {
      scope.spend(1);
      const member = value[name];
      if (member !== undefined && visit(childNode(node, value, name, member))) return true;
    }
  return false;
}
