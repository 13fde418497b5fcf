import { type JsonValue, codec, isJsonArray, isNumeric } from '../../../contract/index.ts';

/** A stub as it is asked for: which requests it is for, and how they are answered. */
export interface StubRule {
  /** For people. */
  readonly name?: string;
  /** By default every request. All that is said has to hold. */
  readonly request?: StubRequest;
  /** How each request is answered. */
  readonly response?: StubResponse;
  /** In place of `response`: one for each request in turn, the last one for all further ones. */
  readonly responses?: readonly StubResponse[];
  /** Requests that it answers, then it is spent; by default without end. */
  readonly times?: number;
  /** Stubs of a higher one are tried first; of equals the last added. Default: 0. */
  readonly priority?: number;
  /** It is for requests in a state of a scenario, or moves it on. */
  readonly scenario?: StubScenario;
}

/** A scenario of a sandbox: a name for a state that stubs share. It begins in `start`. */
export interface StubScenario {
  readonly name: string;
  /** The state in which the stub is for requests; by default any. */
  readonly from?: string;
  /** The state once it has answered; by default the same. */
  readonly to?: string;
}

/** Which requests a stub is for. */
export interface StubRequest {
  /** Id of an operation of the document. */
  readonly operation?: string;
  /** In upper case. GET is for HEAD too. */
  readonly method?: string;
  /** Below the base URL; `{name}` stands for any text within a segment: `/pets/{petId}`. */
  readonly path?: string;
  /** Conditions on query parameters, by name. */
  readonly query?: Readonly<Record<string, TextCondition>>;
  /** Conditions on header fields, by name in any case. */
  readonly headers?: Readonly<Record<string, TextCondition>>;
  readonly body?: BodyCondition;
}

/**
 * A text or the like: one of its values is this; a list: its values are these, in this order;
 * `present`: it is there, or is not; `contains`: this text stands in one of its values.
 */
export type TextCondition =
  | string
  | number
  | bigint
  | boolean
  | readonly string[]
  | { readonly present?: boolean; readonly contains?: string };

/** What a request body has to be. All that is said has to hold. */
export interface BodyCondition {
  /** This JSON; numbers are compared by value, members in any order. */
  readonly equals?: JsonValue;
  /** JSON with at least these members, at any depth; lists have as many entries, in this order. */
  readonly contains?: JsonValue;
  /** JSON with these values at these JSON pointers (RFC 6901). */
  readonly members?: Readonly<Record<string, JsonValue>>;
  /** This text. */
  readonly text?: string;
  /** This text stands in it. */
  readonly textContains?: string;
}

/** How a request is answered. Of `body`, `text`, `base64` and `example` at most one is given. */
export interface StubResponse {
  /** From 200 to 599; by default that of the example, else that of success. */
  readonly status?: number;
  /** In place of those that the mock sends; null for none by that name. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** JSON. */
  readonly body?: JsonValue;
  readonly text?: string;
  /** Bytes in Base64 (RFC 4648 section 4). */
  readonly base64?: string;
  /** Name of an example of the document for the operation. */
  readonly example?: string;
  /** Milliseconds to wait first. */
  readonly delay?: number;
}

/** A stub that is in force, or spent. */
export interface Stub extends StubRule {
  readonly id: string;
  /** `file`: of the file that the mock was started with, or of its options. */
  readonly origin: StubOrigin;
  /** Requests that it has answered. */
  readonly applied: number;
  /** What of the contract it breaks, and what of it can never be. */
  readonly warnings: readonly StubWarning[];
}

export type StubOrigin = 'control' | 'file';

/** What of the contract a stub breaks. */
export interface StubWarning {
  /** A sentence. */
  readonly message: string;
  /** JSON pointer into the document; absent where it has no place for it. */
  readonly pointer?: string;
}

/** Every list and text of a rule is bounded by the body that it comes in. */
const condition: codec.Codec<TextCondition> = {
  read(value, at) {
    if (typeof value === 'string') return value;
    if (isNumeric(value) || typeof value === 'boolean') return value.toString();
    if (isJsonArray(value)) return codec.list(codec.text).read(value, at);
    return codec
      .object({ present: codec.optional(codec.flag), contains: codec.optional(codec.text) })
      .read(value, at);
  },
  render: (value) => value,
};

const fieldValue: codec.Codec<string | readonly string[] | null> = {
  read(value, at) {
    if (value === null) return null;
    return Array.isArray(value)
      ? codec.list(codec.text).read(value, at)
      : codec.text.read(value, at);
  },
  render: (value) => value,
};

const request = codec.object({
  operation: codec.optional(codec.text),
  method: codec.optional(codec.text),
  path: codec.optional(codec.text),
  query: codec.optional(codec.map(condition)),
  headers: codec.optional(codec.map(condition)),
  body: codec.optional(
    codec.object({
      equals: codec.optional(codec.json),
      contains: codec.optional(codec.json),
      members: codec.optional(codec.map(codec.json)),
      text: codec.optional(codec.text),
      textContains: codec.optional(codec.text),
    }),
  ),
});

const response = codec.object({
  status: codec.optional(codec.whole(200, 599)),
  headers: codec.optional(codec.map(fieldValue)),
  body: codec.optional(codec.json),
  text: codec.optional(codec.text),
  base64: codec.optional(codec.text),
  example: codec.optional(codec.text),
  delay: codec.optional(codec.whole(0, 600_000)),
});

const members = {
  name: codec.optional(codec.text),
  request: codec.optional(request),
  response: codec.optional(response),
  responses: codec.optional(codec.list(response)),
  times: codec.optional(codec.whole(1)),
  priority: codec.optional(codec.whole(Number.MIN_SAFE_INTEGER)),
  scenario: codec.optional(
    codec.object({
      name: codec.text,
      from: codec.optional(codec.text),
      to: codec.optional(codec.text),
    }),
  ),
};

/** A stub out of untrusted JSON. Throws `PetstoreError` with code `shape`, and its place. */
export const stubRule: codec.Codec<StubRule> = codec.object(members);

/** A stub of a file, which may be for one sandbox alone. */
export const fileStub = codec.object({ ...members, sandbox: codec.optional(codec.text) });

/** A stub of a file, for every sandbox unless it names one. */
export type FileStub = codec.TypeOf<typeof fileStub>;
