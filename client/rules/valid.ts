import {
  isJsonMediaType,
  type Issue,
  type Operation,
  type Parameter,
  type RequestBody,
} from '../../contract/index.ts';
import { readTexts, readValue } from './argument.ts';
import { type Entry, type Evidence, nameRequest, readJson } from './evidence.ts';
import type { RuleFinding } from './rule.ts';

interface Mismatch {
  readonly expected: string;
  readonly received: string;
}

/** Every request fits the document, as far as the document speaks of it. */
export function* judgeValid({ entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.valid';
  for (const entry of entries) {
    const { operation, index, intent } = entry;
    if (operation === undefined || !intent.isWhole) continue;
    const fault = findFault(entry, operation, log.source === 'scenarios');
    if (fault === undefined) yield { kind: 'passed', rule, exchange: index };
    else yield { kind: 'failed', rule, exchange: index, others: [], ...fault };
  }
}

function findFault(entry: Entry, operation: Operation, hasHeaders: boolean): Mismatch | undefined {
  for (const parameter of operation.parameters) {
    const isShown = hasHeaders || parameter.in === 'query' || parameter.in === 'path';
    const fault = isShown ? judgeParameter(entry, operation, parameter) : undefined;
    if (fault !== undefined) return fault;
  }
  return operation.requestBody === undefined ? undefined : judgeBody(entry, operation.requestBody);
}

function judgeParameter(
  entry: Entry,
  operation: Operation,
  parameter: Parameter,
): Mismatch | undefined {
  const { name, required, schema, in: place } = parameter;
  const texts = readTexts(entry, operation, parameter);
  if (texts.length === 0)
    return required
      ? { expected: `the ${place} parameter ${name}`, received: `${nameRequest(entry)} without it` }
      : undefined;
  const received = `${nameRequest(entry)}, where it is ${texts.map((text) => `"${text}"`).join(' and ')}`;
  const value = readValue(texts, parameter);
  if (value === undefined)
    return {
      expected: `${place} parameter ${name}: one value, of type ${schema.shape().types.join(' or ')}`,
      received,
    };
  const [issue] = schema.validate(value);
  return issue && { expected: `${place} parameter ${name}: it ${issue.message}`, received };
}

function judgeBody(entry: Entry, { required, content }: RequestBody): Mismatch | undefined {
  const { headers, body } = entry.request;
  if (body === undefined)
    return required
      ? { expected: 'a body', received: `${nameRequest(entry)} without one` }
      : undefined;
  const type = headers
    .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    .split(';')[0]
    ?.trim()
    .toLowerCase();
  const media =
    type === undefined && entry.intent.refusal?.reason !== 'unsupported_media_type'
      ? content[0]
      : content.find(({ mediaType }) => mediaType === type);
  if (media === undefined)
    return {
      expected: `a body of ${content.map(({ mediaType }) => mediaType).join(' or ')}`,
      received: `one of ${type ?? 'another media type'}`,
    };
  if (!isJsonMediaType(media.mediaType)) return undefined;
  const value = readJson(body);
  if (value === undefined) return { expected: 'a body that is JSON', received: body };
  const [issue] = media.schema?.validate(value) ?? [];
  return issue && { expected: describeIssue(issue), received: body };
}

/** Where and why: `/name must be a string`. */
function describeIssue({ at, message }: Issue): string {
  return `a body in which ${at === '' ? 'the whole' : at} ${message}`;
}
