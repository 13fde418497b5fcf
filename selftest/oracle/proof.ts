import type { Contract } from '../../contract/contract.ts';
import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { RunReport, Requirement } from '../../conformance/index.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { facetPath, memberPath } from './response.ts';
import { type Shown, readJson, showExchanges } from './shown.ts';

/** A verdict, as far as it says that something was shown. */
interface Judged {
  readonly requirement: Requirement;
  readonly kind: string;
}

/**
 * The requirements that passed although no exchange shows what they say: no request really was what
 * they speak of and got the response that they name. Reads what was sent, and nothing of why.
 */
export function findUnshown(
  contract: Contract,
  exchanges: RunReport['exchanges'],
  verdicts: readonly Judged[],
): readonly string[] {
  const all = showExchanges(contract, exchanges);
  const byOperation = Map.groupBy(all, ({ operation }) => operation);
  return verdicts.flatMap(({ requirement, kind }) => {
    if (kind !== 'passed') return [];
    const operation = contract.operations.find(({ id }) => id === requirement.operation);
    const needs = needsOf(requirement, operation);
    const own = operation === undefined ? all : (byOperation.get(operation) ?? []);
    return needs.every((shows) => own.some(shows))
      ? []
      : [`${requirement.id} passed, and no exchange shows it`];
  });
}

type Shows = (shown: Shown) => boolean;

/** What has to be among the exchanges, each of it once; nothing where this is not looked at. */
function needsOf({ subject }: Requirement, operation: Operation | undefined): readonly Shows[] {
  if (subject.kind === 'auth') return [(shown) => showsDenial(subject.facet, shown)];
  if (operation === undefined) return [];
  switch (subject.kind) {
    case 'status': {
      const isSuccess = successResponse(operation)?.status === subject.status;
      const answered = answers(subject.status);
      return [(shown) => answered(shown) && (!isSuccess || !isBroken(shown))];
    }
    case 'request':
      return [(shown) => showsBody(subject.path, subject.facet, shown)];
    case 'parameter': {
      const parameter = operation.parameters.find(
        ({ name, in: place }) => name === subject.name && place === 'query',
      );
      return parameter === undefined ? [] : listAccepted(parameter, subject.facet);
    }
    case 'state':
      return subject.facet === 'not-written' ? [answers(String(subject.status))] : [];
    case 'header':
      return [answers(subject.status)];
    case 'body':
      if (subject.part === 'error') return [];
      if (subject.part !== 'member') return [answers(subject.status)];
      return [(shown) => isOfStatus(subject.status, shown) && hasPlace(shown.json, subject)];
    case 'client':
    case 'concurrency':
    case 'open':
    case 'rate-limit':
    case 'robustness':
      return [];
  }
}

const answers =
  (status: string): Shows =>
  (shown) =>
    isOfStatus(status, shown);

/** Whether a response has a status of the document: `200`, `4XX`, or `default` for all not listed. */
function isOfStatus(wanted: string, { status, operation }: Shown): boolean {
  if (status === undefined) return false;
  const isOf = (each: string): boolean =>
    each === String(status) || each.toUpperCase() === `${Math.floor(status / 100)}XX`;
  if (wanted !== 'default') return isOf(wanted);
  return !operation.responses.some((each) => isOf(each.status));
}

function isServed({ credential, status = 0 }: Shown): boolean {
  return credential === 'valid' && status >= 200 && status < 400;
}

function isRefused({ credential, status = 0 }: Shown): boolean {
  return credential === 'valid' && status >= 400 && status < 500 && ![401, 429].includes(status);
}

function showsDenial(facet: string, { credential, status = 0 }: Shown): boolean {
  if (status !== 401 && status !== 403) return false;
  if (facet === 'missing') return credential === 'missing';
  return !['missing', 'valid', facet === 'exact' ? 'invalid' : ''].includes(credential);
}

/** A request with a body that is what a requirement speaks of, accepted or refused as it says. */
function showsBody(path: readonly string[], facet: string, shown: Shown): boolean {
  const { text = '', sent, operation } = shown;
  const schema = jsonContent(operation.requestBody?.content ?? [])?.schema;
  if (facet === 'required' && path.length === 0) return isRefused(shown) && text === '';
  if (schema === undefined || sent === undefined) return false;
  if (facet === 'taken' || facet === 'optional') {
    const has = isJsonObject(sent) && sent[path[0] ?? ''] !== undefined;
    return isServed(shown) && has === (facet === 'taken') && !isBroken(shown);
  }
  if (!isRefused(shown)) return false;
  const issues = schema.validate(sent, 'request');
  const isMeant = (each: (typeof issues)[number]): boolean =>
    facetOf(each.keyword) === facet && isSame(facetPath(each), path);
  return issues.some(isMeant) && issues.every((each) => isWithin(memberPath(each), path));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isWithin(one, other);
}

/** Whether one of two places is the other, or within it. */
function isWithin(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, at) => at >= other.length || step === other[at]);
}

/** Values that have to be accepted, and the ways to send a list that a facet speaks of. */
function listAccepted(parameter: Parameter, facet: string): readonly Shows[] {
  const { name, schema } = parameter;
  const sends =
    (value: JsonValue): Shows =>
    (shown) =>
      isServed(shown) && !isBroken(shown) && valuesOf(parameter, shown, value);
  if (facet === 'minimum' || facet === 'maximum') {
    const value = extremeOf(schema, facet);
    return value === undefined ? [] : [sends(value)];
  }
  if (facet === 'values') return (schema.shape().values ?? []).map(sends);
  const isNamed = facet === 'bound' || facet === 'filter';
  return [(shown) => isServed(shown) && (!isNamed || shown.query.has(name))];
}

/** Whether the query has a value of a parameter; of lists and objects, only their name. */
function valuesOf(parameter: Parameter, { query }: Shown, value: JsonValue): boolean {
  const { name } = parameter;
  if (!isScalar(parameter)) return [...query.keys()].some((each) => each.startsWith(name));
  return query.getAll(name).some((text) => jsonEquals(readAs(value, text), value));
}

/** A text as a value of the same type as another. */
function readAs(value: JsonValue, text: string): JsonValue {
  const read = typeof value === 'string' ? undefined : readJson(text);
  return read ?? text;
}

function isScalar({ schema, mediaType }: Parameter): boolean {
  return mediaType === undefined && !schema.shape().types.some((type) => /array|object/.test(type));
}

/** Whether the body that was sent breaks the document beyond doubt. */
function isBroken({ operation: { requestBody }, text = '', sent, isPlainJson }: Shown): boolean {
  if (text === '') return requestBody?.required === true && requestBody.content.length > 0;
  const schema = jsonContent(requestBody?.content ?? [])?.schema;
  if (schema === undefined || !isPlainJson) return false;
  return sent === undefined || schema.validate(sent, 'request').length > 0;
}

/** Whether a body has the place that a facet speaks of; of `required`, the object around it. */
function hasPlace(
  body: JsonValue | undefined,
  { path, facet }: { readonly path: readonly string[]; readonly facet: string },
): boolean {
  let values: readonly (JsonValue | undefined)[] = [body];
  for (const step of facet === 'required' ? path.slice(0, -1) : path)
    values = values.flatMap((value) => stepInto(value, step));
  return values.some((value) => value !== undefined);
}

function stepInto(value: JsonValue | undefined, step: string): readonly (JsonValue | undefined)[] {
  if (step === '[]') return value !== undefined && isJsonArray(value) ? [...value] : [];
  return isJsonObject(value) ? [value[step]] : [];
}
