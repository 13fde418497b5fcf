import { randomUUID } from 'node:crypto';
import { type JsonValue, renderJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { PetstoreError, hasCode } from '../../contract/error/petstore-error.ts';
import { explainUnknown } from '../../contract/error/unknown-name.ts';
import { renderYaml } from '../../contract/source/yaml.ts';
import { Choices } from '../choice/choices.ts';
import {
  type MockRequest,
  type RequestHeaders,
  type StreamedResponse,
  headerText,
  maxContentBytes,
} from '../http/message.ts';
import { decodePart } from '../http/parameter-text.ts';
import { Store } from '../items/store/store.ts';
import { compileCors, noCors } from '../operation/response/cors.ts';
import { type Call, type Input, type Outcome, success } from '../operation/response/outcome.ts';
import { type Refusal, isRefusal, refuse } from '../operation/response/refusal.ts';
import { ResponseRenderer } from '../operation/response/renderer.ts';
import { type Route, compileRouters } from '../operation/router.ts';
import { createPage } from '../page/page.ts';
import { sandboxNamePattern } from './declaration/sandbox-name.ts';
import { type ControlOptions, refuseAccess, refusePlace } from './access.ts';
import type { Control } from './control.ts';
import { serveDocument } from './description/served-document.ts';
import { composeControlDocument, loadControlContract } from './declaration/document.ts';
import { EventHub } from './events.ts';
import {
  type ConformanceRuns,
  type ControlRequest,
  type OpenConformance,
  type Sent,
  type ControlContext,
  handlers,
} from './handlers.ts';
import { declarationOf } from './declaration/operations.ts';
import { type OperationId, type SandboxPart, routes, sandboxParts } from './declaration/routes.ts';
import { run } from './declaration/schemas.ts';

/** The connection that a request came by. */
export interface ControlConnection {
  /** Of the client's end. */
  readonly address: string | undefined;
  readonly isEncrypted: boolean;
  /** Aborted when the response is no longer wanted. */
  readonly signal: AbortSignal;
}

/** What a mock may be controlled with. */
export interface InterfaceOptions extends ControlOptions {
  /** The suite; without it, no conformance run can be started. */
  readonly conformance?: OpenConformance | undefined;
}

/** Opens the control interface. Its own document routes and validates its requests. */
export async function openInterface(
  control: Control,
  options: InterfaceOptions,
  startedAt: number,
) {
  const contract = await loadControlContract();
  const choices = new Choices(contract);
  const router = compileRouters(choices, () => doNothing)(Date.now());
  const cors = options.cors === undefined ? noCors : compileCors(contract, options.cors);
  const responseRenderer = new ResponseRenderer(contract, choices, { cors, isolation: [] });
  const page = createPage();
  const events = new EventHub(control);
  const { conformance } = options;
  let opened: Promise<ConformanceRuns> | undefined;
  const context = {
    control,
    events,
    document: async () => await renderYaml(composeControlDocument()),
    webhookHosts: options.webhookHosts ?? [],
    // The suite is loaded with the first call.
    runs:
      conformance && (() => (opened ??= conformance((one) => events.emit('run', run.render(one))))),
  };
  const instance = randomUUID();
  return {
    /** Bytes of a body that are read: few from clients that may not control the mock. */
    maxBytes: (headers: RequestHeaders, address: string | undefined): number =>
      refuseAccess(headers, address, options) === undefined ? maxFileBytes : maxContentBytes,

    /** Never rejects. */
    async response(
      asked: MockRequest,
      { address, isEncrypted, signal }: ControlConnection,
    ): Promise<StreamedResponse> {
      const request = { ...asked, target: controlPathOf(asked.target) };
      const origin = `${isEncrypted ? 'https' : 'http'}://${hostOf(asked.headers)}`;
      const isAllowed = refusePlace(asked.headers, address, options) === undefined;
      const shown =
        (await serveDocument(asked, control.contract, origin)) ??
        (isAllowed ? await page(request) : undefined);
      if (shown !== undefined) return shown;
      const route = router.find(request.method, request.target);
      const isPreflight = request.method === 'OPTIONS' && options.cors !== undefined;
      const refused = isPreflight ? undefined : refuseAccess(request.headers, address, options);
      const facts = {
        instance,
        startedAt,
        origin,
        like: options.like,
        conformance: context.runs !== undefined,
      };
      const outcome: Refusal | Sent =
        refused ?? (await serve({ ...context, facts, signal }, route, request));
      const response = responseRenderer.render(route.endpoint.operation, outcome, {
        now: Date.now(),
        rate: undefined,
        applied: '',
        target: request.target,
        sandbox: '',
        index: 0,
      });
      const { policy = usualPolicy, stream } = outcome.kind === 'success' ? outcome : {};
      const headers = [...response.headers, ...guards, 'Content-Security-Policy', policy];
      return { ...response, headers, stream };
    },
  };
}

/** The `Host` of a request, if it can be part of a URL. */
function hostOf(headers: RequestHeaders): string {
  const host = headerText(headers, 'host') ?? '';
  return /^[\w.[\]:-]+$/.test(host) ? host : 'localhost';
}

/** The target below `/_mock` for one at the root of the origin. */
function controlPathOf(target: string): string {
  const [path = '', ...query] = target.split('?');
  return path === '/' || path === '/_mock' ? ['/_mock/', ...query].join('?') : target;
}

/** No response is cached, or shown within a page of another site. */
const guards: readonly string[] = [
  'Cache-Control',
  'no-store',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

const usualPolicy = "default-src 'none'; frame-ancestors 'none'";

const doNothing = (): Outcome => refuse('internal_fault', 'This operation is not implemented.');

/** The largest file that is read: 32 MiB. */
const maxFileBytes = 32 * 1024 * 1024;

async function serve(
  context: ControlContext,
  { endpoint, pathTexts, query }: Route,
  request: MockRequest,
): Promise<Refusal | Sent> {
  const state = { store: new Store(), listCount: 0 };
  const pathValues = pathTexts.map(decodePart);
  const call: Call = { request, pathValues, pathTexts, query, sandbox: state, now: 0 };
  const { operation } = endpoint;
  if (request.content === 'too-large' && operation?.id === 'openReport')
    return refuse('body_too_large', 'The file is larger than 32 MiB.');
  const input = endpoint.read(call);
  if (isRefusal(input)) return input;
  if (operation === undefined || !isOperationId(operation.id)) return endpoint.act(input, call);
  const unknown = refuseUnknownParameter(operation, query);
  if (unknown !== undefined) return unknown;
  try {
    const accept = headerText(request.headers, 'accept');
    return await perform(operation.id, input, { ...context, accept });
  } catch (error) {
    return explain(error);
  }
}

function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(routes, id);
}

/** Calls the handler of an operation, with sandboxes as they are now. */
async function perform<Id extends OperationId>(
  id: Id,
  { parameters, body }: Input,
  context: ControlContext & Pick<ControlRequest<Id>, 'accept'>,
): Promise<Refusal | Sent> {
  const { control, events } = context;
  const { response, ...declaration } = declarationOf(id);
  const changes = changesOf(id);
  const { status = response === undefined ? 204 : 200 } = declaration;
  // The codecs imply the types.
  const given: Pick<ControlRequest<Id>, 'path' | 'query' | 'body'> = Object({
    path: membersOf(parameters, 'path '),
    query: declaration.query?.read(membersOf(parameters, 'query '), ''),
    body: body === undefined ? undefined : declaration.body?.read(body, ''),
  });
  // The sandbox of the path, or of the query for a webhook.
  const { sandbox: name = 'main' }: { readonly sandbox?: string } = {
    ...Object(given.query),
    ...given.path,
  };
  const { into = name }: { readonly into?: string } = changes.includes('sandbox')
    ? Object(given.body)
    : {};
  const isOutside = routes[id].includes(' /conformance/');
  const handle = handlers[id];
  const act = () => {
    const isRead = routes[id].startsWith('GET') || isOutside;
    const sandbox = isRead ? control.look(name) : control.sandbox(name);
    return handle({ ...context, ...given, sandbox });
  };
  const names = id === 'listSandboxes' ? await control.names() : [name, into];
  const result = await (isOutside
    ? act()
    : control.within(
        [...new Set(names)].filter((one) => sandboxNamePattern.test(one)),
        act,
      ));
  if (isRefusal(result)) return result;
  if (changes.length > 0) events.emit('change', { sandbox: into, parts: changes });
  if (isSent(result)) return result;
  return success(status, response === undefined ? '' : renderJson(response.render(result)));
}

const restored = ['sandbox', 'items', 'clock', 'choices', 'faults', 'stubs', 'quotas'] as const;

/** By the last fixed segment of the path, where it does not itself name the one part that changes. */
const changed: Readonly<Record<string, readonly SandboxPart[]>> = {
  '': sandboxParts,
  fork: restored,
  restore: restored,
  state: ['items'],
  choices: ['choices', 'items', 'quotas'],
};

/** The parts of a sandbox that an operation may change, by its method and path. */
function changesOf(id: OperationId): readonly SandboxPart[] {
  const [, path] = /^(?!GET)\S+ \/sandboxes\/\{sandbox\}(.*)$/.exec(routes[id]) ?? [];
  if (path === undefined) return [];
  const [, part = '', , act = part] = path.split('/');
  return changed[act] ?? sandboxParts.filter((one) => one === part);
}

function membersOf(
  parameters: Input['parameters'],
  place: 'path ' | 'query ',
): Record<string, JsonValue> {
  const own = [...parameters].filter(([key]) => key.startsWith(place));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(place.length), value]));
}

function isSent(result: unknown): result is Sent {
  return (
    typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'success'
  );
}

/** A misspelt filter would match everything, and make an assertion of a test pass. */
function refuseUnknownParameter({ parameters }: Operation, query: string): Refusal | undefined {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return refuse('invalid_parameter', explainUnknown('query parameter', unknown, known));
}

function explain(error: unknown): Outcome {
  if (hasCode(error, 'receiver')) {
    const { message } = error;
    return success(502, renderJson({ code: 'receiver', message, status: 502 }));
  }
  const message = error instanceof Error ? error.message : String(error);
  if (hasCode(error, 'memory')) return refuse('memory', message);
  if (hasCode(error, 'state')) return refuse('unavailable', message);
  return refuse(error instanceof PetstoreError ? 'invalid_body' : 'internal_fault', message);
}
