import type { ControlArguments, ControlResponse } from './declaration/operations.ts';
import { type OperationId, type SandboxPart, routes } from './declaration/routes.ts';
import type { Exchange, Run } from './declaration/schemas.ts';

export type { ControlArguments, ControlResponse } from './declaration/operations.ts';
export type {
  Collection,
  Delivery,
  Exchange,
  ExchangeDetail,
  Fault,
  FaultRule,
  Mock,
  Quota,
  Run,
  RunPlan,
  Sandbox,
  State,
  StoredItem,
  Stub,
  StubRule,
  Webhook,
} from './declaration/schemas.ts';

/** A refusal of the control interface, with its reason. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ControlClientOptions {
  /** If the mock was started with one. */
  readonly token?: string;
  /** By default the global one. */
  readonly fetch?: typeof fetch;
  /** Reads the JSON of a response. Default: `JSON.parse`. */
  readonly parse?: typeof JSON.parse;
}

/** The data of the events of `streamEvents`, by kind. */
export interface ControlEventData {
  readonly hello: { readonly instance: string };
  readonly exchanges: readonly Exchange[];
  readonly dropped: { readonly count: number };
  readonly change: { readonly sandbox: string; readonly parts: readonly SandboxPart[] };
  readonly reload: { readonly source: string };
  readonly run: Run;
}

/** Something that has happened in the mock. */
export type ControlEvent = {
  readonly [Kind in keyof ControlEventData]: {
    readonly kind: Kind;
    readonly data: ControlEventData[Kind];
  };
}[keyof ControlEventData];

/** Calls operations by their id, with the types of the interface's document. */
export interface ControlClient {
  /** Rejects with `ControlError` if it is refused. */
  call<Id extends Exclude<OperationId, 'streamEvents'>>(
    id: Id,
    args: ControlArguments<Id>,
  ): Promise<ControlResponse<Id>>;
  /**
   * What happens from now on, `hello` first, until the signal is aborted or the mock closes. Throws
   * `ControlError` if it is refused.
   */
  events(signal?: AbortSignal): AsyncGenerator<ControlEvent, void>;
}

/** A client for the mock at a URL, of which only the origin matters. */
export function createControlClient(
  url: string | URL,
  options: ControlClientOptions = {},
): ControlClient {
  const { origin } = new URL(url);
  const { fetch: send = fetch, parse = (json) => JSON.parse(json) } = options;
  const credential: Readonly<Record<string, string>> =
    options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  return {
    async *events(signal) {
      const response = await send(`${origin}/_mock/events`, {
        headers: credential,
        ...(signal === undefined ? {} : { signal }),
      });
      if (!response.ok || response.body === null) return await readResponse(response, parse);
      for await (const { name, data } of readEvents(response.body))
        yield JSON.parse(`{"kind":${JSON.stringify(name)},"data":${data}}`);
    },
    async call(id, args) {
      const { body, ...parameters }: Readonly<Record<string, unknown>> = Object(args);
      const [method = '', template = ''] = routes[id].split(' ');
      const response = await send(origin + renderPath(template, parameters), {
        method,
        headers: {
          accept: 'application/json, */*;q=0.5',
          ...credential,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body, keepInteger) }),
      });
      return await readResponse(response, parse);
    },
  };
}

/** `JSON.stringify` throws for an integer beyond 2^53; this writes it as it is. */
function keepInteger(_name: string, value: unknown): unknown {
  const keep: unknown = Reflect.get(JSON, 'rawJSON');
  const isKept = typeof value === 'bigint' && typeof keep === 'function';
  return isKept ? Reflect.apply(keep, JSON, [`${value}`]) : value;
}

/** Parameters that the path does not name are those of the query. */
function renderPath(template: string, parameters: object): string {
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries<unknown>({ ...parameters })) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    if (template.includes(`{${name}}`))
      path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else query.set(name, `${value}`);
  }
  return `/_mock${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** That responses fit the interface's document is tested with the mock, and not again here. */
async function readResponse<ReceivedResponse>(
  response: Response,
  parse: typeof JSON.parse,
): Promise<ReceivedResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.ok) return parse(isJson ? text : text === '' ? 'null' : JSON.stringify(text));
  const { message = 'The control interface refused.' }: { readonly message?: string } = isJson
    ? Object(JSON.parse(text))
    : { message: text };
  throw new ControlError(response.status, message);
}

/** Reads server-sent events (HTML standard, section 9.2.6) until the stream ends. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly name: string; readonly data: string }, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (name !== undefined && data !== undefined) yield { name, data };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
