import {
  isJsonMediaType,
  type Operation,
  type Parameter,
  type RequestBody,
} from '../../contract/index.ts';
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
    if (fault !== undefined) yield failed(rule, index, [], fault);
    else if (doubt === undefined) yield { kind: 'passed', rule, exchange: index };
    else yield undecided(rule, index, doubt.undecided);
  }
}

/** What is wrong with a request, or a part of it that was not judged to its end. */
type Flaw = Contrast | { readonly undecided: string };

function* listFlaws(entry: Entry, operation: Operation, hasHeaders: boolean): Generator<Flaw> {
  for (const parameter of operation.parameters) {
    const isShown = hasHeaders || parameter.in === 'query' || parameter.in === 'path';
    const flaw = isShown ? judgeParameter(entry, parameter) : undefined;
    if (flaw !== undefined) yield flaw;
  }
  if (operation.requestBody === undefined) return;
  const flaw = judgeBody(entry, operation.requestBody);
  if (flaw !== undefined) yield flaw;
}

function judgeParameter(entry: Entry, parameter: Parameter): Flaw | undefined {
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
  const value = readJson(body);
  if (value === undefined) return { expected: 'a body that is JSON', received: body };
  if (entry.intent.refusal?.reason === 'malformed_body')
    return { expected: 'a body in UTF-8', received: body };
  const { issues = [], undecided: doubt } = media.schema?.judge(value) ?? {};
  const [issue] = issues;
  if (issue === undefined) return doubt && { undecided: `its body ${doubt.reason}` };
  const where = issue.at === '' ? 'the whole' : issue.at;
  return { expected: `a body in which ${where} ${issue.message}`, received: body };
}
