import type { Contract, JsonValue, OpenQuestion } from '../../contract/index.ts';
import { isJsonObject } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { headerOf } from '../exchange.ts';
import { observed, type Finding } from '../finding.ts';
import { additionsOf } from '../ledger.ts';
import { listingsOf, type Listing } from '../population.ts';
import { itemsOf, queryOf, renderPlain, resourceOf, type Reading, type Trace } from '../trace.ts';
import { describeAnswer, quote } from '../words.ts';

/** Records what the target does where the document is silent. Never finds a violation. */
export const questionCheck: Check = {
  id: 'question',
  *judge(trace) {
    for (const question of trace.contract.openQuestions) {
      const observe = observers[question.kind];
      if (observe) yield* observe(question, trace);
    }
  },
};

type Observer = (question: OpenQuestion, trace: Trace) => Iterable<Finding>;

const observers: Readonly<Record<string, Observer>> = {
  'reference': observeReference,
  'default-value': observeDefault,
  'string-limits': observeStringLimits,
  'order': observeOrder,
  'paging': observePaging,
  'error-code': observeErrorCode,
  'rate-limit-body': observeLimitedBody,
  'retry-after-format': observeRetryAfter,
  'invalid-parameter': observeInvalidParameter,
  'invalid-path-parameter': observeAnswerStatus,
  'request-media-type': observeAnswerStatus,
  'accept': observeAnswerStatus,
  'malformed-body': observeAnswerStatus,
  'order-of-checks': observeAnswerStatus,
  'undescribed-requests': observeAnswerStatus,
  'unknown-properties': observeUnknownProperties,
  'read-only-property': observeReadOnly,
};

function choice(question: OpenQuestion, id: string): string | undefined {
  return question.choices.some((each) => each.id === id) ? id : undefined;
}

/** The answers to requests that were sent for a question. */
function answersTo(question: OpenQuestion, trace: Trace): readonly Reading[] {
  return trace.readings.filter(({ exchange: { intent } }) => intent.kind === 'open' && intent.question === question.id);
}

/** The property whose schema stands where the question points. */
function propertyAt(question: OpenQuestion, contract: Contract): string | undefined {
  for (const resource of contract.resources) {
    const properties = resource.create?.requestBody?.content[0]?.schema?.shape().properties ?? new Map<string, never>();
    for (const name of properties.keys()) if (question.at.endsWith(`/properties/${name}`)) return name;
  }
  return undefined;
}

function additions(trace: Trace): readonly ReturnType<typeof additionsOf>[number][] {
  return trace.contract.resources.flatMap((resource) => additionsOf(trace, resource));
}

/** A reference that no item had before was taken. Refusals are recorded by the status check. */
function* observeReference(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const seen = new Set<string>();
  for (const reading of trace.readings) {
    for (const item of itemsOf(reading) ?? []) seen.add(renderPlain(item[property] ?? null));
  }
  const fresh = additions(trace).filter(({ sent }) => sent[property] !== undefined);
  const numbers = new Set(fresh.map(({ sent }) => renderPlain(sent[property] ?? null)));
  const example = fresh.at(-1);
  if (example && numbers.size >= 3) yield observed(question.id, choice(question, 'any'), example.reading.exchange.index, `took ${numbers.size} different values of \`${property}\`, ${[...numbers].slice(0, 3).join(', ')} among them`);
}

function* observeDefault(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const property = propertyAt(question, trace.contract);
  const addition = additions(trace).find(({ sent, reading }) => property !== undefined && sent[property] === undefined && reading.succeeded);
  if (!addition || property === undefined) return;
  const value = addition.answered.members[property];
  const found = value === undefined ? choice(question, 'absent') : question.choices.find((each) => each.details['value'] === value)?.id;
  yield observed(question.id, found, addition.reading.exchange.index, `added without \`${property}\`, answered ${quote(value)}`);
}

function* observeStringLimits(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const trials = trace.readings.flatMap((reading) => {
    const value = isJsonObject(reading.sent) ? reading.sent[property] : undefined;
    const { intent } = reading.exchange;
    const asked = intent.kind === 'valid' || (intent.kind === 'open' && intent.question === question.id);
    const taken = reading.answer.status < 300;
    return asked && typeof value === 'string' ? [{ value, taken, reading }] : [];
  });
  const last = trials.at(-1);
  if (!last) return;
  const fitting = question.choices.find((each) => trials.every(({ value, taken }) => isTaken(value, each.details) === taken));
  const refused = trials.filter(({ taken }) => !taken).map(({ value }) => quote(value));
  const evidence = refused.length === 0 ? `took all ${trials.length} texts that were sent` : `refused ${refused.slice(0, 3).join(', ')}`;
  yield observed(question.id, fitting?.id, last.reading.exchange.index, evidence);
}

function isTaken(value: string, limits: Readonly<Record<string, JsonValue | undefined>>): boolean {
  const { minLength, maxLength, pattern } = limits;
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
}

function* observeOrder(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const resource of trace.contract.resources) {
    const listings = listingsOf(trace, resource).filter((each) => each.items.length >= 3);
    const longest = listings.toSorted((a, b) => b.items.length - a.items.length)[0];
    if (!longest || !question.at.startsWith(resource.list.pointer)) continue;
    const found = question.choices.find((each) => listings.every((listing) => isOrdered(listing, each.details)));
    yield observed(question.id, found?.id ?? choice(question, 'none'), longest.reading.exchange.index, `${longest.items.length} items, the first ${quote(longest.items.slice(0, 3).map(({ members }) => members[resource.idProperty] ?? null))}`);
  }
}

function isOrdered({ items }: Listing, { by, direction }: Readonly<Record<string, JsonValue | undefined>>): boolean {
  if (typeof by !== 'string') return false;
  const sign = direction === 'descending' ? -1 : 1;
  return items.every((item, index) => index === 0 || sign * order(items[index - 1]?.members[by], item.members[by]) <= 0);
}

function order(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === undefined || b === undefined || a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

function* observePaging(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const resource of trace.contract.resources) {
    const full = listingsOf(trace, resource).find((each) => each.items.length === each.limit && each.items.length > 0);
    if (!full) continue;
    const link = headerOf(full.reading.answer, 'link');
    if (link !== undefined && full.more) yield observed(question.id, choice(question, 'link-header'), full.reading.exchange.index, `Link: ${link}`);
    else yield observed(question.id, full.more ? undefined : choice(question, 'none'), full.reading.exchange.index, full.more ? 'a header speaks of further items' : 'a full list without a hint at further items');
  }
}

function* observeErrorCode(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const member = trace.contract.error?.members.find((each) => each.role === 'code')?.name;
  for (const reading of trace.readings) {
    const code = member !== undefined && isJsonObject(reading.json) && reading.answer.status >= 400 ? reading.json[member] : undefined;
    if (typeof code !== 'string') continue;
    const kind = code === String(reading.answer.status) ? 'status-number' : isPhrase(code, reading.answer.status) ? 'status-phrase' : 'reason';
    yield observed(question.id, choice(question, kind), reading.exchange.index, `${reading.answer.status} with ${quote(code)}`);
    return;
  }
}

const phrases: Readonly<Record<number, string>> = { 400: 'badrequest', 401: 'unauthorized', 404: 'notfound', 429: 'toomanyrequests' };

/** `unauthorized` is a reason as much as a phrase; only upper case tells a phrase there. */
function isPhrase(code: string, status: number): boolean {
  return code.replaceAll(/[^a-z]/gi, '').toLowerCase() === phrases[status] && (status !== 401 || code !== code.toLowerCase());
}

function* observeLimitedBody(question: OpenQuestion, { limited, contract }: Trace): Generator<Finding> {
  const [reading] = limited;
  if (!reading) return;
  const { body } = reading.answer;
  const isError = reading.json !== undefined && contract.error?.schema.validate(reading.json).length === 0;
  const kind = body === '' ? 'empty' : isError ? 'error' : 'text';
  yield observed(question.id, choice(question, kind), reading.exchange.index, describeAnswer(reading.answer));
}

function* observeRetryAfter(question: OpenQuestion, { limited, contract }: Trace): Generator<Finding> {
  for (const reading of limited) {
    const text = headerOf(reading.answer, contract.rateLimit?.headers.retryAfter ?? 'retry-after');
    if (text === undefined) continue;
    const kind = /^\d+$/.test(text) ? choice(question, 'seconds') : Number.isNaN(Date.parse(text)) ? undefined : choice(question, 'http-date');
    yield observed(question.id, kind, reading.exchange.index, `Retry-After: ${text}`);
    return;
  }
}

function* observeInvalidParameter(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const reading of answersTo(question, trace)) {
    const { answer, exchange } = reading;
    const items = itemsOf(reading);
    const limit = resourceOf(trace.contract, reading.operation)?.limit;
    const asked = limit && Number(queryOf(exchange, limit.parameter.name));
    let kind: string | undefined;
    if (answer.status >= 400) kind = 'refused';
    else if (items?.length === 0) kind = 'empty';
    else if (items && limit && asked !== undefined && !Number.isNaN(asked)) kind = items.length === (asked > (limit.maximum ?? 0) ? limit.maximum : limit.minimum) ? 'clamped' : 'ignored';
    else if (items) kind = 'ignored';
    yield observed(question.id, kind === undefined ? undefined : choice(question, kind), exchange.index, `${exchange.request.target} answered ${items ? `${answer.status} with ${items.length} items` : describeAnswer(answer)}`);
  }
}

/** Which choice a status stands for, by the words that choices of these kinds use. */
const statusChoices: readonly (readonly [status: (status: number) => boolean, choices: readonly string[]])[] = [
  [(status) => status < 300, ['accepted', 'ignored']],
  [(status) => status === 400, ['refused', 'body-first']],
  [(status) => status === 401, ['credential-first']],
  [(status) => status === 404, ['not-found']],
  [(status) => status === 405, ['http']],
  [(status) => status === 406, ['not-acceptable']],
  [(status) => status === 415, ['unsupported']],
  [(status) => status === 422, ['unprocessable']],
];

function* observeAnswerStatus(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const reading of answersTo(question, trace)) {
    const candidates = statusChoices.find(([fits]) => fits(reading.answer.status))?.[1] ?? [];
    const found = candidates.map((id) => choice(question, id)).find((id) => id !== undefined);
    const { intent } = reading.exchange;
    yield observed(question.id, found, reading.exchange.index, `${intent.kind === 'open' ? intent.way : ''}: answered ${describeAnswer(reading.answer)}`);
  }
}

/** Members of a body that the create operation does not describe, but for the identifier. */
function unknownMembers({ sent, operation }: Reading, trace: Trace): readonly string[] {
  const resource = resourceOf(trace.contract, operation);
  const known = operation.requestBody?.content[0]?.schema?.shape().properties;
  return isJsonObject(sent) && known && resource ? Object.keys(sent).filter((name) => !known.has(name) && name !== resource.idProperty) : [];
}

function* observeUnknownProperties(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const own = new Set(answersTo(question, trace));
  for (const reading of trace.readings) {
    const [extra] = unknownMembers(reading, trace);
    const refused = reading.answer.status >= 400;
    if (extra === undefined || reading.exchange.intent.kind !== 'open' || (refused && !own.has(reading))) continue;
    const kept = isJsonObject(reading.json) && Object.hasOwn(reading.json, extra);
    const kind = refused ? 'refused' : kept ? 'kept' : 'ignored';
    yield observed(question.id, choice(question, kind), reading.exchange.index, `sent \`${extra}\`, answered ${describeAnswer(reading.answer)}`);
  }
}

/** A refusal of an identifier beside an unknown property may be that of the property. */
function* observeReadOnly(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const reading of answersTo(question, trace)) {
    const refused = reading.answer.status >= 400;
    if (refused && unknownMembers(reading, trace).length > 0) continue;
    yield observed(question.id, choice(question, refused ? 'refused' : 'ignored'), reading.exchange.index, `answered ${describeAnswer(reading.answer)}`);
  }
}
