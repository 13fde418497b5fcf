import type { Issue } from '../../../contract/schema/schema-node.ts';
import { type JsonValue, parseJson } from '../../../contract/json/value.ts';
import {
  type MediaType,
  isJsonMediaType,
  findContent,
} from '../../../contract/openapi/media-type.ts';
import {
  type Operation,
  type RequestBody,
  isContentIgnored,
} from '../../../contract/openapi/operation.ts';
import { maxContentBytes, type MockRequest, headerText } from '../../http/message.ts';
import type { Choices } from '../../choice/choices.ts';
import { documentedStatuses } from '../response/documented.ts';
import { essence } from '../../http/media-type.ts';
import { type Refusal, refuse } from '../response/refusal.ts';
import { readForm, readMultipart, readPlain, readUrlEncoded } from './form.ts';
import { decodeText } from './multipart.ts';

/** A body that was read; undefined for none, and for one of a type that is only taken. */
export interface Content {
  readonly kind: 'content';
  readonly value: JsonValue | undefined;
  /** What the value breaks of its schema. */
  readonly issues: readonly Issue[];
}

const noContent: Content = { kind: 'content', value: undefined, issues: [] };

/** How an operation's body is read: size, media type, syntax, schema. Undefined where it has none. */
export function compileContent(
  operation: Operation,
  choices: Choices,
): ((request: MockRequest) => Content | Refusal) | undefined {
  const body = operation.requestBody;
  if (body === undefined || isContentIgnored(operation.method)) return undefined;
  const documented = documentedStatuses(operation);
  const choose = compileMediaType(body, choices);
  const isUnprocessable = choices.choose('malformed-body', body.pointer).id === 'unprocessable';
  const place = body.pointer;
  const more = { documented, place, ...(isUnprocessable ? { status: 422 } : {}) };
  const missing = (): Refusal =>
    refuse('missing_body', 'The body is missing.', { documented, place });
  const isRequired = body.required && body.content.length > 0;
  return (request) => {
    const { content: bytes = noBytes } = request;
    if (bytes === 'too-large')
      return refuse('body_too_large', `The body is larger than ${maxContentBytes} bytes.`, {
        place,
      });
    if (bytes.length === 0) {
      if (!isRequired) return noContent;
      if (headerText(request.headers, 'content-type') === undefined) return missing();
    }
    const mediaType = choose(request);
    if ('kind' in mediaType) return bytes.length === 0 ? missing() : mediaType;
    const contentType = headerText(request.headers, 'content-type') ?? mediaType.mediaType;
    const read = readerOf(mediaType, contentType);
    if (bytes.length === 0 && read === readJson) return missing();
    const content = read(bytes, mediaType, contentType);
    return typeof content === 'string' ? refuse('malformed_body', content, more) : content;
  };
}

const noBytes = new Uint8Array();

/** What the bytes of a body say; a text says what is wrong with them. */
type ReadBody = (bytes: Uint8Array, mediaType: MediaType, contentType: string) => Content | string;

/** By the documented type; where that is a range, or none, by the one that was sent. */
function readerOf(documented: MediaType, contentType: string): ReadBody {
  const { mediaType } = documented;
  if (mediaType === 'application/json') return readJson;
  const isOpen = documented === anyType || mediaType.includes('*');
  const sent = essence(contentType);
  const type = isOpen && sent !== '' && !sent.includes('*') ? sent : mediaType;
  if (isJsonMediaType(type) || type.includes('*')) return readJson;
  if (type === 'application/x-www-form-urlencoded') return readUrlEncodedBody;
  if (type === 'multipart/form-data') return readMultipartBody;
  return type === 'text/plain' ? readTextBody : readOther;
}

const readJson: ReadBody = (bytes, { schema }) => {
  const text = decodeUtf8(bytes);
  if (text === undefined) return 'The body is not valid UTF-8.';
  if (text.startsWith('\uFEFF'))
    return 'The body starts with a byte order mark, which JSON does not allow.';
  try {
    const value = parseJson(text);
    const issues = schema === undefined ? [] : schema.validate(value, 'request');
    return { kind: 'content', value, issues };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return `The body is not valid JSON: ${reason}`;
  }
};

const readUrlEncodedBody: ReadBody = (bytes, mediaType) =>
  readPairs(readUrlEncoded(bytes), mediaType);

const readMultipartBody: ReadBody = (bytes, mediaType, contentType) => {
  const pairs = readMultipart(contentType, bytes);
  return pairs === undefined
    ? 'The body is not multipart: it has no parts between the boundary of its Content-Type.'
    : readPairs(pairs, mediaType);
};

function readPairs(pairs: ReturnType<typeof readUrlEncoded>, { schema }: MediaType): Content {
  const { value, issues } = readForm(pairs, schema);
  // A form is an object; where the schema is of another type, such as a file, it says nothing of it.
  const isOther = schema?.shape().types.includes('object') === false;
  const isFound = schema === undefined || issues.length === 0 || isOther;
  return {
    kind: 'content',
    value,
    issues: isFound ? [] : schema.validate(value, 'request'),
  };
}

const readTextBody: ReadBody = (bytes, { schema }) => {
  const text = decodeText(bytes);
  const read = schema === undefined ? undefined : readPlain(text, schema);
  return { kind: 'content', value: read?.value ?? text, issues: read?.issues ?? [] };
};

/** XML, images and others are taken as they are. */
const readOther: ReadBody = () => noContent;

function compileMediaType(
  { content, pointer }: RequestBody,
  choices: Choices,
): (request: MockRequest) => MediaType | Refusal {
  const choice = choices.choose('request-media-type', pointer).id;
  // Where the document asks what becomes of other types, none of them is taken for the only one.
  const guesses = choices.answersTo('request-media-type').length === 0;
  const known = content.map(({ mediaType }) => mediaType).join(', ');
  const status = choice === 'refused' ? { status: 400 } : {};
  return ({ headers }) => {
    const encoding = headerText(headers, 'content-encoding');
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      return refuse(
        'unsupported_media_type',
        'Content-Encoding is not supported. Send the body without encoding.',
        { ...status, place: pointer, facts: { acceptEncoding: 'identity' } },
      );
    }
    const contentType = headerText(headers, 'content-type');
    const only = content.length === 1 ? content[0] : undefined;
    if (contentType !== undefined && contentType === only?.mediaType) return only;
    const sent = contentType === undefined ? '' : essence(contentType);
    const found = contentType === undefined ? undefined : findContent(content, contentType);
    if (found !== undefined) return found;
    const [first = anyType, ...others] = content;
    const isUnsaid = guesses && contentType === undefined && others.length === 0;
    const isOnly = isUnsaid || first === anyType;
    if (choice === 'accepted' || isOnly) return first;
    return refuse(
      'unsupported_media_type',
      `The media type of the body must be ${known}${sent === '' ? '.' : `, not ${sent}.`}`,
      { ...status, place: pointer, facts: { accept: known } },
    );
  };
}

/** Of a body whose content the document does not describe. */
const anyType: MediaType = {
  name: 'application/octet-stream',
  mediaType: 'application/octet-stream',
  schema: undefined,
  itemSchema: undefined,
  examples: [],
  pointer: '',
};

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON must be UTF-8 (RFC 8259 section 8.1); a byte order mark is not JSON, and stays. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}
