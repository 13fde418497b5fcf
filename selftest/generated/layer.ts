import { compilePathMatch, withoutQuery } from '../../contract/openapi/path-pattern.ts';
import type { Contract } from '../../contract/contract.ts';
import { documentedResponse, successStatus } from '../../contract/openapi/response.ts';
import { isCredential, renderCredential } from '../../contract/openapi/credential.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { type JsonValue, parseJson, renderJson } from '../../contract/json/value.ts';
import {
  type ConstantParameter,
  listConstants,
  type Operation,
} from '../../contract/openapi/operation.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { Requirement, WireRequest } from '../../conformance/index.ts';
import { SchemaCheck } from './schema-check.ts';

/** A response as a server in the same process gives it. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A request that came in. */
export interface Call {
  readonly request: WireRequest;
  /** Undefined where the document has no operation for it. */
  readonly operation: Operation | undefined;
  /** The text of the last path parameter, decoded; undefined for none. */
  readonly id: string | undefined;
}

/** Passes a request on to the correct server. */
export type Serve = (request: WireRequest) => Reply;

/** What a server does wrong, around one that does all right. Undefined: it never responds. */
export type Layer = (call: Call, serve: Serve) => Reply | undefined | Promise<Reply | undefined>;

/** A server of a contract with one fault, made from one requirement. */
export interface GeneratedMutant {
  readonly requirement: Requirement;
  /** Unique within the requirement: `left-out`. */
  readonly kind: string;
  /** What it does wrong, without a full stop. */
  readonly fault: string;
  /** Called once for each server, so that it may keep a state. */
  readonly layer: () => Layer;
  /** Only a run that drives to the rate limit can show it. */
  readonly needs?: 'exhaust';
}

/** What is wrong, and how; or why nothing can be. */
export type Faults = Generator<Pick<GeneratedMutant, 'kind' | 'fault' | 'layer' | 'needs'>>;

/** What the generators of all families share: the contract, and the faces of its requests and responses. */
export class Workshop {
  readonly contract: Contract;
  readonly check: SchemaCheck;
  readonly #key: string;
  readonly #paths;

  constructor(contract: Contract, key: string) {
    this.contract = contract;
    this.check = new SchemaCheck(contract.document);
    this.#key = key;
    this.#paths = contract.operations
      .map((operation) => ({
        operation,
        match: compilePathMatch(withoutQuery(operation.path)),
        constants: listConstants(operation),
      }))
      .toSorted(
        (one, other) =>
          countOf(one.operation.path) - countOf(other.operation.path) ||
          other.constants.length - one.constants.length,
      );
  }

  operation(id: string): Operation | undefined {
    return this.contract.operations.find((operation) => operation.id === id);
  }

  read(request: WireRequest): Call {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice(this.contract.basePath.length);
    const found = this.#paths.flatMap(({ operation, match, constants }) => {
      const values = operation.method === request.method ? match(path) : undefined;
      return values === undefined ? [] : [{ operation, constants, id: values.at(-1) }];
    });
    const isMeant = ({ in: place, name, value }: ConstantParameter): boolean =>
      value === (place === 'query' ? searchParams.get(name) : headerOf(request, name));
    const { operation, id } = found.find((each) => each.constants.every(isMeant)) ?? found[0] ?? {};
    return { request, operation, id: id === undefined ? undefined : decode(id) };
  }

  /** The same request with the right key. */
  withKey(call: Call): WireRequest {
    const url = new URL(call.request.url);
    const headers = new Map(
      call.request.headers.map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const scheme of call.operation?.security[0] ?? []) {
      const field = isCredential(scheme) ? renderCredential(scheme, this.#key) : undefined;
      if (field?.in === 'query') url.searchParams.set(field.name, field.value);
      else if (field?.in === 'cookie') headers.set('cookie', `${field.name}=${field.value}`);
      else if (field) headers.set(field.name.toLowerCase(), field.value);
    }
    return { ...call.request, url: url.href, headers: [...headers] };
  }

  /** The texts by which a request shows a key: the values of every field that its operation reads. */
  shownKeys({ request, operation }: Call): readonly string[] {
    const { searchParams } = new URL(request.url);
    const header = (wanted: string): string | undefined =>
      request.headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
    return (operation?.security.flat() ?? []).filter(isCredential).flatMap((scheme) => {
      const field = renderCredential(scheme, this.#key);
      if (field === undefined) return [];
      const text =
        field.in === 'query'
          ? searchParams.get(field.name)
          : field.in === 'cookie'
            ? header('cookie')
            : header(field.name);
      return text === null || text === undefined ? [] : [text];
    });
  }

  /** A text that shows a key nearly as it is. */
  isNearKey(text: string): boolean {
    const [shown, key] = [text.toLowerCase(), this.#key.toLowerCase()];
    return (
      shown.includes(key.slice(0, -1)) ||
      (/[a-z]{3}/.test(key.split('_', 1)[0] ?? '') && shown.endsWith(key.split('_', 1)[0] ?? ''))
    );
  }

  /** Whether a text has the scheme of the document before a key, or the document has none. */
  hasScheme(text: string): boolean {
    const schemes = this.contract.operations.flatMap(({ security }) => security.flat());
    const isBearer = (scheme: (typeof schemes)[number]): boolean =>
      isCredential(scheme) && renderCredential(scheme, '')?.value.startsWith('Bearer') === true;
    return /^bearer /i.test(text) || !schemes.some(isBearer);
  }

  /** The response that an operation documents for a status, its body and its headers made up. */
  reply(operation: Operation, status: number, like?: Reply): Reply {
    const response = documentedResponse(operation, status);
    const content = jsonContent(response?.content ?? []) ?? response?.content[0];
    const sample = content?.schema && sampleSchema(content.schema, { direction: 'response' }).value;
    const body = sample === undefined ? undefined : this.#withStatus(sample, status);
    const names = new Set(response?.headers.map(({ name }) => name.toLowerCase()));
    const kept =
      like?.headers.filter(([name]) => /ratelimit/i.test(name) || names.has(name.toLowerCase())) ??
      [];
    const known = new Set(kept.map(([name]) => name.toLowerCase()));
    const made = (response?.headers ?? []).flatMap(({ name, schema, required }) =>
      required && schema && !known.has(name.toLowerCase())
        ? [[name, headerText(sampleSchema(schema, { direction: 'response' }).value)] as const]
        : [],
    );
    const type = content && body !== undefined ? [['Content-Type', content.name] as const] : [];
    return {
      status,
      headers: [...type, ...kept, ...made],
      body: body === undefined ? '' : renderJson(body),
    };
  }

  /** An error body says its status. */
  #withStatus(body: JsonValue, status: number): JsonValue {
    const member = this.contract.error?.members.find(({ role }) => role === 'status')?.name;
    if (member === undefined || status < 400) return body;
    return changeAt(body, [member], () => status) ?? body;
  }

  /** As `reply`, for a valid request. */
  successReply(operation: Operation, like?: Reply): Reply {
    return this.reply(operation, successStatus(operation), like);
  }
}

function countOf(path: string): number {
  return path.split('{').length;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function headerText(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value).replaceAll(/["[\]{}]/g, '');
}

/** A body as JSON; undefined where it is none. */
export function jsonBody({ body }: { readonly body: string | undefined }): JsonValue | undefined {
  try {
    return body === undefined || body === '' ? undefined : parseJson(body);
  } catch {
    return undefined;
  }
}

/** The reply with its JSON body changed; as it is where it has none, or nothing to change. */
export function changeBody(
  reply: Reply,
  change: (body: JsonValue) => JsonValue | undefined,
): Reply {
  const body = jsonBody(reply);
  const changed = body === undefined ? undefined : change(body);
  return changed === undefined ? reply : { ...reply, body: renderJson(changed) };
}

/**
 * The value with what is at a path changed, in every item of an array on the way; the change may
 * give `undefined` to leave it out. Undefined where nothing is there.
 */
export function changeAt(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return change(value);
  if (step === '[]') {
    if (!isArray(value) || value.length === 0) return undefined;
    const items = value.map((item) => changeAt(item, rest, change));
    if (items.every((item) => item === undefined)) return undefined;
    return items.map((item, at) => item ?? value[at] ?? null);
  }
  if (typeof value !== 'object' || value === null || isArray(value)) return undefined;
  const { [step]: member, ...others } = value;
  if (rest.length === 0) {
    const changed = change(member);
    return changed === undefined ? others : { ...value, [step]: changed };
  }
  if (member === undefined) return undefined;
  const changed = changeAt(member, rest, change);
  return changed === undefined ? undefined : { ...value, [step]: changed };
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value of a header. */
export function headerOf({ headers }: Pick<Reply, 'headers'>, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}

/** The reply with a header changed; undefined: without it. Where it has none, as it is. */
export function changeHeader(
  reply: Reply,
  wanted: string,
  change: (value: string) => string | undefined,
): Reply {
  return {
    ...reply,
    headers: reply.headers.flatMap(([name, value]) => {
      if (name.toLowerCase() !== wanted.toLowerCase()) return [[name, value] as const];
      const changed = change(value);
      return changed === undefined ? [] : [[name, changed] as const];
    }),
  };
}
