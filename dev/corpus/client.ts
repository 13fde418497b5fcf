import { request } from 'undici';
import type { Operation, PublicDocument } from './document.ts';
import { isRecord, recordOf } from './json.ts';
import type { BuiltRequest } from './request.ts';
import { SchemaJudge } from './schema-judge.ts';

/** A received response, or why there is none. */
export type Received =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | { readonly status: undefined; readonly error: string };

const milliseconds = 10_000;

/** Sends requests to one server and judges it, using only the document. */
export class Client {
  readonly document: PublicDocument;
  readonly operations: readonly Operation[];
  readonly requestJudge: SchemaJudge;
  readonly responseJudge: SchemaJudge;
  readonly #base: string;

  /** @param base URL of the server, without a trailing slash */
  constructor(document: PublicDocument, base: string) {
    this.document = document;
    this.#base = base;
    this.operations = document.listOperations();
    this.requestJudge = new SchemaJudge(document, 'request');
    this.responseJudge = new SchemaJudge(document, 'response');
  }

  /** Never throws. */
  async send({ method, path, query, headers, body }: BuiltRequest): Promise<Received> {
    try {
      const response = await request(this.#base + path + query, {
        method,
        headers,
        body: method === 'HEAD' ? null : (body ?? null),
        signal: AbortSignal.timeout(milliseconds),
      });
      const fields = Object.entries(response.headers).map(([name, value]): [string, string] => [
        name,
        [value ?? ''].flat().join(', '),
      ]);
      const text = await response.body.text();
      return { status: response.statusCode, headers: Object.fromEntries(fields), text };
    } catch (error) {
      return { status: undefined, error: String(error) };
    }
  }
}

/**
 * The parameter of an item path: `petId` of `/pets/{petId}` below `/pets`, with or without trailing
 * slashes.
 */
export function itemParameter(collection: string, item: string): string | undefined {
  const start = collection.replace(/\/$/, '');
  if (!item.startsWith(`${start}/{`)) return undefined;
  return /^\/\{([^{}/]+)\}\/?$/.exec(item.slice(start.length))?.[1];
}

/** An id of an item in a body: a member with one of the usual names, also in an envelope. */
export function idInBody(
  body: unknown,
  collection: string,
  parameter: string,
  levels = 4,
): string | number | undefined {
  const segments = collection.split('/').filter((one) => one !== '' && !one.startsWith('{'));
  const singular = plain((segments.at(-1) ?? '').replace(/ies$/, 'y').replace(/s$/, ''));
  const usual = ['id', `${singular}id`, 'identifier', 'uuid', 'uid', 'key', 'slug', 'name'];
  const names = [plain(parameter), ...usual, plain(parameter).replace(singular, '')];
  const known = names.filter((name) => name !== '');
  // Also `data.items[0].metadata.name`: the outermost one.
  let places = [body];
  for (let depth = 0; depth < levels; depth += 1) {
    const id = places.map((one) => idOf(one, known)).find((one) => one !== undefined);
    if (id !== undefined) return id;
    places = places.flatMap((one) => Object.values(recordOf(firstOf(one))));
  }
  return undefined;
}

/** The first of several items. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function idOf(items: unknown, names: readonly string[]): string | number | undefined {
  const value = firstOf(items);
  if (!isRecord(value)) return undefined;
  for (const wanted of names)
    for (const [name, one] of Object.entries(value))
      if (plain(name) === wanted && (typeof one === 'number' || (typeof one === 'string' && one)))
        return one;
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
