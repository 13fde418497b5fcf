import { randomUUID } from 'node:crypto';
import {
  type Operation,
  PetstoreError,
  explainUnknown,
  hasCode,
  renderJson,
} from '../../contract/index.ts';
import { placeEndpoints } from '../operation/endpoint.ts';
import { compileCors, noCors } from '../operation/response/cors.ts';
import {
  type MockRequest,
  type RequestHeaders,
  type StreamedResponse,
  headerText,
  maxContentBytes,
} from '../http/message.ts';
import { createChoices } from '../choice/choices.ts';
import { type Call, type Input, type Outcome, success } from '../operation/response/outcome.ts';
import { type Refusal, isRefusal, refuse } from '../operation/response/refusal.ts';
import { type Route, createRouter } from '../operation/router/router.ts';
import { decodeAll } from '../http/query.ts';
import { Store } from '../items/store/store.ts';
import { createResponseRenderer } from '../operation/response/renderer.ts';
import { createPage } from '../page/page.ts';
import { type ControlOptions, refuseAccess, refusePlace } from './access.ts';
import { answerRunRequest, createRunsOpening } from './conformance/answer.ts';
import type { ConformanceRuns, OpenConformance } from './conformance/runs.ts';
import type { Control } from './control.ts';
import { controlPathOf } from './control-target.ts';
import { createDocumentFiles } from './description/served-document.ts';
import { loadControlDocument } from './description/control-document.ts';
import { changedParts } from './events/changes.ts';
import { EventHub } from './events/event-hub.ts';
import {
  type ControlOutcome,
  type ControlRequest,
  type MockEvents,
  bodyOf,
  pathText,
} from './handler.ts';
import { handlers } from './handlers.ts';
import { textOf } from './input.ts';
import { presentEntry } from './journal/exchange.ts';
import { toJson } from './json/to-json.ts';
import { createControlTurns } from './turn.ts';
import { isSandboxName } from '../sandbox/sandbox-name.ts';

/** The control interface of a mock, ready to answer. */
export interface ControlInterface {
  /** Never rejects. */
  response(request: MockRequest, connection: ControlConnection): Promise<StreamedResponse>;
  /** Most bytes to read of a file that is handed in: none large from who may not control the mock. */
  mostBytes(headers: RequestHeaders, address: string | undefined): number;
}

/** The connection that a request came by. */
export interface ControlConnection {
  /** Of the client's end. */
  readonly address: string | undefined;
  readonly isEncrypted: boolean;
  /** Aborted when the response is wanted no more: what waits is to end at once. */
  readonly signal: AbortSignal;
}

/** What a mock may be controlled with. */
export interface InterfaceOptions extends ControlOptions {
  /** What judges; without it no conformance run can be started. */
  readonly conformance?: OpenConformance | undefined;
}

/** Opens the control interface. Its requests are judged by its own document. */
export async function openInterface(
  control: Control,
  options: InterfaceOptions,
  startedAt: number,
): Promise<ControlInterface> {
  const document = await loadControlDocument();
  const { contract } = document;
  const choices = createChoices(contract);
  const endpoints = placeEndpoints(choices, () => doNothing);
  const router = createRouter(contract, endpoints, { hidesMethods: false, removed: [] });
  const cors = options.cors === undefined ? noCors : compileCors(contract, options.cors);
  const responseRenderer = createResponseRenderer(contract, choices, {
    cors,
    isolation: [],
  });
  const page = createPage();
  const files = createDocumentFiles();
  const events = openEvents(control);
  const turns = createControlTurns();
  const runs = createRunsOpening(options.conformance, (run) => events.emit('run', toJson(run)));
  const { webhookHosts = [] } = options;
  const instance = randomUUID();
  let index = 0;
  return {
    mostBytes: (headers, address) =>
      refuseAccess(headers, address, options) === undefined ? maxFileBytes : maxContentBytes,
    async response(asked, { address, isEncrypted, signal }) {
      const origin = `${isEncrypted ? 'https' : 'http'}://${hostOf(asked.headers)}`;
      const isAllowed = refusePlace(asked.headers, address, options) === undefined;
      const shown =
        (await files.response(asked, control.contract, origin)) ??
        (isAllowed ? await page.response(asked) : undefined);
      if (shown !== undefined) return shown;
      const request = { ...asked, target: controlPathOf(asked.target) };
      const facts = {
        instance,
        startedAt,
        origin,
        like: options.like,
        judges: runs !== undefined,
        reference: page.reference,
      };
      const route = router.find(request.method, request.target);
      const isPreflight = request.method === 'OPTIONS' && options.cors !== undefined;
      const refused = isPreflight ? undefined : refuseAccess(request.headers, address, options);
      const outcome: ControlOutcome =
        refused ??
        (await serve(
          { control, document, facts, webhookHosts, events, turns, runs, signal },
          route,
          request,
        ));
      const response = responseRenderer.render(route.endpoint.operation, outcome, {
        now: Date.now(),
        rate: undefined,
        applied: '',
        target: request.target,
        sandbox: '',
        index: index++,
      });
      // The document says another policy where something is to be shown within the page.
      const isFramed = response.headers.includes(policyName);
      const headers = [...response.headers, ...guards, ...(isFramed ? [] : policy)];
      return {
        ...response,
        headers,
        stream: outcome.kind === 'success' ? outcome.stream : undefined,
      };
    },
  };
}

/** The host that a request names, as it may stand in an address. */
function hostOf(headers: RequestHeaders): string {
  const host = headerText(headers, 'host') ?? '';
  return /^[\w.[\]:-]+$/.test(host) ? host : 'localhost';
}

/** Nothing of it is kept, or shown within another site's page. */
const guards: readonly string[] = [
  'Cache-Control',
  'no-store',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

const policyName = 'Content-Security-Policy';

const policy: readonly string[] = [policyName, "default-src 'none'; frame-ancestors 'none'"];

function openEvents(control: Control): MockEvents {
  return new EventHub({
    present: ({ entry, sandbox }) => presentEntry(entry, sandbox),
    watch: (listener) =>
      control.watch({
        onEntry: (entry) => listener.onEntry({ entry, sandbox: control.look(entry.sandbox) }),
        onChange: (sandbox, parts) => listener.onEvent('change', { sandbox, parts }),
        onReload: ({ source }) => listener.onEvent('reload', { source }),
      }),
  });
}

const doNothing = (): Outcome => refuse('internal_fault', 'This operation is not implemented.');

/** The largest file that is read: 32 MiB. */
const maxFileBytes = 32 * 1024 * 1024;

/** What requests have in common. */
interface Surroundings extends Pick<
  ControlRequest,
  'control' | 'document' | 'facts' | 'webhookHosts' | 'events' | 'turns' | 'signal'
> {
  /** Undefined where nothing judges. */
  readonly runs: (() => Promise<ConformanceRuns>) | undefined;
}

async function serve(
  { runs, ...surroundings }: Surroundings,
  { endpoint, pathTexts, query }: Route,
  request: MockRequest,
): Promise<ControlOutcome> {
  const state = { store: new Store(), listCount: 0 };
  const call: Call = {
    request,
    pathValues: decodeAll(pathTexts),
    pathTexts,
    query,
    sandbox: state,
    now: 0,
  };
  const { operation } = endpoint;
  if (request.content === 'too-large' && operation?.id === 'openReport')
    return refuse('body_too_large', 'The file is larger than 32 MiB.');
  const input = endpoint.read(call);
  if (isRefusal(input)) return input;
  if (operation === undefined) return withDirections(endpoint.act(input, call));
  const unknown = refuseUnknownParameter(operation, query);
  if (unknown !== undefined) return unknown;
  try {
    const body = bodyOf(input);
    const accept = headerText(request.headers, 'accept');
    const run = await answerRunRequest(operation.id, runs, { input, body, accept });
    if (run !== undefined) return run;
    const handle = handlers[operation.id];
    if (handle === undefined) return endpoint.act(input, call);
    const { control, events } = surroundings;
    const name = sandboxOf(input);
    const into = textOf(body['into']);
    const names = operation.id === 'listSandboxes' ? await control.names() : [name, into ?? name];
    const outcome = await control.within([...new Set(names)].filter(isSandboxName), () => {
      const sandbox = operation.method === 'GET' ? control.look(name) : control.sandbox(name);
      return handle({ ...surroundings, sandbox, input, body });
    });
    const parts = isRefusal(outcome) ? [] : changedParts(operation.id);
    if (parts.length > 0) events.emit('change', { sandbox: into ?? name, parts });
    return outcome;
  } catch (error) {
    return explain(error);
  }
}

/** A path that is not there is often a first look around. */
function withDirections(outcome: Outcome): Outcome {
  if (!isRefusal(outcome) || outcome.reason !== 'unknown_path') return outcome;
  const message = `${outcome.message} See /_mock/openapi.yaml.`;
  return { ...outcome, message };
}

/** A filter that is misspelt would let everything through, and an assertion of a test with it. */
function refuseUnknownParameter({ parameters }: Operation, query: string): Refusal | undefined {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return refuse('invalid_parameter', explainUnknown('query parameter', unknown, known));
}

/** The sandbox that a request names; `main` where it names none. */
function sandboxOf(input: Input): string {
  return pathText(input, 'sandbox') || (textOf(input.parameters.get('query sandbox')) ?? 'main');
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
