import { type BodyChoice, chooseBody, encodeBody } from './body.ts';
import type { Operation, Parameter, PublicDocument } from './document.ts';
import { isRecord, type JsonRecord, listOf, recordOf } from './json.ts';
import { headerText, pathText, plainText, queryParts } from './parameter-text.ts';
import type { MadeValue, ValueMaker } from './value.ts';

/** A request that is valid by the document, unless there are doubts. */
export interface BuiltRequest {
  readonly method: string;
  /** The path, with the values of its parameters. */
  readonly path: string;
  /** The query with its `?`; empty without one. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bodyChoice: BodyChoice | undefined;
  /** The value in the body. */
  readonly bodyValue: unknown;
  /** Parts for which no valid value could be made: the response then proves nothing. */
  readonly doubts: readonly string[];
}

export interface RequestWish {
  /** Sends every optional query parameter too. */
  readonly optional?: boolean;
  readonly bodyValue?: unknown;
}

/** Ids seen in responses, by the path of their collection. */
export type SeenIds = ReadonlyMap<string, unknown>;

const apiKey = 'demo';
/** OpenAPI ignores the descriptions of these headers. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

export class RequestBuilder {
  readonly #document: PublicDocument;
  readonly #values: ValueMaker;

  constructor(document: PublicDocument, values: ValueMaker) {
    this.#document = document;
    this.#values = values;
  }

  build(operation: Operation, seen: SeenIds, wish: RequestWish = {}): BuiltRequest {
    const draft = new Draft(operation.path);
    for (const parameter of operation.parameters)
      if (isSent(parameter, wish)) this.#add(draft, parameter, seen);
    draft.fillTemplate();
    for (const scheme of this.#schemesOf(operation)) draft.addCredential(scheme);
    const bodyChoice = chooseBody(this.#document, operation);
    const made = bodyChoice && this.#makeBody(bodyChoice, wish);
    if (made?.isValid === false) draft.doubts.push('body');
    const body = bodyChoice && encodeBody(this.#document, bodyChoice, made?.value);
    if (body !== undefined) draft.headers['content-type'] = body.contentType;
    if (draft.cookies.length > 0) draft.headers['cookie'] = draft.cookies.join('; ');
    const { path, query, headers, doubts } = draft;
    return {
      method: operation.method,
      path,
      query: query.length === 0 ? '' : (path.includes('?') ? '&' : '?') + query.join('&'),
      headers,
      body: body?.text,
      bodyChoice,
      bodyValue: made?.value,
      doubts,
    };
  }

  /** The first alternative of an operation whose security schemes the document describes. */
  #schemesOf({ node }: Operation): readonly JsonRecord[] {
    const schemes = recordOf(recordOf(this.#document.root['components'])['securitySchemes']);
    const alternatives = listOf(node['security'] ?? this.#document.root['security'])
      .filter(isRecord)
      .map((one) => Object.keys(one).map((name) => this.#document.dereference(schemes[name])));
    const chosen = alternatives.find((list) => list.every(isRecord)) ?? alternatives[0] ?? [];
    return chosen.filter(isRecord);
  }

  #makeBody(choice: BodyChoice, { bodyValue }: RequestWish): MadeValue {
    return bodyValue === undefined
      ? this.#values.make(choice.place)
      : { value: bodyValue, isValid: true };
  }

  #add(draft: Draft, parameter: Parameter, seen: SeenIds): void {
    const { place, node, required } = parameter;
    const [type] = Object.keys(recordOf(node['content']));
    const holder = type === undefined ? place : this.#document.below(place, 'content', type);
    const made = this.#values.make(holder);
    if (parameter.in === 'path')
      draft.addPath(parameter, this.#seenId(draft, parameter, seen) ?? made.value);
    else if (made.isValid || required) draft.add(parameter, made.value);
    if (!made.isValid && (required || parameter.in === 'path'))
      draft.doubts.push(`${parameter.in} ${parameter.name}`);
  }

  /** An id that a response of the collection before the parameter has shown. */
  #seenId(draft: Draft, { place, node, name }: Parameter, seen: SeenIds): unknown {
    const id = seen.get(draft.pathBefore(name));
    if (id === undefined || node['schema'] === undefined) return id;
    const schema = this.#document.below(place, 'schema');
    // In a path an integer and its text are the same.
    return [id, Number(id)].find((one) => this.#values.fits(schema, one));
  }
}

function isSent({ in: at, name, required, node }: Parameter, { optional }: RequestWish): boolean {
  if (at === 'header' && ignoredHeaders.has(name.toLowerCase())) return false;
  if (at === 'path' || required) return true;
  return optional === true && at === 'query' && node['deprecated'] !== true;
}

/** The parts of a request while parameters are added. */
class Draft {
  path: string;
  readonly query: string[] = [];
  readonly headers: Record<string, string> = { accept: '*/*' };
  readonly cookies: string[] = [];
  readonly doubts: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add(parameter: Parameter, value: unknown): void {
    const { in: at, name } = parameter;
    if (at === 'query') this.query.push(...queryParts(parameter, value));
    else if (at === 'header') this.headers[name.toLowerCase()] = headerText(value);
    else if (at === 'cookie') this.cookies.push(`${name}=${encodeURIComponent(plainText(value))}`);
  }

  addCredential({ type, in: at, name, scheme }: JsonRecord): void {
    if (type === 'mutualTLS') return;
    if (type === 'apiKey') {
      if (at === 'header') this.headers[String(name).toLowerCase()] = apiKey;
      else if (at === 'query') this.query.push(`${encodeURIComponent(String(name))}=${apiKey}`);
      else this.cookies.push(`${String(name)}=${apiKey}`);
      return;
    }
    const kind = type === 'http' ? String(scheme) : 'Bearer';
    const basic = Buffer.from(`${apiKey}:${apiKey}`).toString('base64');
    const value = kind.toLowerCase() === 'basic' ? basic : apiKey;
    this.headers['authorization'] = `${kind} ${value}`;
  }

  /** An empty value would name another path. */
  addPath(parameter: Parameter, value: unknown): void {
    const shown = value === '' || value === null ? 'x' : value;
    this.path = this.path.replaceAll(`{${parameter.name}}`, () => pathText(parameter, shown));
  }

  /** The path so far up to a parameter, without the slash. */
  pathBefore(name: string): string {
    return this.path.slice(0, this.path.indexOf(`{${name}}`)).replace(/\/$/, '');
  }

  /** Parameters that the document does not describe. */
  fillTemplate(): void {
    if (!/[{}]/.test(this.path)) return;
    this.doubts.push('path template');
    this.path = this.path.replaceAll(/\{[^{}]*\}/g, 'x');
  }
}
