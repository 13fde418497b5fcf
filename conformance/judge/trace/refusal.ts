import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { parsePointer, resolvePointer, renderPointer } from '../../../contract/json/pointer.ts';
import { isJsonPatch } from '../../../contract/json/json-patch.ts';
import { withoutMember } from '../../../contract/json/place.ts';
import { type OpenQuestion, openMember } from '../../../contract/openapi/open-question.ts';
import { memberContent } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { schemaAt } from '../../../contract/resource/item-view.ts';
import {
  idName,
  type Resource,
  resourceOf,
  sentPlace,
  shownSchema,
} from '../../../contract/resource/resource.ts';
import { mayBeUnique } from '../../generate/template.ts';
import { shapeOfText } from '../../generate/text-values.ts';
import { isLeftover } from '../../generate/tag.ts';
import { describeUse } from '../../transport/credential.ts';
import { once } from '../../../contract/memo/once.ts';
import { referredResource } from '../../generate/reference.ts';
import { collectionOf, collectionsOf, isWhole, isWithinKnown, scalarsIn } from './collection.ts';
import { plainName, wordOfId } from '../../../contract/resource/names.ts';
import { canShow, isFreeText, isSame, type Item, memberSchema, trimEnds } from './item.ts';
import {
  idIn,
  itemsOf,
  pathIdOf,
  queryOf,
  renderPlain,
  type Reading,
  type Trace,
} from './trace.ts';

/** Whether a proxy may have sent a response: a 400 to a request that is not valid HTTP. */
export function mayBeOfProxy({ exchange: { request }, status }: Reading): boolean {
  return status === 400 && describeUse(request.credential).breaksHttp === true;
}

/**
 * Why a valid request may have been refused, in words that follow a status; undefined if nothing
 * allows it. Documents describe the form of bodies and parameters, rarely their meaning. If a
 * document announces a refusal, made-up values may have caused it, except for operations of a known
 * resource. A document that lists its open questions leaves nothing else open.
 */
export function explainByDocument(reading: Reading, trace: Trace): string | undefined {
  const { exchange, operation, status, documented } = reading;
  const { intent, request } = exchange;
  if (intent.kind !== 'valid' || status < 400 || status >= 500) return undefined;
  const [guess] = intent.guessed ?? [];
  if (guess !== undefined) return `the suite does not know a \`${guess}\` that exists (--id)`;
  if (isJsonPatch(reading.sent))
    return 'as a JSON Patch fits only items with the members that it names (RFC 6902)';
  if (trace.contract.openQuestions.length > 0) return undefined;
  if ((status === 401 || status === 403) && operation.credential.kind !== 'none') {
    const isKeyGood = trace.readings.some(
      (each) => each.succeeded && each.hasKey && each.operation.credential.kind !== 'none',
    );
    return isKeyGood ? 'the key may not allow this operation' : undefined;
  }
  if (documented === undefined) return undefined;
  const [first, last] = reversedMembers(reading, trace) ?? [];
  if (first !== undefined)
    return `which the document announces, and \`${last}\` may have to be after \`${first}\``;
  const reference = danglingReference(reading, trace);
  if (reference !== undefined)
    return `which the document announces, and no response showed the \`${reference}\` that was sent`;
  const isResource = isOfKnownItems(reading, trace);
  const isMissing = status === 404 || status === 410;
  if (stateStatuses.has(status) && !(isResource && isMissing))
    return 'which the document announces';
  if (isResource) {
    if (isOfMeaning(reading, trace)) return 'which the document announces beside 400';
    if (isOfBlankText(reading, trace))
      return 'which the document announces, for a text that is NUL or white space in part';
    const unshown = unshownMember(reading, trace);
    if (unshown !== undefined)
      return `which the document announces, and no item can show the \`${unshown}\` that was sent`;
    const shared = sharedText(reading, trace);
    return (
      shared && `which the document announces, and another item may have the same \`${shared}\``
    );
  }
  const served = trace.of(operation).filter(({ isServed }) => isServed);
  const isMadeUp =
    served.length === 0
      ? request.body !== undefined ||
        operation.parameters.some(({ required, examples }) => required && examples.length === 0)
      : listIssued(reading).some(
          (name) => !served.some(({ body }) => isJsonObject(body) && Object.hasOwn(body, name)),
        );
  return isMadeUp ? 'which the document announces, for values that the suite generated' : undefined;
}

/** Names of texts that only a service can give, so no text that the suite generates may be valid. */
const issuedNames = /cursor|token|marker|continuation|captcha|signature|code$/;

/** Names of the members of a body with such names, whose texts the document does not describe. */
function listIssued({ operation, body }: Reading): readonly string[] {
  const { properties } = memberContent(operation)?.schema?.shape() ?? {};
  return Object.keys(isJsonObject(body) ? body : {}).filter((name) => {
    const shape = properties?.get(name)?.shape();
    return shape !== undefined && isFreeText(shape) && issuedNames.test(plainName(name));
  });
}

/**
 * If a document has both 400 and 422, a 422 is about the meaning of a well-formed body (RFC 9110
 * section 15.5.21), such as a birthday in the future. Not if the operation served no request at
 * all.
 */
function isOfMeaning({ operation, status, documented }: Reading, trace: Trace): boolean {
  const hasOther = operation.responses.some((each) => each.status === '400');
  const isListed = documented?.status === '422' && hasOther;
  return status === 422 && isListed && trace.of(operation).some(({ isServed }) => isServed);
}

/** A member with a value that the schema of items forbids; undefined for none. */
function unshownMember({ operation, sent }: Reading, { contract }: Trace): string | undefined {
  const resource = resourceOf(contract.resources, operation);
  if (resource === undefined || !isJsonObject(sent)) return undefined;
  return Object.keys(sent).find((name) => !canShow(resource, name, sent[name]));
}

/** Words in the names of two members that are the ends of a range. */
const rangeEnds =
  'start end,begin end,from to,from until,since until,after before,min max,lower upper,open close,checkin checkout,arrival departure'
    .split(',')
    .map((pair) => pair.split(' '));

/**
 * The members of a body, or parameters of a query, that are the ends of a range: the first is not
 * before the last, or a PATCH sends only one of them. Schemas cannot say that this is invalid.
 */
function reversedMembers(reading: Reading, { contract }: Trace): readonly string[] | undefined {
  const { operation, exchange, body, sent } = reading;
  const query = operation.parameters.map(({ name }) => [name, queryOf(exchange, name)] as const);
  const { item } = resourceOf(contract.resources, operation) ?? {};
  const others = operation.method === 'PATCH' ? (item?.shape().properties.keys() ?? []) : [];
  return reversedIn(Object.fromEntries(query)) ?? reversedIn(body) ?? reversedIn(sent, [...others]);
}

/** `others`: names of members that the item has besides. */
function reversedIn(
  value: JsonValue | undefined,
  others: readonly string[] = [],
): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, JsonValue | undefined>(Object.entries(value));
  const names = new Map([...others, ...members.keys()].map((name) => [plainName(name), name]));
  for (const [plain, first] of names)
    for (const [one = '', other = ''] of rangeEnds) {
      const last = plain.includes(one) ? names.get(plain.replace(one, other)) : undefined;
      if (last === undefined) continue;
      const [start, end] = [first, last].map((name) => positionOf(members.get(name)));
      const isAlone = others.length > 0 && (start ?? end) !== undefined;
      if (start === undefined || end === undefined ? isAlone : start >= end) return [first, last];
    }
  return [...members.values()].map((each) => reversedIn(each)).find((found) => found !== undefined);
}

/** A number, or the minute of a text, to compare: what is shorter may be too short. */
function positionOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'string') return typeof value === 'number' ? value : undefined;
  const number = Number(value.replaceAll(':', ''));
  const position = Number.isNaN(number) ? Math.floor(Date.parse(value) / 60_000) : number;
  return Number.isNaN(position) ? undefined : position;
}

/**
 * Many services take white space off the ends of texts before they validate them, and store no NUL.
 * Not where nothing is served.
 */
function isOfBlankText({ operation, body }: Reading, trace: Trace): boolean {
  const schema = memberContent(operation)?.schema;
  if (schema === undefined || !trace.of(operation).some(({ isServed }) => isServed)) return false;
  let hasNul = false;
  const trimmed = mapTexts(body ?? null, (text) => {
    hasNul ||= text.includes('\0');
    return trimEnds(text);
  });
  return hasNul || !schema.isValid(trimmed);
}

/** A value with other texts in the place of its own, names of members apart. */
function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (isJsonArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => [name, mapTexts(member, change)]),
  );
}

/**
 * The identifier, or a member that services often require to be unique, if another item has its
 * value. Another item may have it if no list showed all items and the text is not unique to this run.
 */
function sharedText(reading: Reading, trace: Trace): string | undefined {
  const { operation, sent } = reading;
  const resource = resourceOf(trace.contract.resources, operation);
  const isServing = trace.of(operation).some(({ isValid, status }) => isValid && status < 300);
  if (resource === undefined || !isJsonObject(sent) || !isServing) return undefined;
  const { additions, listings } = collectionOf(trace, resource, reading);
  const added = additions.filter((each) => each.reading !== reading);
  const known: Pick<Item, 'id' | 'members'>[] = [
    ...added.map(({ answered }) => answered),
    ...listings.flatMap(({ items }) => items),
  ];
  const own = pathIdOf(reading, resource);
  // Also what was added although it should have been refused.
  const posted = trace.of(own === undefined ? operation : undefined);
  for (const each of posted)
    if (each !== reading && each.status < 300 && isJsonObject(each.sent))
      known.push({ id: renderPlain(idIn(each.sent, resource) ?? ''), members: each.sent });
  const hasAll = listings.some(isWhole);
  const wished = own === undefined ? idIn(sent, resource) : undefined;
  if (wished !== undefined && (!hasAll || known.some(({ id }) => id === renderPlain(wished))))
    return idName(resource);
  return Object.entries(sent).find(([name, text]) => {
    const member = memberSchema(resource, name);
    if (typeof text !== 'string' || !member || !mayBeUnique(name, member)) return false;
    if (!hasAll && !isLeftover({ text })) return true;
    return known.some(({ id, members: { [name]: other } }) => {
      return id !== own && typeof other === 'string' && isSameName(other, text);
    });
  })?.[0];
}

/**
 * A member, also a nested one, that refers to another item, such as `author` or `ownerId`, which no
 * response has shown.
 */
function danglingReference({ operation, sent, index }: Reading, trace: Trace): string | undefined {
  const { resources } = trace.contract;
  const own = resourceOf(resources, operation);
  const collections = collectionsOf(trace);
  const isShown = (name: string, value: JsonValue, target: Resource | undefined): boolean =>
    collections.some(({ resource, shown, firstSeen, additions, attempts }) => {
      const id = renderPlain(value);
      if (resource === target) {
        const listed = firstSeen().get(id)?.listing;
        const added = additions.find(({ answered }) => answered.id === id);
        const isKnown = [listed, added].some((each) => each && each.reading.index < index);
        return (
          isKnown &&
          !attempts()
            .get(id)
            ?.some(({ request }) => request.method === 'DELETE')
        );
      }
      const isOfItem = (item: JsonObject): boolean =>
        membersIn(item).some(([its, other]) => its === name && isSame(other, value));
      return resource === own && shown().some(({ members }) => isOfItem(members));
    });
  const ownId = own?.idPlace[0];
  return membersIn(sent).find(([name, value, depth]) => {
    const target = referredResource(trace.contract, name, own);
    const isOwnId = depth === 0 && name === ownId;
    if (isOwnId || (target === undefined && wordOfId(name) === undefined)) return false;
    return (isJsonArray(value) ? value : [value]).some(
      (one) => typeof one !== 'object' && typeof one !== 'boolean' && !isShown(name, one, target),
    );
  })?.[0];
}

/** The members of a value and of all values in it, each with its name and its depth. */
function* membersIn(
  value: JsonValue | undefined,
  depth = 0,
): Generator<readonly [name: string, value: JsonValue, depth: number]> {
  if (isJsonArray(value)) for (const one of value) yield* membersIn(one, depth + 1);
  else if (isJsonObject(value))
    for (const [name, member = null] of Object.entries(value)) {
      yield [name, member, depth];
      yield* membersIn(member, depth + 1);
    }
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Statuses that depend on the data of the target, not on the form of a request. */
const stateStatuses: ReadonlySet<number> = new Set([
  402, 403, 404, 408, 409, 410, 412, 423, 424, 425, 428, 451,
]);

/**
 * Whether a response refuses an invalid request as documented. `excused`: it refuses for another
 * reason, which the server may check first. If the document lists its open questions, only the
 * documented status counts. The same is true for operations of known resources, except for what
 * servers return when a body is missing.
 */
export function readRefusal(
  reading: Reading,
  wanted: number,
  trace: Trace,
): 'kept' | 'excused' | 'failed' {
  const { status, operation, documented, exchange } = reading;
  const { contract } = trace;
  const isListed = operation.responses.some((each) => each.status === String(status));
  // If a document lists both 400 and 422 for refusals, either is correct.
  const isEither = isListed && [400, 422].includes(status) && [400, 422].includes(wanted);
  if (status === wanted || isEither) return 'kept';
  // A 207 has a status for each part of the request (RFC 4918 section 13).
  const isPartly = status === 207 && isListed && [400, 422].includes(wanted);
  if (isPartly && scalarsIn(reading.json).some((one) => /^[45]\d\d$/.test(one))) return 'excused';
  if (contract.openQuestions.length > 0 || status < 400 || status >= 500) return 'failed';
  if (isOfKnownItems(reading, trace)) {
    const isBare =
      exchange.request.body === undefined &&
      (bareStatuses.has(status) || (status === 400 && documented !== undefined));
    const isTaken = status === 409 && isListed && sharedText(reading, trace) !== undefined;
    return isBare || isTaken ? 'excused' : 'failed';
  }
  const alike = wanted === 401 ? [401, 403] : [400, 422];
  return alike.includes(status) && documented !== undefined ? 'kept' : 'excused';
}

/**
 * Whether a service read a text as the number or truth value that it spells, or one of them as
 * text, or null as nothing, or without white space at its ends, as many frameworks do, and the
 * response shows the value so read, or has no place for it. Not if the document lists its open questions.
 */
export function isConverted({ operation, body, item, succeeded }: Reading, trace: Trace): boolean {
  const { openQuestions, resources } = trace.contract;
  const schema = memberContent(operation)?.schema;
  const issuesOf = (value: JsonValue = null) => schema?.validate(value, 'request') ?? [];
  const [issue] = issuesOf(body);
  const { at = '' } = issue ?? {};
  const isOfType = ['type', 'anyOf', 'oneOf'].includes(issue?.keyword ?? '');
  if (!succeeded || body === undefined || openQuestions.length > 0) return false;
  const sent = resolvePointer(body, at);
  const steps = parsePointer(at);
  const path = steps.slice(sentPlace(resources, operation).length);
  if (sent === undefined || steps.length === 0) return false;
  const shown = resolvePointer(item ?? null, renderPointer(path)) ?? null;
  if (typeof sent === 'string' && shown !== sent && shown === trimEnds(sent)) return true;
  if (!isOfType) return false;
  if (sent === null) return isJsonObject(body) && issuesOf(withoutMember(body, steps)).length === 0;
  const resource = resourceOf(resources, operation);
  const node = resource && schemaAt(shownSchema(resource, operation), path);
  const types = schema && schemaAt(schema, steps)?.shape().types;
  const isScalar = types?.some((type) => type !== 'object' && type !== 'array') ?? true;
  if (typeof sent === 'object' || !isScalar) return false;
  // No response can show what became of the value.
  if (shown === null && (item === undefined || (node?.shape().writeOnly ?? true)))
    return typeof sent !== 'string' || /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(sent);
  if (typeof shown === 'object') return false;
  const isSpelled = String(shown) === String(sent) || Number(shown) === Number(sent);
  return isSpelled && typeof shown !== typeof sent;
}

/** Whether a request belongs to a resource whose parent, and so whose items, the log shows. */
function isOfKnownItems(reading: Reading, trace: Trace): boolean {
  const { resources } = trace.contract;
  const resource = resourceOf(resources, reading.operation);
  return resource !== undefined && isWithinKnown(trace, resource, reading);
}

/**
 * Length Required and Unsupported Media Type: a request without a body has neither length nor type. Others
 * return 400, if the document has it for any error.
 */
const bareStatuses: ReadonlySet<number> = new Set([411, 415]);

/**
 * The open questions that allow a valid request to be refused: those in its intent, except those
 * that other responses rule out.
 */
export function explainRefusal(reading: Reading, trace: Trace): readonly OpenQuestion[] {
  return [400, 422].includes(reading.status) ? listReasons(reading, trace) : [];
}

/** Statuses of refusals because of the content of a body, including those of firewalls. */
const refusals: ReadonlySet<number> = new Set([400, 403, 406, 413, 422]);

/**
 * The only open question that can explain the refusal of a valid request; undefined if there is
 * none, or more than one.
 */
export function soleReason(reading: Reading, trace: Trace): OpenQuestion | undefined {
  if (!refusals.has(reading.status)) return undefined;
  const [reason, ...others] = listReasons(reading, trace);
  return others.length === 0 ? reason : undefined;
}

function listReasons(
  { exchange: { intent }, operation, sent }: Reading,
  trace: Trace,
): readonly OpenQuestion[] {
  if (intent.kind !== 'valid') return [];
  return trace.contract.openQuestions.filter((question) => {
    if (!intent.mayRefuse.includes(question.id)) return false;
    const value = isJsonObject(sent) ? sent[openMember(question)] : undefined;
    if (question.kind === 'string-limits') return !takesAlike(question, operation, value, trace);
    // Where identifiers count from 1, no record is below 1.
    const isBelowFirst = (typeof value === 'number' || typeof value === 'bigint') && value < 1;
    return !(
      question.kind === 'reference' &&
      !isBelowFirst &&
      takesAnyReference(question, operation.id, trace)
    );
  });
}

/** Whether a text of the same length and characters was accepted: no limit can tell them apart. */
function takesAlike(
  question: OpenQuestion,
  operation: Operation,
  value: JsonValue | undefined,
  trace: Trace,
): boolean {
  const member = openMember(question);
  if (typeof value !== 'string') return false;
  return shapesTaken(trace).has(`${operation.id} ${member} ${shapeOfText(value)}`);
}

/** Shapes of the accepted texts, each as `operation member shape`. */
const shapesTaken = once(({ contract, readings }: Trace): ReadonlySet<string> => {
  const limits = contract.openQuestions.filter(({ kind }) => kind === 'string-limits');
  const members = new Set(limits.map(openMember));
  const shapes = new Set<string>();
  for (const { isServed, operation, sent } of readings)
    for (const member of members) {
      const value = isServed && isJsonObject(sent) ? sent[member] : undefined;
      if (typeof value === 'string') shapes.add(`${operation.id} ${member} ${shapeOfText(value)}`);
    }
  return shapes;
});

/** Whether any reference is accepted: two were that no list had shown. One may exist by chance. */
export function takesAnyReference(
  { id, at }: OpenQuestion,
  operation: string,
  trace: Trace,
): boolean {
  const known = referenceAnswers(trace);
  const key = `${id} ${operation}`;
  const answer = known.get(key) ?? countUnshown(id, openMember({ at }), operation, trace) >= 2;
  known.set(key, answer);
  return answer;
}

const referenceAnswers = once((_trace: Trace): Map<string, boolean> => new Map());

/** Counts the accepted values that nothing had shown except items of this suite's own runs. */
function countUnshown(
  question: string,
  member: string,
  operation: string,
  { readings }: Trace,
): number {
  const firstShown = new Map<string, number>();
  const firstSent = new Map<string, number>();
  const taken = new Set<string>();
  let plain: string | undefined;
  for (const reading of readings) {
    const { index, intent } = reading.exchange;
    for (const item of itemsOf(reading) ?? []) {
      if (isLeftover(item)) continue;
      const value = renderPlain(item[member] ?? null);
      if (!firstShown.has(value)) firstShown.set(value, index);
    }
    if (!isJsonObject(reading.sent)) continue;
    const value = renderPlain(reading.sent[member] ?? null);
    if (!firstSent.has(value)) firstSent.set(value, index);
    if (reading.operation.id !== operation) continue;
    plain ??= value;
    if (reading.succeeded && intent.kind === 'valid' && intent.mayRefuse.includes(question))
      taken.add(value);
  }
  const isShown = (value: string): boolean => {
    const shown = firstShown.get(value);
    return shown !== undefined && shown <= (firstSent.get(value) ?? shown);
  };
  return [...taken].filter((value) => value !== (plain ?? '') && !isShown(value)).length;
}

/**
 * The 403 responses of operations that returned 403 to every request with the key that they could
 * have served. A server may check other errors of a request before the permissions of the key.
 */
export const forbiddenReadings = once(({ readings }: Trace): ReadonlySet<Reading> => {
  const own = readings.filter(({ hasKey }) => hasKey);
  const allowed = new Set(
    own
      .filter(
        ({ status, isValid, exchange: { intent } }) =>
          status !== 403 && (status < 400 || isValid || intent.kind === 'absent'),
      )
      .map(({ operation }) => operation.id),
  );
  return new Set(
    own.filter(({ operation, status }) => status === 403 && !allowed.has(operation.id)),
  );
});

/** Whether every operation that requires a key served a request with this one. */
export function isServedEverywhere(trace: Trace): boolean {
  const guarded = trace.contract.operations.filter(({ credential }) => credential.kind !== 'none');
  const isServed = (operation: Operation): boolean =>
    trace.of(operation).some(({ hasKey, status }) => hasKey && status < 300);
  return guarded.length > 0 && guarded.every(isServed);
}
