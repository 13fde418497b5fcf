import { decodePercent } from '../../contract/source/percent.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { type CredentialUse, headerOf } from '../../conformance/index.ts';
import { isCrash, pathIdOf, type Reading } from './log.ts';
import type { Condition } from './fact.ts';
import { valueClassesOf } from './value-class.ts';

/** What of a condition makes it that one. */
export function keyOf(condition: Condition): string {
  return JSON.stringify(condition, (_name, value: unknown) => value ?? null);
}

/** Everything that can be said of an exchange by its request, the most telling first. */
function* conditionsOf(reading: Reading): Generator<Condition> {
  const { exchange, operation, sent, expected } = reading;
  const { request, intent, group } = exchange;
  yield* headerConditions(reading);
  if (intent.kind === 'invalid') yield { kind: 'way', way: intent.way };
  yield* credentialConditions(request.credential);
  if (operation?.requestBody !== undefined)
    yield* bodyConditions(request.body, sent, membersOf(operation));
  for (const [name, value] of new URLSearchParams(request.target.split('?')[1] ?? ''))
    yield* queryConditions(name, value);
  if (operation?.path.includes('{') === true)
    for (const value of valueClassesOf(readValue(pathIdOf(reading)))) yield { kind: 'path', value };
  if (group !== undefined) yield { kind: 'same-time' };
  if (intent.kind === 'beyond') yield { kind: 'beyond' };
  if (expected !== undefined) yield { kind: 'due', status: expected };
}

/** Whether it holds for an exchange. */
export function holds(condition: Condition, reading: Reading): boolean {
  if (condition.kind === 'has-header')
    return (
      reading.response !== undefined && headerOf(reading.response, condition.name) !== undefined
    );
  if (condition.kind === 'after') return reading.exchange.index > condition.exchange;
  if (condition.kind === 'answered') return isAnswered(condition.with, reading);
  if (condition.kind === 'credential')
    return condition.uses.includes(reading.exchange.request.credential);
  const key = keyOf(condition);
  return conditionsOf(reading).some((each) => keyOf(each) === key);
}

function isAnswered(words: string, reading: Reading): boolean {
  const status = reading.response?.status;
  if (status === undefined || isCrash(reading)) return false;
  if (words === 'any') return true;
  if (words === 'errors') return status >= 400;
  return words === 'successes' ? status < 300 : String(status) === words;
}

/** What the requests of a run have as a rule, and what they have where nothing is said. */
const usualHeaders = new Set(['accept: application/json', 'content-type: application/json']);
const telling = new Set([
  'accept',
  'content-type',
  'content-encoding',
  'accept-encoding',
  'expect',
]);

function* headerConditions({ exchange: { request } }: Reading): Generator<Condition> {
  for (const [name, value] of request.headers) {
    const known = name.toLowerCase();
    if (telling.has(known) && !usualHeaders.has(`${known}: ${value}`))
      yield { kind: 'header', name: known, value };
  }
}

function* credentialConditions(use: CredentialUse): Generator<Condition> {
  if (use === 'valid') return;
  yield { kind: 'credential', uses: [use] };
}

type Members = ReadonlyMap<string, SchemaNode>;

/** The members that the document gives a body. */
function membersOf({ requestBody }: Operation): Members {
  const schema = requestBody?.content.find((each) => each.schema)?.schema;
  return schema?.shape().properties ?? new Map();
}

function* bodyConditions(
  text: string | undefined,
  sent: JsonValue | undefined,
  known: Members,
): Generator<Condition> {
  if (text === undefined || text === '') yield { kind: 'no-body' };
  else if (sent === undefined) yield { kind: 'not-json' };
  else if (!isJsonObject(sent)) {
    for (const value of valueClassesOf(sent)) yield { kind: 'body', value };
    yield { kind: 'not-object' };
  } else {
    for (const name of new Set([...known.keys(), ...Object.keys(sent)]))
      yield* memberConditions(name, sent[name], known.get(name));
    yield { kind: 'only-members', names: Object.keys(sent) };
  }
}

function* memberConditions(
  name: string,
  value: JsonValue | undefined,
  schema: SchemaNode | undefined,
): Generator<Condition> {
  if (schema === undefined) {
    yield { kind: 'further-member', name };
    yield { kind: 'further-member' };
  } else if (schema.shape().values !== undefined && typeof value === 'string')
    yield { kind: 'member-is', name, text: value };
  for (const each of valueClassesOf(value)) yield { kind: 'member', name, value: each };
  if (value !== undefined && (schema?.validate(value).length ?? 0) > 0)
    yield { kind: 'member-invalid', name };
}

function* queryConditions(name: string, text: string): Generator<Condition> {
  yield { kind: 'query-is', name, text };
  for (const value of valueClassesOf(readValue(text))) yield { kind: 'query', name, value };
  yield { kind: 'query-has', name };
}

/** A value of a path or query: a number where it looks like one. */
function readValue(text: string): JsonValue {
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : (decodePercent(text) ?? text);
}

/** Exchanges with what sets them apart from others; without a condition where nothing does. */
export interface ConditionClass {
  readonly condition: Condition | undefined;
  readonly readings: readonly Reading[];
}

/** Most classes of one outcome: what needs more of them has no condition. */
const mostClasses = 3;

/**
 * Divides exchanges into as few classes as set them apart from others: each exchange of a class has
 * something that none of the others has. First come operations of which there are no others.
 */
export function classify(
  some: readonly Reading[],
  others: readonly Reading[],
): readonly ConditionClass[] {
  const elsewhere = new Set(others.map(({ operation }) => operation));
  const whole = some.filter(({ operation }) => !elsewhere.has(operation));
  const foreign = new Set(others.flatMap((each) => [...conditionsOf(each)].map(keyOf)));
  const classes: ConditionClass[] =
    whole.length > 1 ? [{ condition: undefined, readings: whole }] : [];
  let left = some.filter((each) => whole.length < 2 || !whole.includes(each));
  const own = new Map(
    left.map((each) => [
      each,
      new Map([...conditionsOf(each)].map((one) => [keyOf(one), one] as const)),
    ]),
  );
  const unexplained: Reading[] = [];
  while (left.length > 0) {
    const key = mostFrequent(
      left.map((each) => [...(own.get(each)?.keys() ?? [])]),
      foreign,
    );
    if (key === undefined) {
      for (const each of left) unexplained.push(each);
      break;
    }
    const readings = left.filter((each) => own.get(each)?.has(key));
    const [first] = readings;
    classes.push({ condition: first && own.get(first)?.get(key), readings });
    left = left.filter((each) => !readings.includes(each));
  }
  // Single requests that differ from the others in something each are no explanation of the rest.
  const single = classes.filter(({ readings }) => readings.length === 1);
  const rest = [...unexplained, ...single.flatMap(({ readings }) => readings)];
  const isTooMany = classes.length > mostClasses || (unexplained.length > 0 && single.length > 0);
  if (!isTooMany)
    return unexplained.length === 0
      ? classes
      : [...classes, { condition: undefined, readings: unexplained }];
  return [
    ...classes.filter((each) => !single.includes(each)),
    ...(rest.length === 0 ? [] : [{ condition: undefined, readings: rest }]),
  ];
}

/** The key in most lists; of several the first. */
function mostFrequent(
  lists: readonly (readonly string[])[],
  without: ReadonlySet<string>,
): string | undefined {
  const counts = new Map<string, number>();
  for (const key of lists.flat())
    if (!without.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const most = counts.values().reduce((one, other) => Math.max(one, other), 0);
  return [...counts].find(([, count]) => count === most)?.[0];
}
