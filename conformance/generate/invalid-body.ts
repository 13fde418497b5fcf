import { facetOf } from '../../contract/schema/keywords.ts';
import {
  isJsonArray,
  parseJson,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Issue, SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import type { WrongValue } from '../../contract/schema/keyword/keyword.ts';
import { plainRequestValue } from './plain-value.ts';

/** A body that is outside the contract in exactly one way. */
export interface InvalidBody {
  /** The requirement that says that it is refused. */
  readonly requirement: string;
  /** What is wrong with it, in words that follow "since": `` `name` is missing ``. */
  readonly way: string;
  /** The text to send; undefined: none. */
  readonly text: string | undefined;
  /** Requirements that explain another response, where more than one thing is wrong. */
  readonly unless?: readonly string[];
  /** 1: sent first. */
  readonly rank: number;
}

/** A body with what it is to break: the facet that its requirement names. */
interface Broken extends InvalidBody {
  readonly text: string;
  readonly facet: string;
}

/** Breaks a valid body in one way each; what is valid, read back from its bytes, is left out. */
export function listInvalidBodies(
  operation: string,
  node: SchemaNode,
  required: boolean,
  valid: JsonObject,
): readonly InvalidBody[] {
  const requirement = requirementId.requestBody(operation);
  const missing = { requirement, way: 'the body is missing', text: undefined, rank: 1 };
  const invalid = [...invalidRoots(operation, valid), ...invalidMembers(operation, node, valid)];
  return [
    ...(required ? [missing] : []),
    ...emptyObject(operation, node),
    ...invalid.flatMap(({ facet, ...body }) =>
      breaksOnce(node.validate(parseJson(body.text)), facet) ? [body] : [],
    ),
  ];
}

/** Lacks every required member at once: what a lenient reader makes of almost anything. */
function emptyObject(operation: string, node: SchemaNode): readonly InvalidBody[] {
  const all = [...node.shape().required].map((name) =>
    requirementId.requestFacet(operation, [name], 'required'),
  );
  const [first] = all;
  if (first === undefined || all.length < 2) return [];
  return [
    { requirement: first, way: 'the body is an empty object', text: '{}', rank: 2, unless: all },
  ];
}

/** Judged by the bytes: what is wrong, if it is wrong at one place only. */
export function onlyIssue(node: SchemaNode, text: string): Issue | undefined {
  const issues = node.validate(parseJson(text));
  if (new Set(issues.map(({ at }) => at)).size !== 1) return undefined;
  return issues.find(({ keyword }) => keyword === 'type') ?? issues[0];
}

/** Whether a body is wrong at one place only, and there in what its requirement names. */
export function breaksOnce(issues: readonly Issue[], facet: string): boolean {
  return (
    new Set(issues.map(({ at }) => at)).size === 1 &&
    issues.some(({ keyword }) => facetOf(keyword) === facet)
  );
}

function* invalidRoots(operation: string, valid: JsonObject): Generator<Broken> {
  const facet = 'type';
  const requirement = requirementId.requestFacet(operation, [], facet);
  const roots: readonly (readonly [string, JsonValue])[] = [
    ['an array', [valid]],
    ['null', null],
    ['a string', 'text'],
    ['a number', 1],
  ];
  for (const [index, [name, value]] of roots.entries()) {
    const way = `the body is ${name}`;
    const rank = [1, 1.5][index] ?? 3;
    yield { requirement, facet, way, text: renderJson(value), rank };
  }
}

function* invalidMembers(
  operation: string,
  node: SchemaNode,
  valid: JsonObject,
): Generator<Broken> {
  const shape = node.shape();
  yield {
    requirement: requirementId.requestFacet(operation, [], 'additional'),
    facet: 'additional',
    way: 'the body has an undescribed member',
    text: renderJson({ ...valid, noSuchMember: true }),
    rank: 2,
  };
  for (const [name, member] of shape.properties) {
    if (shape.required.has(name)) {
      const { [name]: _left, ...rest } = valid;
      const facet = 'required';
      const requirement = requirementId.requestFacet(operation, [name], facet);
      yield { requirement, facet, way: `\`${name}\` is missing`, text: renderJson(rest), rank: 1 };
      for (const [index, other] of otherSpellings(name, shape).entries())
        yield {
          requirement,
          facet,
          way: `\`${name}\` is missing, and \`${other}\` is present`,
          text: renderJson({ ...rest, [other]: valid[name] }),
          rank: 2 + index,
        };
    }
    const value = valid[name] ?? plainRequestValue(member);
    for (const each of wrongValues(member.shape(), valid[name])) {
      const wrong = aroundValid(each, value);
      const text = renderJson({ ...valid, [name]: wrong.value });
      const path = [name, ...(wrong.within ?? [])];
      const { facet } = wrong;
      const requirement = requirementId.requestFacet(operation, path, facet);
      yield { requirement, facet, way: `\`${name}\` is ${wrong.name}`, text, rank: wrong.rank };
    }
  }
}

/** A name as readers that do not look closely take it: in other case, and with its words apart. */
function otherSpellings(name: string, { properties }: Shape): readonly string[] {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const spellings = [snake, capital, name.toUpperCase()];
  return [...new Set(spellings)].filter((each) => each !== name && !properties.has(each));
}

/** An array of something else is one around the valid value, whose first item lenient readers take. */
function aroundValid(wrong: WrongMember, valid: JsonValue | undefined): WrongMember {
  const isPlain = isJsonArray(wrong.value) && wrong.facet === 'type' && !wrong.within;
  if (!isPlain || valid === undefined || isJsonArray(valid)) return wrong;
  return { ...wrong, name: 'an array around a valid value', value: [valid] };
}

interface WrongMember extends WrongValue {
  readonly facet: string;
  /** Where inside the member it is: `[]` for an item of an array. */
  readonly within?: readonly string[];
}

function* wrongValues(shape: Shape, valid: JsonValue | undefined): Generator<WrongMember> {
  for (const { facet, wrong } of shape.limits())
    if (facet !== undefined) for (const each of wrong?.() ?? []) yield { facet, ...each };
  if (shape.types.includes('array') && shape.items && Array.isArray(valid)) {
    for (const wrong of wrongValues(shape.items.shape(), undefined)) {
      yield {
        ...wrong,
        within: ['[]', ...(wrong.within ?? [])],
        name: `an array with ${wrong.name}`,
        value: [wrong.value],
        rank: wrong.rank + 1,
      };
    }
  }
}
