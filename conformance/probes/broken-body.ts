import { isMergePatch } from '../../contract/openapi/media-type.ts';
import { refusalStatus } from '../../contract/openapi/response.ts';
import type { Contract } from '../../contract/contract.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
  type JsonValue,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import type { SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import { requirementsByOperation } from '../family/requirements.ts';
import { readAsSent } from '../generate/request-body.ts';
import { plainRequestValue } from '../generate/plain-value.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { once } from '../../contract/memo/once.ts';
import { type Intent, readJson } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { bodySchema, itemPath, withPathId, writersOf, type Path, type Writer } from './requests.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import { tagBody } from '../generate/template.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';

/** Most characters of all broken bodies of one operation together. */
export const maxBrokenBodies = 2 * 1024 * 1024;

/** A value that is broken in one way, possibly inside. */
interface BrokenValue {
  /** What is wrong with it, in words that follow "since": `` `name` is missing ``. */
  readonly way: string;
  /** The place, as requirements name it: `['owner', 'name']`, `['tags', '[]']`. */
  readonly path: readonly string[];
  /** 1: sent first. */
  readonly rank: number;
  /** The facet that it breaks: `required`, `type`, `values`, ... */
  readonly facet: string;
  readonly value: JsonValue;
}

/** A body that breaks the contract in exactly one way. */
export interface InvalidBody extends Pick<BrokenValue, 'way' | 'path' | 'rank'> {
  /** The requirement that says that it is refused. */
  readonly requirement: string;
  /** The text to send; undefined for no body. */
  readonly text: string | undefined;
  /** Requirements that explain another response, if more than one thing is wrong. */
  readonly unless?: readonly string[];
}

/** A requirement that an invalid body is refused. */
interface Refusal {
  readonly id: string;
  /** The place of what is invalid. */
  readonly path: readonly string[];
}

/** The requirements that invalid bodies of an operation are refused. */
export const refusalsOf = once((contract: Contract) =>
  once(({ id: operation }: Operation): readonly Refusal[] =>
    (requirementsByOperation(contract).get(operation) ?? []).flatMap(({ id, subject }) =>
      subject.kind === 'request' && subject.facet !== 'taken' && subject.facet !== 'optional'
        ? [{ id, path: subject.path }]
        : [],
    ),
  ),
);

/**
 * Breaks a valid body in one way for each of the `wanted` requirements, by default all. Missing members
 * are added in order to be broken. Bodies that turn out to be valid, or invalid in several places, are
 * left out.
 */
export function listInvalidBodies(
  contract: Contract,
  operation: Operation,
  valid: JsonValue,
  wanted: readonly Refusal[] = refusalsOf(contract)(operation),
): readonly InvalidBody[] {
  const { id } = operation;
  const bodies: InvalidBody[] = [];
  const whole = requirementId.requestFacet(id, [], 'required');
  if (wanted.some((each) => each.id === whole))
    bodies.push({
      requirement: whole,
      way: 'the body is missing',
      path: [],
      text: undefined,
      rank: 1,
    });
  const { required = new Set<string>() } = bodySchema(operation)?.shape() ?? {};
  // Lacks every required member: what a lenient reader makes of almost any input.
  const unless = [...required].map((name) => requirementId.requestFacet(id, [name], 'required'));
  const [requirement] = unless;
  if (requirement !== undefined && unless.length > 1) {
    const way = 'the body is an empty object';
    bodies.push({ requirement, way, path: [], text: '{}', rank: 2, unless });
  }
  let left = maxBrokenBodies;
  for (const each of listBreaks(contract, operation, valid, wanted)) {
    const text = renderJson(each.value);
    left -= text.length;
    if (left < 0) break;
    const broken = readBreak(operation, each, text);
    if (broken !== undefined) bodies.push(broken);
  }
  return bodies;
}

/** The body as a text; undefined if it is valid after all, or wrong in several places. */
export function readBreak(
  operation: Operation,
  { facet, value, ...broken }: BrokenValue & Pick<InvalidBody, 'requirement'>,
  text = renderJson(value),
): InvalidBody | undefined {
  // Validates what is sent. No server can read a number beyond the range of a double.
  const read = readJson(text);
  const sent = read === undefined ? undefined : readAsSent(operation, read);
  const issues = sent === undefined ? [] : (bodySchema(operation)?.validate(sent, 'request') ?? []);
  const isMeant = issues.some(({ keyword }) => facetOf(keyword) === facet);
  const isAtOnePlace = new Set(issues.map(({ at }) => at)).size === 1;
  return isMeant && isAtOnePlace ? { ...broken, text } : undefined;
}

/** The body and intent of a request that must be refused. */
export function refusedBody(
  { requirement, way, text, unless }: Omit<InvalidBody, 'path' | 'rank'>,
  status: number,
): Pick<Request, 'intent' | 'body'> {
  const intent: Intent = { kind: 'invalid', requirement, way, status, ...(unless && { unless }) };
  return text === undefined ? { intent } : { intent, body: text };
}

/**
 * Sorts bodies so that the most revealing one of each requirement comes first, then the second
 * ones.
 */
export function inTurns<Body extends Pick<InvalidBody, 'requirement' | 'rank'>>(
  bodies: readonly Body[],
): readonly (Body & { readonly turn: number })[] {
  const sorted = bodies.toSorted((a, b) => a.rank - b.rank);
  return [...Map.groupBy(sorted, ({ requirement }) => requirement).values()]
    .flatMap((alike) => alike.map((body, turn) => ({ ...body, turn })))
    .toSorted((a, b) => a.turn - b.turn || a.rank - b.rank);
}

/** Lists each way to break a `wanted` requirement of a body. Some bodies may be valid after all. */
export function* listBreaks(
  contract: Contract,
  operation: Operation,
  valid: JsonValue,
  wanted: readonly Refusal[] = refusalsOf(contract)(operation),
): Generator<BrokenValue & Pick<InvalidBody, 'requirement'>> {
  const node = bodySchema(operation);
  if (node === undefined) return;
  const isClosed = contract.openQuestions.length > 0;
  const ids = new Set(wanted.map(({ id }) => id));
  const places = new Set(
    wanted.flatMap(({ path }) => path.map((_step, at) => renderPointer(path.slice(0, at + 1)))),
  );
  for (const each of breakValue(node, valid, [], { places, isClosed })) {
    const requirement = requirementId.requestFacet(operation.id, each.path, each.facet);
    if (ids.has(requirement)) yield { ...each, requirement };
  }
}

/** Of wrong types for the whole body, servers most often accept an array, for its first item. */
const rootRanks: Readonly<Record<string, number>> = {
  'an array around a valid value': 1,
  null: 1.5,
  'an array': 3,
  'an object': 3,
  'a string of digits': 3,
  'a number': 3,
};

/** What is the same for all values in a body. */
interface Breaking {
  /** The pointers of the places that wanted requirements are about, and of those on the way to them. */
  readonly places: ReadonlySet<string>;
  /** The document lists its open questions, so that it leaves nothing else open. */
  readonly isClosed: boolean;
}

/** Whether many frameworks convert a value to the type of a schema, so that it proves less. */
function isConvertible({ types }: Shape, value: JsonValue): boolean {
  if (types.includes('object') || types.includes('array')) return false;
  // A fraction that becomes an integer is cut.
  return typeof value === 'number'
    ? Number.isInteger(value)
    : !isJsonObject(value) && !isJsonArray(value);
}

/** Lists each way to break a value: first the value itself, then what is in it. */
function* breakValue(
  node: SchemaNode,
  valid: JsonValue | undefined,
  path: readonly string[],
  within: Breaking,
): Generator<BrokenValue> {
  const shape = node.shape();
  const name = path.length === 0 ? 'the body' : `\`${path.join('.')}\``;
  for (const { facet, wrong } of shape.limits())
    for (const each of wrong?.() ?? []) {
      // Lenient readers take the first item of an array around a valid value.
      const isAround =
        facet === 'type' && isJsonArray(each.value) && valid !== undefined && !isJsonArray(valid);
      const found = isAround
        ? { ...each, name: 'an array around a valid value', value: [valid] }
        : each;
      const isRoot = path.length === 0 && facet === 'type';
      const isMinor = facet === 'type' && !within.isClosed && isConvertible(shape, found.value);
      const isFirst = !within.isClosed && facet === 'type' && found.name === 'an object';
      const own = isMinor ? found.rank + 2 : isFirst ? 1 : found.rank;
      const rank = isRoot ? rootRanks[found.name] : own + Math.max(0, path.length - 1);
      if (facet !== undefined && rank !== undefined)
        yield { path, facet, way: `${name} is ${found.name}`, value: found.value, rank };
    }
  if (isJsonArray(valid) && shape.items !== undefined) {
    const [first = plainRequestValue(shape.items), ...rest] = valid;
    const twice = { way: `${name} has a duplicate item`, rank: 1 };
    if (first !== undefined)
      yield { path, facet: 'unique-items', ...twice, value: [first, first, ...rest] };
    for (const inner of breakValue(shape.items, first, [...path, '[]'], within))
      yield { ...inner, value: [inner.value, ...rest] };
  }
  if (!isJsonObject(valid)) return;
  const way = `${name} has an undescribed member`;
  yield { path, facet: 'additional', way, value: { ...valid, noSuchMember: true }, rank: 2 };
  for (const [key, member] of shape.properties) {
    const at = [...path, key];
    if (!within.places.has(renderPointer(at))) continue;
    const isThere = Object.hasOwn(valid, key);
    if (isThere && shape.required.has(key)) {
      const { [key]: left, ...rest } = valid;
      const missing = { path: at, facet: 'required', way: `\`${at.join('.')}\` is missing` };
      yield { ...missing, value: rest, rank: path.length + 1 };
      for (const [index, other] of otherSpellings(key, shape).entries()) {
        const spelled = `${missing.way}, and \`${other}\` is present`;
        yield { ...missing, way: spelled, value: { ...rest, [other]: left }, rank: 2 + index };
      }
    }
    const own = isThere ? valid[key] : plainRequestValue(member);
    for (const inner of breakValue(member, own, at, within))
      yield { ...inner, value: { ...valid, [key]: inner.value } };
  }
}

/** A name as lenient readers accept it: in snake case or with other capitals. */
function otherSpellings(name: string, { properties }: Shape): readonly string[] {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const spellings = [snake, capital, name.toUpperCase()];
  return [...new Set(spellings)].filter((each) => each !== name && !properties.has(each));
}

/** Additions that break the contract in one way each, and must be refused. */
export function listInvalidProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources
    .flatMap((resource) => writersOf(contract)(resource).slice(0, 1))
    .filter((create) => create.operation === create.resource.create)
    .flatMap((create) => listBroken(contract, create).map((each) => invalidProbe(create, each)));
}

/**
 * The same for changes of an item that must stay as it is: first one body for each requirement,
 * then a second one, and so on. Bodies whose effect can be seen come first.
 */
export function listInvalidChangeProbes(contract: Contract, writer: Writer): readonly Probe[] {
  // Null removes a member, whatever its schema says.
  const isMerge = isMergePatch(writer.operation);
  const sent = listBroken(contract, writer).filter(
    ({ way }) => !(isMerge && way.endsWith(' is null')),
  );
  /** Missing members of a replacement first, then single values, then the whole body. */
  const kindOf = ({ path, way }: InvalidBody): number => {
    if (path.length === 0) return 2;
    return way.endsWith(' is missing') && writer.act === 'replace' ? 0 : 1;
  };
  return inTurns(sent)
    .toReversed()
    .toSorted((a, b) => a.turn - b.turn || kindOf(a) - kindOf(b))
    .map(({ turn, ...each }) => ({ ...each, rank: each.rank + Math.min(turn, 2) }))
    .map((each) => ({ ...invalidProbe(writer, each), phase: 'refused-change' }));
}

function listBroken(contract: Contract, { operation, template }: Writer): readonly InvalidBody[] {
  if (refusalStatus(operation) === undefined) return [];
  const valid = template.wrap(tagBody(template, template.plain(), 'tag-00000000'));
  return listInvalidBodies(contract, operation, valid);
}

/** A request with an invalid body. Not sent to change an item if there is none. */
function invalidProbe(writer: Writer, invalid: InvalidBody): Probe {
  const { operation, resource, act } = writer;
  const { requirement, way, text, rank } = invalid;
  return createProbe(operation, `invalid: ${way}`, {
    phase: 'invalid',
    rank,
    proves: [
      requirement,
      ...[400, 422].map((each) => requirementId.state(operation.id, `not-written.${each}`)),
    ],
    run: async (run) => {
      const id = act === 'create' ? undefined : run.known.own(resource, 'stay');
      if (act !== 'create' && id === undefined) return;
      const path = id === undefined ? {} : itemPath(resource, id);
      const sent = text && retag(writer, text, invalid.path, path, run);
      const refused = refusedBody({ ...invalid, text: sent }, refusalStatus(operation) ?? 400);
      await run.session.send({ operation, path, ...refused });
    },
  });
}

/** Puts the run's tag and known references into an invalid body where those members are valid. */
function retag(
  writer: Writer,
  text: string,
  brokenPath: InvalidBody['path'],
  path: Path,
  { known, nextTag }: Run,
): string {
  const { resource, template } = writer;
  const whole = parseJson(text);
  const body = valueAt(whole, template.place);
  const broken = brokenPath[template.place.length];
  if (!isJsonObject(body)) return text;
  const tagged = tagBody(template, body, nextTag(), known.references(resource));
  const kept = Object.entries(withPathId(writer, path, tagged)).filter(([name]) =>
    Object.hasOwn(body, name),
  );
  const item = Object.fromEntries(
    kept.map(([name, value]) => [name, name === broken ? body[name] : value]),
  );
  return renderJson(withValueAt(whole, template.place, item));
}
