import {
  cutReason,
  dependsOnCut,
  fillValue,
  markCuts,
  redactedKey,
} from '../../conformance/index.ts';
import { isJsonMediaType } from '../../contract/openapi/media-type.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Operation, RequestBody } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { readTexts, readValue } from './argument.ts';
import { type Entry, type Evidence, nameRequest, readJson } from './evidence.ts';
import { type Contrast, type RuleFinding, failed, undecided } from './rule.ts';

/** Every request fits the document, as far as the document speaks of it. */
export function* judgeValid({ entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.valid';
  for (const entry of entries) {
    const { operation, index, intent } = entry;
    if (operation === undefined || !intent.isWhole) continue;
    const flaws = [...listFlaws(entry, operation, log.source === 'scenarios')];
    const fault = flaws.find((flaw) => 'expected' in flaw);
    const doubt = flaws.find((flaw) => 'undecided' in flaw);
    const isCut = flaws.some((flaw) => 'isCut' in flaw);
    if (fault !== undefined) yield failed(rule, index, [], fault);
    else if (doubt === undefined && isCut)
      yield { kind: 'doubtful', rule, reason: `request ${index}: ${cutReason}` };
    else if (doubt === undefined) yield { kind: 'passed', rule, exchange: index };
    else yield undecided(rule, index, doubt.undecided);
  }
}

/** What is wrong with a request, or a part of it that was not judged to its end or cannot be without the key. */
type Flaw = Contrast | { readonly undecided: string } | typeof cut;

const cut = { isCut: true } as const;

function* listFlaws(entry: Entry, operation: Operation, hasHeaders: boolean): Generator<Flaw> {
  for (const parameter of operation.parameters) {
    const isShown = hasHeaders || parameter.in === 'query' || parameter.in === 'path';
    const flaw =
      isShown && parameter.in !== 'querystring' ? judgeParameter(entry, parameter) : undefined;
    if (flaw !== undefined) yield flaw;
  }
  if (operation.requestBody === undefined) return;
  const flaw = judgeBody(entry, operation.requestBody);
  if (flaw !== undefined) yield flaw;
}

function judgeParameter(entry: Entry, parameter: Parameter): Flaw | undefined {
  const { name, required, schema, in: place } = parameter;
  const texts = readTexts(entry, parameter);
  if (texts.length === 0 && place === 'query' && hasCutQuery(entry)) return cut;
  if (texts.length === 0)
    return required
      ? { expected: `the ${place} parameter ${name}`, received: `${nameRequest(entry)} without it` }
      : undefined;
  const received = `${nameRequest(entry)}, where it is ${texts.map((text) => `"${text}"`).join(' and ')}`;
  if (texts.some(hasKey)) return cut;
  const value = readValue(texts, parameter);
  if (value === undefined)
    return {
      expected: `${place} parameter ${name}: one value, of type ${schema.shape().types.join(' or ')}`,
      received,
    };
  const { issues, undecided: doubt } = schema.judge(value);
  const [issue] = issues;
  if (issue !== undefined)
    return { expected: `${place} parameter ${name}: it ${issue.message}`, received };
  return doubt && { undecided: `${place} parameter ${name} ${doubt.reason}` };
}

function judgeBody(entry: Entry, { required, content }: RequestBody): Flaw | undefined {
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
  const value = readJson(markKey(body));
  if (value === undefined && hasKey(body)) return cut;
  if (value === undefined) return { expected: 'a body that is JSON', received: body };
  if (entry.intent.refusal?.reason === 'malformed_body')
    return { expected: 'a body in UTF-8', received: body };
  if (media.schema === undefined) return undefined;
  const { issues, undecided: doubt } = media.schema.judge(value);
  const [issue] = hasKey(body) ? issues.filter((each) => !dependsOnCut(value, each)) : issues;
  if (issue === undefined && hasKey(body) && mayBreak(value, media.schema)) return cut;
  if (issue === undefined) return doubt && { undecided: `its body ${doubt.reason}` };
  const where = issue.at === '' ? 'the whole' : issue.at;
  return { expected: `a body in which ${where} ${issue.message}`, received: body };
}

/** Whether a value breaks its schema with another text in the places of the key. */
function mayBreak(value: JsonValue, schema: SchemaNode): boolean {
  return fillValue(value).some((filled) => schema.validate(filled).length > 0);
}

function hasKey(text: string): boolean {
  return text.includes(redactedKey);
}

/** A text with marks in the places of the key. */
function markKey(text: string): string {
  const places = [...text.matchAll(/\[redacted\]/g)].map(({ index }) => index);
  return markCuts({ body: text, cuts: { headers: [], body: places } }, '');
}

/** Whether the key is in the name of a member of the query. */
function hasCutQuery({ request }: Entry): boolean {
  const [, query = ''] = request.target.split('?');
  return [...new URLSearchParams(query).keys()].some(hasKey);
}
