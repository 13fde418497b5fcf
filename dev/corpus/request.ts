import { type BodyChoice, chooseBody, encodeBody } from './body.ts';
import type { Operation, Parameter, PublicDocument } from './document.ts';
import { isRecord, type JsonRecord, listOf, recordOf } from './json.ts';
import { headerText, pathText, plainText, queryParts } from './parameter-text.ts';
import { type ValueSource, fits, makeValue } from './value.ts';

/** A request that is valid by the document, unless it has doubts. */
export interface BuiltRequest {
  readonly method: string;
  /** With the values of its parameters. */
  readonly path: string;
  /** With its `?`; empty without one. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bodyChoice: BodyChoice | undefined;
  /** The value in the body. */
  readonly bodyValue: unknown;
  /** Parts without a valid value: then the response proves nothing. */
  readonly doubts: readonly string[];
}

export interface RequestChoices {
  /** Sends every optional query parameter too. */
  readonly optional?: boolean;
  readonly bodyValue?: unknown;
}

/** Ids seen in responses, by the path of their collection. */
export type SeenIds = ReadonlyMap<string, unknown>;

const apiKey = 'demo';
/** The name of a header (RFC 9110 section 5.6.2). */
const isToken = /^[\w!#$%&'*+.^`|~-]+$/;
/** OpenAPI ignores the descriptions of the first three; the client sets the last itself. */
const locations = new Set(['path', 'query', 'header', 'cookie']);
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization', 'content-length']);

export function buildRequest(
  source: ValueSource,
  operation: Operation,
  seen: SeenIds = new Map(),
  wish: RequestChoices = {},
): BuiltRequest {
  const { document } = source;
  let { path } = operation;
  const query: string[] = [];
  const headers: Record<string, string> = { accept: '*/*' };
  const cookies: string[] = [];
  const doubts: string[] = [];
  for (const parameter of operation.parameters.filter((one) => isSent(one, wish))) {
    const { in: at, name, required, place, node } = parameter;
    if (!locations.has(at)) doubts.push(`a parameter in ${at}`);
    const [type] = Object.keys(recordOf(node['content']));
    const holder = type === undefined ? place : document.below(place, 'content', type);
    const { value, isValid } = makeValue(source, holder);
    if (!isValid && (required || at === 'path')) doubts.push(`${at} ${name}`);
    if (at === 'path') {
      const collection = path.slice(0, path.indexOf(`{${name}}`)).replace(/\/$/, '');
      const seenId = seen.get(collection) ?? seen.get(`${collection}/`);
      const wanted = chooseSeen(source, parameter, seenId) ?? value;
      // An empty value would address another path.
      const shown = wanted === '' || wanted === null ? 'x' : wanted;
      path = path.replaceAll(`{${name}}`, () => pathText(parameter, shown));
    } else if (isValid || required) {
      if (at === 'query') {
        const parts = queryParts(parameter, value);
        // An empty object or array leaves nothing to send.
        if (required && parts.length === 0) doubts.push(`query ${name}`);
        query.push(...parts);
      } else if (at === 'header') headers[name.toLowerCase()] = headerText(value);
      else cookies.push(`${name}=${encodeURIComponent(plainText(value))}`);
    }
  }
  // Parameters that the document does not describe.
  if (/[{}]/.test(path)) doubts.push('path template');
  path = path.replaceAll(/\{[^{}]*\}/g, 'x');
  for (const scheme of schemesOf(document, operation))
    addCredential(scheme, { query, headers, cookies });
  for (const name of Object.keys(headers).filter((one) => !isToken.test(one))) {
    doubts.push(`header ${name}`);
    delete headers[name];
  }
  const bodyChoice = chooseBody(document, operation);
  const { bodyValue } = wish;
  const made =
    bodyChoice && bodyValue === undefined
      ? makeValue(source, bodyChoice.place)
      : { value: bodyValue, isValid: true };
  if (!made.isValid) doubts.push('body');
  const body = bodyChoice && encodeBody(document, bodyChoice, made.value);
  if (body !== undefined) headers['content-type'] = body.contentType;
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  return {
    method: operation.method,
    path,
    query: query.length === 0 ? '' : (path.includes('?') ? '&' : '?') + query.join('&'),
    headers,
    body: body?.text,
    bodyChoice,
    bodyValue: made.value,
    doubts,
  };
}

/** The first alternative of an operation whose security schemes the document describes. */
function schemesOf(document: PublicDocument, { node }: Operation): readonly JsonRecord[] {
  const schemes = recordOf(recordOf(document.root['components'])['securitySchemes']);
  const alternatives = listOf(node['security'] ?? document.root['security'])
    .filter(isRecord)
    .map((one) => Object.keys(one).map((name) => document.dereference(schemes[name])));
  const chosen = alternatives.find((list) => list.every(isRecord)) ?? alternatives[0] ?? [];
  return chosen.filter(isRecord);
}

/** An id of the collection before a parameter, if it fits. */
function chooseSeen(source: ValueSource, { place, node }: Parameter, id: unknown): unknown {
  if (id === undefined || node['schema'] === undefined) return id;
  const schema = source.document.below(place, 'schema');
  // In a path, an integer and its text are the same.
  return [id, Number(id), plainText(id)].find((one) => fits(source, schema, one));
}

function isSent(
  { in: at, name, required, node }: Parameter,
  { optional }: RequestChoices,
): boolean {
  if (at === 'header' && ignoredHeaders.has(name.toLowerCase())) return false;
  if (at === 'path' || required) return true;
  return optional === true && at === 'query' && node['deprecated'] !== true;
}

interface CredentialPlaces {
  readonly query: string[];
  readonly headers: Record<string, string>;
  readonly cookies: string[];
}

function addCredential(
  { type, in: at, name, scheme }: JsonRecord,
  { query, headers, cookies }: CredentialPlaces,
): void {
  if (type === 'mutualTLS') return;
  if (type === 'apiKey') {
    if (at === 'header') headers[String(name).toLowerCase()] = apiKey;
    else if (at === 'query') query.push(`${encodeURIComponent(String(name))}=${apiKey}`);
    else cookies.push(`${String(name)}=${apiKey}`);
    return;
  }
  const kind = type === 'http' ? String(scheme) : 'Bearer';
  const basic = Buffer.from(`${apiKey}:${apiKey}`).toString('base64');
  headers['authorization'] = `${kind} ${kind.toLowerCase() === 'basic' ? basic : apiKey}`;
}
