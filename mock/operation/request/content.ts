import {
  type JsonValue,
  type MediaType,
  type Operation,
  type RequestBody,
  isJsonMediaType,
  parseJson,
} from '../../../contract/index.ts';
import {
  maxContentBytes,
  type MockRequest,
  type RequestContent,
  headerText,
} from '../../http/message.ts';
import type { Choices } from '../../choice/choices.ts';
import { documentedStatuses } from '../response/documented.ts';
import { coversType, essence } from '../../http/media-type.ts';
import { type Refusal, refuse } from '../response/refusal.ts';

/** A body that was read, and its media type of the document; neither for no body. */
export interface Content {
  readonly kind: 'content';
  readonly value: JsonValue | undefined;
  readonly mediaType: MediaType | undefined;
}

const noContent: Content = { kind: 'content', value: undefined, mediaType: undefined };

/** How an operation's body is read: size, media type, JSON syntax; the schema comes later. */
export function compileContent(
  operation: Operation,
  choices: Choices,
): (request: MockRequest) => Content | Refusal {
  const body = operation.requestBody;
  if (body === undefined) return () => noContent;
  const documented = documentedStatuses(operation);
  const choose = compileMediaType(body, choices.choose('request-media-type', body.pointer).id);
  const isUnprocessable = choices.choose('malformed-body', body.pointer).id === 'unprocessable';
  const more = { documented, ...(isUnprocessable ? { status: 422 } : {}) };
  const refuseMalformed = (reason: string): Refusal => refuse('malformed_body', reason, more);
  return (request) => {
    const { content } = request;
    if (content === 'too-large')
      return refuse('body_too_large', `The body is larger than ${maxContentBytes} bytes.`);
    if (isMissing(content))
      return body.required
        ? refuse('missing_body', 'The body is missing.', { documented })
        : noContent;
    const mediaType = choose(request);
    if ('kind' in mediaType) return mediaType;
    if (!isJsonMediaType(mediaType.mediaType) && !mediaType.mediaType.includes('*'))
      return noContent;
    const text = decodeUtf8(content);
    if (text === undefined) return refuseMalformed('The body is not valid UTF-8.');
    if (text.startsWith('\uFEFF'))
      return refuseMalformed('The body starts with a byte order mark, which JSON does not allow.');
    try {
      return { kind: 'content', value: parseJson(text), mediaType };
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it cannot be read';
      return refuseMalformed(`The body is not valid JSON: ${reason}`);
    }
  };
}

function isMissing(content: RequestContent): content is undefined {
  return content === undefined || content.length === 0;
}

function compileMediaType(
  { content }: RequestBody,
  choice: string,
): (request: MockRequest) => MediaType | Refusal {
  const known = content.map(({ mediaType }) => mediaType).join(', ');
  const status = choice === 'refused' ? { status: 400 } : {};
  return ({ headers }) => {
    const encoding = headerText(headers, 'content-encoding');
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      return refuse(
        'unsupported_media_type',
        'The body must not be encoded: Content-Encoding is not supported.',
        { ...status, facts: { acceptEncoding: 'identity' } },
      );
    }
    const contentType = headerText(headers, 'content-type');
    const sent = contentType === undefined ? '' : essence(contentType);
    const found = content.find(({ mediaType }) => coversType(mediaType, sent));
    if (found !== undefined) return found;
    const [first] = content;
    if (choice === 'accepted' && first !== undefined) return first;
    return refuse(
      'unsupported_media_type',
      `The media type of the body must be ${known}${sent === '' ? '.' : `, not ${sent}.`}`,
      { ...status, facts: { accept: known } },
    );
  };
}

/** JSON must be UTF-8 (RFC 8259 section 8.1); a byte order mark is not JSON, and stays. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
