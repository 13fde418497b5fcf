import { isJsonMediaType, jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { once } from '../memo/once.ts';

/**
 * The header of every request of a run with waivers: their SHA-256. A log is of the run that had them.
 */
export const waiversHeader = 'petstore-waivers';

/** The headers that every request of an operation has, parameters and credentials apart. */
export function plainHeaders(
  operation: Operation,
  hasBody: boolean,
): Readonly<Record<string, string>> {
  const accept = acceptOf(operation);
  return hasBody ? { accept, 'content-type': bodyMediaType(operation) } : { accept };
}

/** JSON where a success can be JSON, or has no body; else all media types of its successes. */
const acceptOf = once(({ responses }: Operation): string => {
  const served = responses
    .filter(({ status }) => /^[23]/.test(status) || status === 'default')
    .flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  const wanted = served.find(isJsonMediaType) ?? 'application/json';
  const takesJson =
    served.length === 0 || served.some((each) => isJsonMediaType(each) || /\*/.test(each));
  if (takesJson) return wanted === 'application/json' ? wanted : `${wanted}, application/json`;
  return `${[...new Set(served)].join(', ')}, application/json`;
});

/** The media type of a body that is sent without more ado. */
function bodyMediaType({ requestBody }: Operation): string {
  const content = requestBody?.content ?? [];
  const mediaType = (jsonContent(content) ?? content[0])?.mediaType ?? 'application/json';
  return mediaType.includes('*') ? 'application/json' : mediaType;
}
