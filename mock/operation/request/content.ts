import type { Issue, SchemaNode } from '../../../contract/schema/schema-node.ts';
import { type JsonValue, parseJson } from '../../../contract/json/value.ts';
import {
  type MediaType,
  isJsonLines,
  isJsonMediaType,
  findContent,
  essence,
} from '../../../contract/openapi/media-type.ts';
import {
  type Operation,
  type RequestBody,
  isContentIgnored,
} from '../../../contract/openapi/operation.ts';
import { messageOf } from '../../../contract/source/diagnostic.ts';
import { maxContentBytes, type MockRequest, headerText } from '../../http/message.ts';
import type { Choices } from '../../choice/choices.ts';
import { type Refusal, refuse, documentedStatuses } from '../response/refusal.ts';
import {
  queryPairs,
  readBrackets,
  readTextValue,
  sourceOfMembers,
  textLeaf,
} from '../../http/parameter-text.ts';

/** A parsed body; undefined for none, or for a media type that is accepted unparsed. */
export interface Content {
  readonly kind: 'content';
  readonly value: JsonValue | undefined;
  /** How the value breaks its schema. */
  readonly issues: readonly Issue[];
}

const noContent: Content = { kind: 'content', value: undefined, issues: [] };

const noBytes = new Uint8Array();

/**
 * Compiles how an operation's body is read: size, media type, syntax, schema. Undefined if it has
 * none.
 */
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
    const sent = headerText(request.headers, 'content-type');
    if (bytes.length === 0) {
      if (!isRequired) return noContent;
      if (sent === undefined) return missing();
    }
    const mediaType = choose(request);
    if ('kind' in mediaType) return bytes.length === 0 ? missing() : mediaType;
    const contentType = sent ?? mediaType.mediaType;
    const read = readerOf(mediaType, contentType);
    if (bytes.length === 0 && read === readJson) return missing();
    const content = read(bytes, mediaType, contentType);
    return typeof content === 'string' ? refuse('malformed_body', content, more) : content;
  };
}

function compileMediaType(
  { content, pointer }: RequestBody,
  choices: Choices,
): (request: MockRequest) => MediaType | Refusal {
  const choice = choices.choose('request-media-type', pointer).id;
  // If an open question covers other media types, the single documented one is not assumed.
  const guesses = choices.answersTo('request-media-type').length === 0;
  const known = content.map(({ mediaType }) => mediaType).join(', ');
  const status = choice === 'refused' ? { status: 400 } : {};
  const unsupported = (message: string, facts: Refusal['facts']): Refusal =>
    refuse('unsupported_media_type', message, { ...status, place: pointer, facts });
  return ({ headers }) => {
    const encoding = headerText(headers, 'content-encoding');
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
      return unsupported('Content-Encoding is not supported. Send the body without encoding.', {
        acceptEncoding: 'identity',
      });
    const contentType = headerText(headers, 'content-type');
    const [first = anyType, ...others] = content;
    if (contentType !== undefined) {
      if (others.length === 0 && contentType === first.mediaType) return first;
      const found = findContent(content, contentType);
      if (found !== undefined) return found;
    }
    const isOnly = guesses && contentType === undefined && others.length === 0;
    if (choice === 'accepted' || isOnly || first === anyType) return first;
    const sent = essence(contentType ?? '');
    return unsupported(
      `The media type of the body must be ${known}${sent === '' ? '.' : `, not ${sent}.`}`,
      { accept: known },
    );
  };
}

/** A body that the document does not describe. */
const anyType: MediaType = {
  name: 'application/octet-stream',
  mediaType: 'application/octet-stream',
  schema: undefined,
  itemSchema: undefined,
  deepMembers: [],
  examples: [],
  pointer: '',
};

/** Parses the bytes of a body; a string result says what is wrong with them. */
type ReadBody = (bytes: Uint8Array, mediaType: MediaType, contentType: string) => Content | string;

/** By the documented media type; if that is a range, or missing, by the sent one. */
function readerOf(documented: MediaType, contentType: string): ReadBody {
  const { mediaType } = documented;
  if (mediaType === 'application/json') return readJson;
  const isOpen = documented === anyType || mediaType.includes('*');
  const sent = essence(contentType);
  const type = isOpen && sent !== '' && !sent.includes('*') ? sent : mediaType;
  if (isJsonMediaType(type) || type.includes('*')) return readJson;
  if (isJsonLines(type) && documented.itemSchema !== undefined) return readLines;
  return readers[type] ?? (() => noContent);
}

const readJson: ReadBody = (bytes, { schema }) => {
  const text = decodeUtf8(bytes);
  if (text === undefined) return 'The body is not valid UTF-8.';
  if (text.startsWith('\uFEFF'))
    return 'The body starts with a byte order mark, which JSON does not allow.';
  try {
    const value = parseJson(text);
    return { kind: 'content', value, issues: schema?.validate(value, 'request') ?? [] };
  } catch (error) {
    return `The body is not valid JSON: ${messageOf(error)}`;
  }
};

/** JSON values on a line each, described by `itemSchema` (OpenAPI 3.2). */
const readLines: ReadBody = (bytes, { itemSchema }) => {
  const lines = decodeText(bytes).split(/\r?\n/);
  try {
    const value = lines.filter((line) => line.trim() !== '').map((line) => parseJson(line));
    const issues = value.flatMap((item, index) =>
      (itemSchema?.validate(item, 'request') ?? []).map((issue) => ({
        ...issue,
        at: `/${index}${issue.at}`,
      })),
    );
    return { kind: 'content', value, issues };
  } catch (error) {
    return `A line of the body is not valid JSON: ${messageOf(error)}`;
  }
};

/** Media types other than JSON; XML, images and others are accepted unparsed. */
const readers: Readonly<Record<string, ReadBody>> = {
  'application/x-www-form-urlencoded': (bytes, { schema }) =>
    readForm(queryPairs(decodeText(bytes).trim()), schema),
  'multipart/form-data': (bytes, { schema }, contentType) => {
    const pairs = readParts(contentType, bytes);
    return pairs === undefined
      ? 'The body is not multipart: it has no parts between the boundary of its Content-Type.'
      : readForm(pairs, schema);
  },
  'text/plain': (bytes, { schema }) => {
    const text = decodeText(bytes);
    const plain = { ...textLeaf(text), lists: () => [] };
    const read = schema === undefined ? undefined : readTextValue(plain, schema);
    return { kind: 'content', value: read?.value ?? text, issues: read?.issues ?? [] };
  },
};

interface FormPair {
  readonly name: string;
  readonly text: string;
}

/** Pairs as values of a schema; without one, texts by name. */
function readForm(pairs: readonly FormPair[], schema: SchemaNode | undefined): Content {
  // If the schema has a property such as `ids[]`, its brackets are part of the name.
  const source = sourceOfMembers(({ properties }) => [
    readBrackets(pairs, (name) => properties.has(name)),
  ]);
  const read = schema && readTextValue(source, schema);
  const value = read?.value ?? Object.fromEntries(pairs.map(({ name, text }) => [name, text]));
  // A form is an object; a schema of another type, such as a file, does not describe it.
  const isObject = schema?.shape().types.includes('object') === true;
  const isFound = !isObject || read?.issues.length === 0;
  return { kind: 'content', value, issues: isFound ? [] : schema.validate(value, 'request') };
}

/**
 * The parts of a multipart body (RFC 2046 section 5.1.1, RFC 7578 section 4) by name, files as
 * texts; undefined if the media type has no boundary, or the body does not contain it.
 */
function readParts(contentType: string, bytes: Uint8Array): readonly FormPair[] | undefined {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) return undefined;
  // Latin-1 maps each byte to one character.
  const delimiter = `\r\n--${renderLatin1(new TextEncoder().encode(boundary))}`;
  const pieces = `\r\n${renderLatin1(bytes)}`.split(delimiter);
  const end = pieces.findIndex((piece, index) => index > 0 && piece.startsWith('--'));
  return end < 0 ? undefined : pieces.slice(1, end).map(readPart);
}

function readPart(piece: string): FormPair {
  const blank = piece.indexOf('\r\n\r\n');
  const head = blank < 0 ? '' : piece.slice(0, blank);
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const [, quoted, token] =
    /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition) ?? [];
  const name = decodeText(bytesOf(quoted?.replace(/\\(.)/g, '$1') ?? token ?? ''));
  const text = decodeText(bytesOf(blank < 0 ? '' : piece.slice(blank + 4)));
  // Browsers encode quotes in names as %22 (HTML, multipart/form-data encoding algorithm).
  return { name: name.replaceAll('%22', '"'), text };
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON must be UTF-8 (RFC 8259 section 8.1). A byte order mark is kept, and is invalid JSON. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** As UTF-8 if valid, else as Latin-1. */
function decodeText(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? renderLatin1(bytes);
}

function renderLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function bytesOf(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}
