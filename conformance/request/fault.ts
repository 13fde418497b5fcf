import { facetOf } from '../../contract/schema/keywords.ts';
import { isContentIgnored, type Operation } from '../../contract/openapi/operation.ts';
import {
  coversType,
  essence,
  isJsonMediaType,
  jsonContent,
} from '../../contract/openapi/media-type.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { Issue, SchemaNode } from '../../contract/schema/schema-node.ts';
import { requirementsOf } from '../family/requirements.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { readJson } from '../transport/exchange.ts';
import { listReadings } from '../generate/form.ts';
import { fieldOf, type ParameterTexts, readTexts } from './route.ts';

/** An error in the request of a client, for which the target is not to blame. */
export interface RequestFault {
  /** `query parameter limit`, or `body`. */
  readonly part: string;
  /** The place in the body; empty for the whole. */
  readonly at: string;
  /** Follows the part: `must be at most 100`. */
  readonly reason: string;
  /** The requirement that such a request is refused; undefined if there is none. */
  readonly requirement?: string | undefined;
  /** Judging took too many steps, so the result is unknown. */
  readonly isUndecided?: true;
}

/** A request of a client; a body that is not known is left out. */
export interface ReadRequest extends ParameterTexts {
  readonly body?: { readonly text: string; readonly utf8: boolean };
}

/** Lists all ways in which a request breaks the contract. */
export function* listFaults(
  contract: Contract,
  operation: Operation,
  request: ReadRequest,
): Generator<RequestFault> {
  for (const parameter of operation.parameters) {
    const part = `${parameter.in} parameter ${parameter.name}`;
    const texts = readTexts(request, parameter);
    if (texts.length > 0) yield* judgeTexts(part, texts, parameter);
    else if (parameter.required) yield { part, at: '', reason: 'is missing' };
  }
  if (operation.requestBody !== undefined && !isContentIgnored(operation.method))
    yield* listBodyFaults(contract, operation, request);
}

function* listBodyFaults(
  contract: Contract,
  { id, requestBody }: Operation,
  { headers, body }: ReadRequest,
): Generator<RequestFault> {
  if (requestBody === undefined || body === undefined) return;
  const whole = { part: 'body', at: '' };
  const known = (requirement: string | undefined): string | undefined =>
    requirement && requirementsOf(contract).get(requirement)?.id;
  if (body.text === '') {
    const requirement = known(requirementId.requestBody(id));
    if (requestBody.required) yield { ...whole, reason: 'is missing', requirement };
    return;
  }
  const sent = fieldOf(headers, 'content-type');
  const type = sent && essence(sent);
  const media = requestBody.content.find(({ mediaType }) => coversType(mediaType, type ?? ''));
  if (media === undefined) {
    const types = requestBody.content.map(({ mediaType }) => mediaType).join(' or ');
    yield { ...whole, reason: `must be ${types}, not ${type ?? 'without a media type'}` };
    return;
  }
  if (!isJsonMediaType(type ?? '')) return;
  const value = readJson(body.text);
  if (value === undefined || !body.utf8) yield { ...whole, reason: 'must be JSON' };
  else if (media.schema !== undefined) {
    const isMain = media === jsonContent(requestBody.content);
    for (const { issue, ...fault } of judgeValue(media.schema, value))
      yield {
        ...whole,
        ...fault,
        at: issue?.at ?? '',
        requirement: issue && isMain ? known(facetId(id, issue)) : undefined,
      };
  }
}

function* judgeValue(
  schema: SchemaNode,
  value: JsonValue,
): Generator<Pick<RequestFault, 'reason' | 'isUndecided'> & { readonly issue?: Issue }> {
  const { issues, undecided } = schema.judge(value);
  for (const issue of issues) yield { issue, reason: issue.message };
  if (undecided !== undefined) yield { reason: undecided.reason, isUndecided: true };
}

function facetId(operation: string, { at, keyword }: Issue): string | undefined {
  const facet = facetOf(keyword);
  const path = parsePointer(at).map((token) => (/^\d+$/.test(token) ? '[]' : token));
  return facet === undefined ? undefined : requirementId.requestFacet(operation, path, facet);
}

/**
 * Lists what is wrong with the texts of a parameter. Objects, unusual styles and `content` are not
 * checked.
 */
function* judgeTexts(
  part: string,
  texts: readonly string[],
  { schema, style, mediaType, explode, in: place }: Parameter,
): Generator<RequestFault> {
  const { types: all, items, values } = schema.shape();
  // If the values are listed, the schema may lack a type.
  const isPlain = values?.every((value) => value === null || typeof value !== 'object') === true;
  const types = isPlain ? all.filter((type) => type !== 'object' && type !== 'array') : all;
  if (mediaType !== undefined || (style !== 'form' && style !== 'simple')) return;
  if (types.includes('object')) return;
  const whole = { part, at: '' };
  if (types.includes('array')) {
    const isOneByOne = style === 'form' && explode && place === 'query';
    if (!isOneByOne || items === undefined || types.length > 1) return;
    const readings = texts.map((text) => listReadings(text, items.shape().types)[0]);
    if (readings.includes(undefined))
      yield {
        ...whole,
        reason: `must have items of type ${items.shape().types.join(' or ')}`,
      };
    else {
      const value = readings.filter((each) => each !== undefined);
      for (const { issue: _issue, ...fault } of judgeValue(schema, value))
        yield { ...whole, ...fault };
    }
    return;
  }
  const [text = '', ...more] = texts;
  const readings = listReadings(text, types);
  if (more.length > 0) yield { ...whole, reason: 'must be sent once' };
  else if (readings.length === 0)
    yield { ...whole, reason: `must be of type ${types.join(' or ')}` };
  else {
    const faults = readings.map((value) => judgeValue(schema, value).toArray());
    if (faults.every((found) => found.length > 0))
      for (const { issue: _issue, ...fault } of faults[0] ?? []) yield { ...whole, ...fault };
  }
}
