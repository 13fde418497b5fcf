import {
  isJsonMediaType,
  type Operation,
  type Parameter,
  type RequestBody,
} from '../../contract/index.ts';
import { readTexts, readValue } from './argument.ts';
import { type Entry, type Evidence, nameRequest, readJson } from './evidence.ts';
import { type Contrast, type RuleFinding, failed } from './rule.ts';

/** Every request fits the document, as far as the document speaks of it. */
export function* judgeValid({ entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.valid';
  for (const entry of entries) {
    const { operation, index, intent } = entry;
    if (operation === undefined || !intent.isWhole) continue;
    const fault = findFault(entry, operation, log.source === 'scenarios');
    if (fault === undefined) yield { kind: 'passed', rule, exchange: index };
    else yield failed(rule, index, [], fault);
  }
}

function findFault(entry: Entry, operation: Operation, hasHeaders: boolean): Contrast | undefined {
  for (const parameter of operation.parameters) {
    const isShown = hasHeaders || parameter.in === 'query' || parameter.in === 'path';
    const fault = isShown ? judgeParameter(entry, parameter) : undefined;
    if (fault !== undefined) return fault;
  }
  return operation.requestBody === undefined ? undefined : judgeBody(entry, operation.requestBody);
}

function judgeParameter(entry: Entry, parameter: Parameter): Contrast | undefined {
  const { name, required, schema, in: place } = parameter;
  const texts = readTexts(entry, parameter);
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

function judgeBody(entry: Entry, { required, content }: RequestBody): Contrast | undefined {
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
  if (entry.intent.refusal?.reason === 'malformed_body')
    return { expected: 'a body in UTF-8', received: body };
  const [issue] = media.schema?.validate(value) ?? [];
  if (issue === undefined) return undefined;
  const where = issue.at === '' ? 'the whole' : issue.at;
  return { expected: `a body in which ${where} ${issue.message}`, received: body };
}
