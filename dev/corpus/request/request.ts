import { recordOf } from '../document/json.ts';
import type { Operation, Parameter } from '../document/operation.ts';
import { placeBelow } from '../document/place.ts';
import type { PublicDocument } from '../document/read.ts';
import { type BodyChoice, chooseBody, encodeBody } from './body.ts';
import { makeCredentials } from './credential.ts';
import { headerText, pathText, plainText, queryParts } from './parameter-text.ts';
import type { MadeValue, ValueMaker } from './value.ts';

/** A request that is lawful by the document, unless there are doubts. */
export interface BuiltRequest {
  readonly method: string;
  /** The path, parameters put in. */
  readonly path: string;
  /** The query with its `?`; empty without one. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bodyChoice: BodyChoice | undefined;
  /** The value in the body. */
  readonly bodyValue: unknown;
  /** Parts for which no lawful value could be made: the request shows nothing. */
  readonly doubts: readonly string[];
}

export interface RequestWish {
  /** Sends every optional query parameter too. */
  readonly optional?: boolean;
  readonly bodyValue?: unknown;
}

/** Ids seen in responses, by the path of their collection. */
export type SeenIds = ReadonlyMap<string, unknown>;

/** Headers that requests have by themselves: OpenAPI ignores their descriptions. */
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
    const { root } = this.#document;
    const { headers, query, cookies } = makeCredentials(root, operation);
    const allCookies = [...cookies, ...draft.cookies].join('; ');
    const bodyChoice = chooseBody(root, operation);
    const made = bodyChoice && this.#makeBody(bodyChoice, wish);
    if (made?.isLawful === false) draft.doubts.push('body');
    const body = bodyChoice && encodeBody(root, bodyChoice, made?.value);
    const parts = [...draft.query, ...query];
    return {
      method: operation.method,
      path: draft.path,
      query: parts.length === 0 ? '' : (draft.path.includes('?') ? '&' : '?') + parts.join('&'),
      headers: {
        accept: '*/*',
        ...draft.headers,
        ...headers,
        ...(allCookies === '' ? {} : { cookie: allCookies }),
        ...(body === undefined ? {} : { 'content-type': body.contentType }),
      },
      body: body?.text,
      bodyChoice,
      bodyValue: made?.value,
      doubts: draft.doubts,
    };
  }

  #makeBody(choice: BodyChoice, { bodyValue }: RequestWish): MadeValue {
    return bodyValue === undefined
      ? this.#values.make(choice.place)
      : { value: bodyValue, isLawful: true };
  }

  #add(draft: Draft, parameter: Parameter, seen: SeenIds): void {
    const made = this.#makeParameter(parameter);
    if (parameter.in === 'path') {
      draft.addPath(parameter, this.#seenId(draft, parameter, seen) ?? made.value);
    } else if (made.isLawful || parameter.required) draft.add(parameter, made.value);
    if (!made.isLawful && (parameter.required || parameter.in === 'path'))
      draft.doubts.push(`${parameter.in} ${parameter.name}`);
  }

  #makeParameter({ place, node }: Parameter): MadeValue {
    const [type] = Object.keys(recordOf(node['content']));
    if (type === undefined) return this.#values.make(place);
    return this.#values.make(placeBelow(this.#document.root, place, 'content', type));
  }

  /** An id that a response of the collection before the parameter has shown. */
  #seenId(draft: Draft, { place, node, name }: Parameter, seen: SeenIds): unknown {
    const id = seen.get(draft.pathBefore(name));
    if (id === undefined || node['schema'] === undefined) return id;
    const schema = placeBelow(this.#document.root, place, 'schema');
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
  readonly headers: Record<string, string> = {};
  readonly cookies: string[] = [];
  readonly doubts: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add(parameter: Parameter, value: unknown): void {
    if (parameter.in === 'query') this.query.push(...queryParts(parameter, value));
    else if (parameter.in === 'header')
      this.headers[parameter.name.toLowerCase()] = headerText(value);
    else if (parameter.in === 'cookie')
      this.cookies.push(`${parameter.name}=${encodeURIComponent(plainText(value))}`);
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
