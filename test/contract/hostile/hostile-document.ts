/** A document that somebody wrote to hang, to crash or to fill whoever reads it. */
export interface HostileDocument {
  /** What is hostile in it: `references/doubling-properties`. */
  readonly name: string;
  /** Its files by their names; `openapi.json` or `openapi.yaml` is the document. */
  readonly files: Readonly<Record<string, string>>;
  /** One of the files that changes the document (OpenAPI Overlay). */
  readonly overlay?: string;
  /** Where something must be told of: a part of a pointer. Absent: nothing need be. */
  readonly told?: string;
  /** Nothing of it can be used: every command refuses it. Default: false. */
  readonly isRefused?: boolean;
}

/** Gives numbers from 0 to below 1, the same ones for the same seed. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number around another, from three quarters of it to five quarters. */
export function around(random: Random, size: number): number {
  return Math.round(size * (0.75 + random() / 2));
}

/** JSON as it is written; what is too large or odd for JSON.stringify is given as text. */
export type Written = unknown;

export const json = (schema: Written): object => ({ 'application/json': { schema } });

export const ok = (schema: Written): { readonly 200: object } => ({
  200: { description: 'Fine.', content: json(schema) },
});

const good = {
  get: {
    operationId: 'getGood',
    responses: ok({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
  },
};

/** A document that has a sound operation at `/good`, and more. */
export function documentOf(
  paths: Record<string, Written>,
  rest: Record<string, Written> = {},
): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: { '/good': good, ...paths },
    ...rest,
  };
}

/** A schema in the response of `GET /hostile`, and in the body of `POST /hostile`. */
export function schemaDocument(
  schema: Written,
  schemas: Record<string, Written> = {},
  version = '3.1.0',
): object {
  const operations = {
    get: { operationId: 'getHostile', responses: ok(schema) },
    post: {
      operationId: 'addHostile',
      requestBody: { required: true, content: json(schema) },
      responses: ok(schema),
    },
  };
  const document = documentOf({ '/hostile': operations }, { components: { schemas } });
  return { ...document, openapi: version };
}

export function inJson(
  name: string,
  document: object,
  more: Omit<HostileDocument, 'name' | 'files'> = {},
): HostileDocument {
  return { name, files: { 'openapi.json': JSON.stringify(document) }, ...more };
}

/** A list of values made from the numbers below a count. */
export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_none, index) => make(index));
}

/** An object of members made from the numbers below a count. */
export function members<Value>(
  count: number,
  make: (index: number) => readonly [string, Value],
): Record<string, Value> {
  return Object.fromEntries(times(count, make));
}

export const referTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const words = 'if then else'.split(' ');

/** A schema with `if`, and what follows from it; `otherwise` stands for `else`. */
export function condition(test: Written, then: Written, otherwise?: Written): object {
  const parts = [test, then, otherwise];
  return Object.fromEntries(words.map((word, index) => [word, parts[index]]));
}
