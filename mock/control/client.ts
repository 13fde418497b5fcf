import type { components, operations } from './api.ts';
import type { SandboxPart } from './events/changes.ts';
import { readEvents } from './events/read-events.ts';

/** Method and path of every operation of the control interface. */
const routes = {
  describeMock: ['GET', '/'],
  readHealth: ['GET', '/health'],
  streamEvents: ['GET', '/events'],
  getDocument: ['GET', '/openapi.yaml'],
  listSandboxes: ['GET', '/sandboxes'],
  getSandbox: ['GET', '/sandboxes/{sandbox}'],
  resetSandbox: ['DELETE', '/sandboxes/{sandbox}'],
  forkSandbox: ['POST', '/sandboxes/{sandbox}/fork'],
  readState: ['GET', '/sandboxes/{sandbox}/state'],
  replaceState: ['PUT', '/sandboxes/{sandbox}/state'],
  resetState: ['DELETE', '/sandboxes/{sandbox}/state'],
  listCollections: ['GET', '/sandboxes/{sandbox}/collections'],
  listItems: ['GET', '/sandboxes/{sandbox}/items'],
  addItem: ['POST', '/sandboxes/{sandbox}/items'],
  replaceItem: ['PUT', '/sandboxes/{sandbox}/items/{item}'],
  removeItem: ['DELETE', '/sandboxes/{sandbox}/items/{item}'],
  listSnapshots: ['GET', '/sandboxes/{sandbox}/snapshots'],
  takeSnapshot: ['PUT', '/sandboxes/{sandbox}/snapshots/{snapshot}'],
  dropSnapshot: ['DELETE', '/sandboxes/{sandbox}/snapshots/{snapshot}'],
  restoreSnapshot: ['POST', '/sandboxes/{sandbox}/snapshots/{snapshot}/restore'],
  readClock: ['GET', '/sandboxes/{sandbox}/clock'],
  setClock: ['PATCH', '/sandboxes/{sandbox}/clock'],
  resetClock: ['DELETE', '/sandboxes/{sandbox}/clock'],
  readChoices: ['GET', '/sandboxes/{sandbox}/choices'],
  setChoices: ['PATCH', '/sandboxes/{sandbox}/choices'],
  resetChoices: ['DELETE', '/sandboxes/{sandbox}/choices'],
  listFaults: ['GET', '/sandboxes/{sandbox}/faults'],
  addFault: ['POST', '/sandboxes/{sandbox}/faults'],
  clearFaults: ['DELETE', '/sandboxes/{sandbox}/faults'],
  editFault: ['PUT', '/sandboxes/{sandbox}/faults/{fault}'],
  removeFault: ['DELETE', '/sandboxes/{sandbox}/faults/{fault}'],
  listStubs: ['GET', '/sandboxes/{sandbox}/stubs'],
  addStub: ['POST', '/sandboxes/{sandbox}/stubs'],
  replaceStubs: ['PUT', '/sandboxes/{sandbox}/stubs'],
  clearStubs: ['DELETE', '/sandboxes/{sandbox}/stubs'],
  editStub: ['PUT', '/sandboxes/{sandbox}/stubs/{stub}'],
  removeStub: ['DELETE', '/sandboxes/{sandbox}/stubs/{stub}'],
  listQuotas: ['GET', '/sandboxes/{sandbox}/quotas'],
  resetQuotas: ['DELETE', '/sandboxes/{sandbox}/quotas'],
  setQuota: ['PATCH', '/sandboxes/{sandbox}/quotas/{plan}'],
  readJournal: ['GET', '/sandboxes/{sandbox}/journal'],
  clearJournal: ['DELETE', '/sandboxes/{sandbox}/journal'],
  readExchange: ['GET', '/sandboxes/{sandbox}/journal/{index}'],
  planRun: ['POST', '/conformance/plan'],
  listRuns: ['GET', '/conformance/runs'],
  startRun: ['POST', '/conformance/runs'],
  readRun: ['GET', '/conformance/runs/{run}'],
  dropRun: ['DELETE', '/conformance/runs/{run}'],
  readReport: ['GET', '/conformance/runs/{run}/report'],
  openReport: ['POST', '/conformance/reports'],
  compareRuns: ['GET', '/conformance/comparison'],
  listWebhooks: ['GET', '/webhooks'],
  sendWebhook: ['POST', '/webhooks/{webhook}'],
} as const satisfies Record<keyof operations, readonly [method: string, path: string]>;

type ControlOperationId = keyof operations;

type PathOf<Id extends ControlOperationId> = operations[Id]['parameters'] extends {
  path: infer Path;
}
  ? Path
  : unknown;
type QueryOf<Id extends ControlOperationId> = operations[Id]['parameters'] extends {
  query?: infer Query;
}
  ? [NonNullable<Query>] extends [never]
    ? unknown
    : NonNullable<Query>
  : unknown;
type BodyOf<Id extends ControlOperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? { body: Body }
  : operations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : unknown;

/** Path and query parameters of an operation by name, and the `body` where it has one. */
export type ControlArguments<Id extends ControlOperationId> = PathOf<Id> & QueryOf<Id> & BodyOf<Id>;

/** JSON where there is a choice. */
type Contents<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : Content[keyof Content]
  : null;
type ControlSuccess<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 204 ? Contents<Responses[Status]> : never;
}[keyof Responses];

/** What an operation answers when it goes well; null for no body. */
export type ControlResponse<Id extends ControlOperationId> = ControlSuccess<
  operations[Id]['responses']
>;

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
  /** Where the mock was started with one. */
  readonly token?: string;
  /** By default the global one. */
  readonly fetch?: typeof fetch;
  /** Reads the JSON of a response. Default: `JSON.parse`. */
  readonly parse?: typeof JSON.parse;
}

/** What the operation `streamEvents` tells, by kind. */
export interface ControlEventData {
  readonly hello: { readonly instance: string };
  readonly exchanges: readonly components['schemas']['Exchange'][];
  readonly dropped: { readonly count: number };
  readonly change: { readonly sandbox: string; readonly parts: readonly SandboxPart[] };
  readonly reload: { readonly source: string };
  readonly run: components['schemas']['Run'];
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
  /** Rejects with `ControlError` where it is refused. */
  call<Id extends Exclude<ControlOperationId, 'streamEvents'>>(
    id: Id,
    args: ControlArguments<Id>,
  ): Promise<ControlResponse<Id>>;
  /**
   * What happens from now on, `hello` first, until the signal is aborted or the mock closes. Throws
   * `ControlError` where it is refused.
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
      const response = await send(`${origin}/_mock${routes.streamEvents[1]}`, {
        headers: credential,
        ...(signal === undefined ? {} : { signal }),
      });
      if (!response.ok || response.body === null) return await readResponse(response, parse);
      for await (const { name, data } of readEvents(response.body))
        yield JSON.parse(`{"kind":${JSON.stringify(name)},"data":${data}}`);
    },
    async call(id, args) {
      const { body, ...parameters }: ControlMembers = Object(args);
      const [method, template] = routes[id];
      const response = await send(origin + renderPath(template, parameters), {
        method,
        headers: {
          accept: 'application/json, */*;q=0.5',
          ...credential,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return await readResponse(response, parse);
    },
  };
}

type ControlMembers = Readonly<Record<string, unknown>>;

/** Parameters that the path does not name are those of the query. */
function renderPath(template: string, parameters: ControlMembers): string {
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries(parameters)) {
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
  if (!response.ok)
    throw new ControlError(response.status, isJson ? messageOf(JSON.parse(text)) : text);
  return parse(renderResponse(text, isJson));
}

function renderResponse(text: string, isJson: boolean): string {
  if (text === '') return 'null';
  return isJson ? text : JSON.stringify(text);
}

function messageOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'message' in value
    ? String(value.message)
    : 'The control interface refused.';
}
