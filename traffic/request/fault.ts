import { facetOf } from '../../contract/schema/keywords.ts';
import { isContentIgnored, type Operation } from '../../contract/openapi/operation.ts';
import { isJsonMediaType, jsonContent } from '../../contract/openapi/media-type.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';
import { requirementsOf, requirementId, readJson } from '../../conformance/index.ts';
import { fieldOf, type RecordedRequest } from '../recorded/recorded.ts';
import { judgeTexts, type ParameterTexts, readTexts } from './parameter.ts';

/** What a client's request breaks of the document. It is the client's doing, not the target's. */
export interface RequestFault {
  /** One clause: `the query parameter limit must be at most 100`. */
  readonly sentence: string;
  /** The requirement that such a request is refused; undefined where there is none. */
  readonly requirement: string | undefined;
}

/** Everything in which a request breaks the document, as far as it is read here. */
export function* listFaults(
  contract: Contract,
  operation: Operation,
  request: RecordedRequest,
  texts: ParameterTexts,
): Generator<RequestFault> {
  for (const parameter of operation.parameters) {
    const { name, in: place, required } = parameter;
    const found = readTexts(texts, parameter);
    const reason =
      found.length === 0 ? (required ? 'is missing' : undefined) : judgeTexts(found, parameter);
    if (reason !== undefined)
      yield { sentence: `the ${place} parameter ${name} ${reason}`, requirement: undefined };
  }
  if (operation.requestBody !== undefined && !isContentIgnored(operation.method))
    yield* listBodyFaults(contract, operation, request);
}

function* listBodyFaults(
  contract: Contract,
  { id, requestBody }: Operation,
  { headers, body }: RecordedRequest,
): Generator<RequestFault> {
  if (requestBody === undefined || body.kind === 'unknown') return;
  if (body.text === '') {
    const missing = requirementsOf(contract).get(requirementId.requestBody(id))?.id;
    if (requestBody.required) yield { sentence: 'the body is missing', requirement: missing };
    return;
  }
  const type = fieldOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const media = requestBody.content.find(({ mediaType }) => fitsRange(type ?? '', mediaType));
  if (media === undefined) {
    const known = requestBody.content.map(({ mediaType }) => mediaType).join(' or ');
    const sentence = `the body is ${type ?? 'without a media type'}, not ${known}`;
    yield { sentence, requirement: undefined };
    return;
  }
  if (!isJsonMediaType(type ?? '') || media.schema === undefined) return;
  const value = readJson(body.text);
  if (value === undefined || !body.utf8) {
    yield { sentence: 'the body is not JSON', requirement: undefined };
    return;
  }
  const isMain = media === jsonContent(requestBody.content);
  for (const issue of media.schema.validate(value)) {
    const facet = isMain ? facetId(id, issue) : undefined;
    yield {
      sentence: `${issue.at === '' ? 'the body' : `${issue.at} of the body`} ${issue.message}`,
      requirement: facet === undefined ? undefined : requirementsOf(contract).get(facet)?.id,
    };
  }
}

function facetId(operation: string, { at, keyword }: Issue): string | undefined {
  const facet = facetOf(keyword);
  const path = parsePointer(at).map((token) => (/^\d+$/.test(token) ? '[]' : token));
  return facet === undefined ? undefined : requirementId.requestFacet(operation, path, facet);
}

/** Whether a media type is of a range of the document: `application/json`, `text/*`. */
function fitsRange(type: string, range: string): boolean {
  const wanted = range.split(';')[0]?.trim().toLowerCase() ?? '';
  if (wanted === '*/*' || wanted === type) return true;
  return wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1));
}
