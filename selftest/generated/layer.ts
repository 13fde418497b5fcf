import type { Contract } from '../../contract/contract.ts';
import { type MemberPlace, valueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../../contract/json/value.ts';
import { isCredential, renderCredential } from '../../contract/openapi/credential.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { listConstants, type Operation } from '../../contract/openapi/operation.ts';
import { compilePathMatch, withoutQuery } from '../../contract/openapi/path-pattern.ts';
import { documentedResponse, successStatus } from '../../contract/openapi/response.ts';
import type { InferredResource } from '../../contract/resource/resource.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import { headerOf, readJson, type Requirement, type WireRequest } from '../../conformance/index.ts';
import { SchemaCheck } from './schema-check.ts';

/** A response of a server in the same process. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A received request. */
export interface Call {
  readonly request: WireRequest;
  /** Undefined if the document has no operation for it. */
  readonly operation: Operation | undefined;
  /** The decoded last path parameter; undefined for none. */
  readonly id: string | undefined;
}

/** Passes a request on to the correct server. */
export type Serve = (request: WireRequest) => Reply;

/** Saves the items of the correct server. @returns a function that restores them */
export type Keep = () => () => void;

/** A fault around a correct server. Undefined: it never responds. */
export type Layer = (
  call: Call,
  serve: Serve,
  keep: Keep,
) => Reply | undefined | Promise<Reply | undefined>;

/**
 * What a server does wrong, without a full stop, and the layer that does it: created once per server, so
 * that it may keep state.
 */
export type Fault = readonly [fault: string, layer: () => Layer];

export type Faults = Generator<Fault>;

/** The subject of requirements of a kind. */
export type Subject<Kind> = Extract<Requirement['subject'], { readonly kind: Kind }>;

/** A layer that changes responses; undefined: it never responds. */
export function replying(
  change: (reply: Reply, call: Call, serve: Serve) => Reply | undefined,
): Layer {
  return (call, serve) => change(serve(call.request), call, serve);
}

/** A layer that changes requests. */
export function requesting(change: (call: Call) => WireRequest): Layer {
  return (call, serve) => serve(change(call));
}

/** A layer that undoes some requests, chosen by the request and its response. */
export function undoing(isMeant: (call: Call, reply: Reply) => boolean): Layer {
  return (call, serve, keep) => {
    const restore = keep();
    const reply = serve(call.request);
    if (isMeant(call, reply)) restore();
    return reply;
  };
}

/** What the generators of all families share: the contract, and how to read and write its messages. */
export class FaultContext {
  readonly contract: Contract;
  readonly check: SchemaCheck;
  readonly key: string;
  readonly #paths;

  constructor(contract: Contract, key: string) {
    this.contract = contract;
    this.check = new SchemaCheck(contract.document);
    this.key = key;
    this.#paths = contract.operations
      .map((operation) => ({
        operation,
        match: compilePathMatch(withoutQuery(operation.path)),
        constants: listConstants(operation),
        parameters: operation.path.split('{').length,
      }))
      .toSorted(
        (one, other) =>
          one.parameters - other.parameters || other.constants.length - one.constants.length,
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
    const meant = found.find(({ constants }) =>
      constants.every(
        ({ in: place, name, value }) =>
          value === (place === 'query' ? searchParams.get(name) : headerOf(request, name)),
      ),
    );
    const { operation, id } = meant ?? found[0] ?? {};
    return { request, operation, id: id === undefined ? undefined : (decodePercent(id) ?? id) };
  }

  /** The same request with the valid key. */
  withKey(call: Call): WireRequest {
    const url = new URL(call.request.url);
    const headers = new Map(
      call.request.headers.map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const scheme of call.operation?.security[0] ?? []) {
      const field = isCredential(scheme) ? renderCredential(scheme, this.key) : undefined;
      if (field?.in === 'query') url.searchParams.set(field.name, field.value);
      else if (field?.in === 'cookie') headers.set('cookie', `${field.name}=${field.value}`);
      else if (field) headers.set(field.name.toLowerCase(), field.value);
    }
    return { ...call.request, url: url.href, headers: [...headers] };
  }

  /** The documented response of an operation for a status, with generated body and headers. */
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

  /** Puts the status into an error body. */
  #withStatus(body: JsonValue, status: number): JsonValue {
    const member = this.contract.error?.members.find(({ role }) => role === 'status')?.name;
    if (member === undefined || status < 400) return body;
    return changeAt(body, [member], () => status) ?? body;
  }

  /** Like `reply`, for a valid request. */
  successReply(operation: Operation, like?: Reply): Reply {
    return this.reply(operation, successStatus(operation), like);
  }

  /** The collection of an operation; undefined without a certain one. */
  collectionOf(operation: Operation): Collection | undefined {
    const resource = this.contract.inferredResources.find(
      ({ certain, operations }) =>
        certain !== undefined && operations.some((each) => each.operation.id === operation.id),
    );
    const idPlace = resource?.certain?.idPlace;
    return resource && idPlace ? new Collection(resource, idPlace) : undefined;
  }
}

function headerText(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value).replaceAll(/["[\]{}]/g, '');
}

/** Items of a collection, as its responses show them. */
export class Collection {
  readonly resource: InferredResource;
  readonly idPlace: MemberPlace;

  constructor(resource: InferredResource, idPlace: MemberPlace) {
    this.resource = resource;
    this.idPlace = idPlace;
  }

  /** The role of an operation for the items. */
  roleOf(operation: Operation | undefined): string | undefined {
    return this.resource.operations.find((each) => each.operation.id === operation?.id)?.role;
  }

  /** Changes each item in a reply; undefined removes one from a list. */
  mapItems(
    operation: Operation | undefined,
    reply: Reply,
    change: (item: JsonObject, id: string) => JsonValue | undefined,
  ): Reply {
    const view = operation && this.resource.viewOf(operation);
    if (view === undefined || reply.status >= 300) return reply;
    const changeOne = (item: JsonValue | undefined): JsonValue | undefined => {
      if (!isJsonObject(item)) return item;
      const id = valueAt(item, this.idPlace);
      return change(item, typeof id === 'string' ? id : renderJson(id ?? null));
    };
    return changeBody(reply, (body) =>
      changeAt(body, view.place, (value) =>
        view.isList && isJsonArray(value)
          ? value.flatMap((item) => changeOne(item) ?? [])
          : changeOne(value),
      ),
    );
  }

  listItems(operation: Operation | undefined, reply: Reply) {
    const items: (readonly [id: string, item: JsonObject])[] = [];
    this.mapItems(operation, reply, (item, id) => {
      items.push([id, item]);
      return item;
    });
    return items;
  }

  /** A layer that changes the items in the responses of some operations. */
  changing(
    isMeant: (call: Call) => boolean,
    change: (item: JsonObject, id: string) => JsonValue | undefined,
  ): Layer {
    return replying((reply, call) =>
      isMeant(call) ? this.mapItems(call.operation, reply, change) : reply,
    );
  }
}

/** The reply with its JSON body changed; unchanged if it has none, or nothing to change. */
export function changeBody(
  reply: Reply,
  change: (body: JsonValue) => JsonValue | undefined,
): Reply {
  const body = readJson(reply.body);
  const changed = body === undefined ? undefined : change(body);
  return changed === undefined ? reply : { ...reply, body: renderJson(changed) };
}

/**
 * The value with a change at a path, in every item of an array on the way. The change may return
 * `undefined` to remove it. Undefined if there is nothing at the path.
 */
export function changeAt(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return change(value);
  if (step === '[]') {
    if (!isJsonArray(value) || value.length === 0) return undefined;
    const items = value.map((item) => changeAt(item, rest, change));
    if (items.every((item) => item === undefined)) return undefined;
    return items.map((item, at) => item ?? value[at] ?? null);
  }
  if (!isJsonObject(value)) return undefined;
  const { [step]: member, ...others } = value;
  if (rest.length > 0 && member === undefined) return undefined;
  const changed =
    rest.length > 0 && member !== undefined ? changeAt(member, rest, change) : change(member);
  if (changed === undefined) return rest.length > 0 ? undefined : others;
  return { ...value, [step]: changed };
}

/** The reply with a header changed, or removed if `change` returns undefined; unchanged without that header. */
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
