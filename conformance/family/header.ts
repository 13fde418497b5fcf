import type { Contract } from '../../contract/contract.ts';
import { once } from '../../contract/memo/once.ts';
import {
  requirementId,
  type Drafts,
  draftsOf,
  type Requirements,
} from '../judge/trace/requirement.ts';
import type { HeaderContract } from '../../contract/openapi/header.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { headerOf, readJson } from '../transport/exchange.ts';
import { fillText, hasCutName, isCut } from '../transport/cut.ts';
import { cutReason } from '../judge/trace/cut.ts';
import { passed, failed, unclear, undecided, type Finding } from '../judge/trace/finding.ts';
import { isFreeText, shownItem } from '../judge/trace/item.ts';
import { mayBeOfProxy } from '../judge/trace/refusal.ts';
import { locationOf, type Reading, type Trace } from '../judge/trace/trace.ts';
import { writes } from '../transport/target.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { ResponseContract } from '../../contract/openapi/response.ts';
import { isReachable } from './status.ts';

export function* listHeaderRequirements(
  operation: Operation,
  { status, headers }: ResponseContract,
  context: Contract,
): Drafts {
  if (!isReachable(operation, status, context)) return;
  const draft = draftsOf(operation);
  for (const header of headers) {
    const { name, schema, pointer } = header;
    const isDue = mustHave(header, context);
    const isFree = schema === undefined || isFreeText(schema.shape());
    if (!isDue && isFree && !/^(?:location|etag)$/i.test(name)) continue;
    const start = isDue ? `A ${status} from` : `If a ${status} from`;
    const has = `${operation.id} has the header ${name},`;
    const format = `${isDue ? 'in' : 'it is in'} the format that the document defines.`;
    yield draft({ kind: 'header', status, name }, `${start} ${has} ${format}`, pointer);
  }
}

/** Whether responses need a header: it is required, or counts requests. */
function mustHave({ name, required }: HeaderContract, { rateLimit }: Contract): boolean {
  const counting = Object.values(rateLimit?.headers ?? {});
  return required || counting.some((each) => each.toLowerCase() === name.toLowerCase());
}

export function* judgeHeader(trace: Trace): Generator<Finding> {
  const { contract, requirements, readings, limited } = trace;
  for (const reading of [...readings, ...limited]) {
    const { operation, documented, response } = reading;
    if (documented === undefined || mayBeOfProxy(reading)) continue;
    for (const { id, header } of demandsOf(requirements)(operation).get(documented) ?? []) {
      const text = headerOf(response, header.name);
      if (text === undefined && !mustHave(header, contract)) continue;
      const finding = judgeOne(id, header, text, reading);
      const other = finding.kind === 'passed' && describeOther(header.name, reading, trace);
      yield other ? failed(id, reading.index, other, text ?? '') : finding;
    }
  }
}

/** What a `Location` or `ETag` has to be, if it is that of another item or of an earlier version. */
function describeOther(name: string, reading: Reading, trace: Trace): string | undefined {
  if (/^location$/i.test(name)) return describeNewItem(reading, trace);
  return /^etag$/i.test(name) && staleTags(trace).has(reading)
    ? 'another ETag than before the change (RFC 9110 section 8.8.1)'
    : undefined;
}

function describeNewItem(reading: Reading, { contract }: Trace): string | undefined {
  const { operation, status } = reading;
  const resource = contract.resources.find(({ create }) => create === operation);
  const item = status === 201 && resource ? shownItem(reading, resource) : undefined;
  const { operation: found, values = {} } = (item && locationOf(reading, contract)) ?? {};
  if (item === undefined || found?.path !== resource?.itemPath) return undefined;
  const id = values[resource?.idParameter?.name ?? ''];
  return id === undefined || id === item.id ? undefined : `the address of the new item ${item.id}`;
}

/** The reads of a changed body that have the strong entity tag which the body had before the change. */
const staleTags = once(({ readings }: Trace): ReadonlySet<Reading> => {
  const stale = new Set<Reading>();
  const last = new Map<string, Reading>();
  const changed = new Set<string>();
  for (const reading of readings) {
    const { exchange, operation, isServed, status, response } = reading;
    const { target } = exchange.request;
    if (writes(operation)) changed.add(target);
    const tag = headerOf(response, 'etag') ?? '';
    if (operation.method !== 'GET' || !isServed || status !== 200 || !tag.startsWith('"')) continue;
    const before = last.get(target);
    const isSameTag = before && headerOf(before.response, 'etag') === tag;
    if (isSameTag && changed.has(target) && before.response.body !== response.body)
      stale.add(reading);
    changed.delete(target);
    last.set(target, reading);
  }
  return stale;
});

/** The headers that have a requirement, with its id, by the response of an operation. */
const demandsOf = once((requirements: Requirements) =>
  once(({ id: operation, responses }: Operation) => {
    const listHeaders = ({ status, headers }: ResponseContract) =>
      headers.flatMap((header) => {
        const id = requirementId.header(operation, status, header.name);
        return requirements.has(id) ? [{ id, header }] : [];
      });
    return new Map(responses.map((response) => [response, listHeaders(response)]));
  }),
);

function judgeOne(
  id: string,
  header: HeaderContract,
  text: string | undefined,
  { response, index }: Reading,
): Finding {
  const { name } = header;
  if (text === undefined && hasCutName(response)) return unclear(id, index, cutReason);
  if (text === undefined)
    return failed(id, index, `the header ${name}`, `a ${response.status} without it`);
  if (isCut(text) && !takesAny(header, text)) return unclear(id, index, cutReason);
  const { issues = [], undecided: doubt } = judgeField(text, header, response) ?? {};
  const [issue] = issues;
  if (issue !== undefined)
    return failed(id, index, `${name} ${issue.message}`, text === '' ? 'an empty value' : text);
  return doubt === undefined ? passed(id, index) : undecided(id, index, name, doubt);
}

/** Whether a header is valid whatever key was cut from it. */
function takesAny(header: HeaderContract, text: string): boolean {
  return [text, ...fillText(text)].every(
    (filled) => header.schema === undefined || judgeTexts([filled], header)?.isSound === true,
  );
}

/** Cookies are not joined (RFC 9110 section 5.3): one of them may be the described one. */
function judgeField(text: string, header: HeaderContract, { headers }: Reading['response']) {
  if (!isCookie(header.name)) return judgeTexts([text], header);
  const cookies = headers.filter(([name]) => isCookie(name)).map(([, value]) => value);
  return judgeTexts(cookies, header);
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === 'set-cookie';
}

/** The judgement of the first valid value that one of the texts may stand for, else of the first value. */
function judgeTexts(texts: readonly string[], { name, schema }: HeaderContract) {
  if (schema === undefined) return undefined;
  let first: ReturnType<SchemaNode['judge']> | undefined;
  for (const text of texts)
    for (const value of listValues(text, name, schema)) {
      const judged = schema.judge(value);
      if (judged.isSound) return judged;
      first ??= judged;
    }
  return first;
}

/** The values that a text may stand for. */
function* listValues(text: string, name: string, schema: SchemaNode): Generator<JsonValue> {
  yield readValue(text, schema);
  yield text;
  const json = readJson(text);
  if (json !== undefined) yield json;
  // HTTP fixes the form of its own fields; a document may mean the same value in another one.
  if (httpDates.test(name) && /^\w{3}, [\w :]+ GMT$/.test(text) && !Number.isNaN(Date.parse(text)))
    yield new Date(text).toISOString();
  const address = locations.test(name) ? URL.parse(text, 'http://localhost') : null;
  if (address !== null) yield address.href;
}

/** RFC 9110 sections 6.6.1 and 8.8.2, RFC 9111 section 5.3, RFC 8594. */
const httpDates = /^(?:date|expires|last-modified|sunset)$/i;

/** These may be relative (RFC 9110 sections 8.7 and 10.2.2). */
const locations = /^(?:content-)?location$/i;

/**
 * Parses a header by style `simple`: items, or the names and values of an object, are separated by
 * commas; numbers and booleans are read if the schema has them.
 */
function readValue(text: string, schema: SchemaNode): JsonValue {
  const shape = schema.shape();
  const { types } = shape;
  if (types.includes('string')) return text;
  const parts = text.split(',').map((part) => part.trim());
  if (types.includes('array')) return parts.map((part) => readScalar(part, shape.items));
  if (!types.includes('object')) return readScalar(text, schema);
  const isExploded = parts.every((part) => part.includes('='));
  const words = isExploded ? parts.flatMap((part) => part.split(/=(.*)/s).slice(0, 2)) : parts;
  const names = words.filter((_, at) => at % 2 === 0);
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      readScalar(words[at * 2 + 1] ?? '', shape.properties.get(name)),
    ]),
  );
}

function readScalar(text: string, schema: SchemaNode | undefined): JsonValue {
  const value = schema?.shape().types.includes('string') === true ? undefined : readJson(text);
  return value === undefined || typeof value === 'object' ? text : value;
}
