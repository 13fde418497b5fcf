import { readBody } from '../../conformance/index.ts';
import { fieldOf, noBody, type RecordedBody, type RecordedHeaders } from '../recorded/recorded.ts';
import type { AttachedBodies } from './attached.ts';
import type { HarEntry, HarResponse } from './entry.ts';

/** Statuses without a body (RFC 9110 section 6.4.1). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The body of a request: `postData`. An archive may lack it, or have the parts of a form only. */
export function readRequestBody(
  { method, postData, bodySize }: HarEntry['request'],
  headers: RecordedHeaders,
  attached: AttachedBodies,
): RecordedBody {
  const { params = [], _file: file } = postData ?? {};
  if (file !== undefined && !postData?.text) return readFile(file, attached);
  // Playwright empties the text if asked to omit bodies.
  const isOmitted = postData?.text === '' && (params.length > 0 || Number(bodySize) > 0);
  if (postData?.text !== undefined && !isOmitted) {
    const isCoded = fieldOf(headers, 'content-encoding') !== undefined;
    return readText(postData.text, postData.encoding, isCoded ? undefined : bodySize);
  }
  if (postData !== undefined && (!isOmitted || params.length > 0))
    return { kind: 'unknown', reason: 'is only partly recorded' };
  const length = Number(fieldOf(headers, 'content-length') ?? bodySize ?? -1);
  const isNone = length === 0 || (length < 0 && /^(GET|HEAD|OPTIONS|DELETE|TRACE)$/.test(method));
  return isNone ? noBody : { kind: 'unknown', reason: 'is not recorded' };
}

/**
 * The body of a response: `content`, whose text has no content coding and is UTF-8 already (HAR
 * specification, "content"). `size` shows where a recorder cut it.
 */
export function readResponseBody(
  method: string,
  { content, status = 0 }: HarResponse,
  attached: AttachedBodies,
): RecordedBody {
  if (content?.text !== undefined && (content.text !== '' || !content.size))
    return readText(content.text, content.encoding, content.size);
  if (method === 'HEAD' || bodiless.has(status)) return noBody;
  const { _file: file } = content ?? {};
  if (file !== undefined) return readFile(file, attached);
  return content?.size === 0 ? noBody : { kind: 'unknown', reason: 'is not recorded' };
}

/** Playwright writes what was received, without its content coding. */
function readFile(name: string, attached: AttachedBodies): RecordedBody {
  const bytes = attached.get(name);
  if (bytes === undefined)
    return { kind: 'unknown', reason: 'is in another file that is not next to the archive' };
  const { body, utf8 } = readBody(bytes);
  return { kind: 'whole', text: body, utf8 };
}

/** `size` in bytes; undefined or negative where it is not known. Some write that of the Base64. */
function readText(text: string, encoding: string | undefined, size = -1): RecordedBody {
  const isBase64 = encoding?.toLowerCase() === 'base64';
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'utf8');
  if (bytes.length < size && !(isBase64 && size <= text.length))
    return {
      kind: 'unknown',
      reason: `is truncated: ${bytes.length} of ${size} bytes are recorded`,
    };
  if (!isBase64) return { kind: 'whole', text, utf8: true };
  const { body, utf8 } = readBody(bytes);
  return { kind: 'whole', text: body, utf8 };
}
