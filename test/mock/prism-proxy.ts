import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
} from 'node:http';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type JsonValue, isJsonObject, parseJson, renderJson } from '../../contract/index.ts';

/** A request to send through Prism. */
export interface ProxiedRequest {
  readonly method: string;
  /** Relative to the base path: `/pets?limit=1`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | undefined;
}

/** What came back through Prism. */
export interface ProxiedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Prism's validation proxy, in a process of its own. */
export interface PrismProxy {
  /** Undefined if five later requests were answered before. Rejects if the connection breaks. */
  ask(request: ProxiedRequest): Promise<ProxiedResponse | undefined>;
  /** Resolves when its process has ended. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts Prism in front of a base URL, without `--errors`, so that it judges refusals too. Its
 * environment is empty, but for no telemetry.
 */
export async function startPrism(upstream: string): Promise<PrismProxy> {
  const command = [
    'node_modules/@stoplight/prism-cli/dist/index.js',
    'proxy',
    'openapi.yaml',
    upstream,
    '--port',
    '0',
    '--no-cors',
  ];
  const child = spawn(execPath, command, {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
  });
  const ended = once(child, 'exit').then(() => undefined);
  const url = await Promise.race([readUrl(child.stdout), ended]);
  if (url === undefined) throw new Error('Prism ended before it listened.');
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (request) => ask(url, agent, request),
    ended,
    async close() {
      agent.destroy();
      child.kill();
      await ended;
    },
  };
}

/** Reads on for ever, since a pipe that nobody reads would hold Prism up. */
function readUrl(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    output.on('data', (chunk: Buffer) => {
      if (text.length > 10_000) return;
      text += stripVTControlCharacters(chunk.toString());
      const url = /listening on (http:\/\/[\d.]+:\d+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

async function ask(
  url: string,
  agent: Agent,
  request: ProxiedRequest,
): Promise<ProxiedResponse | undefined> {
  const stop = new AbortController();
  const answered = send(url, agent, request, stop.signal);
  if (!isMalformed(request)) return await answered;
  const overtaken = overtake(url, agent).then(() => {
    stop.abort();
    return undefined;
  });
  return await Promise.race([
    answered.catch((error: unknown) => (stop.signal.aborted ? undefined : Promise.reject(error))),
    overtaken,
  ]);
}

/** What Prism on Node.js 24 never answers. */
function isMalformed({ content, headers }: ProxiedRequest): boolean {
  if (
    content === undefined ||
    content === '' ||
    !/^application\/json/i.test(headers['content-type'] ?? '')
  )
    return false;
  try {
    JSON.parse(content);
    return false;
  } catch {
    return true;
  }
}

/** What the mock is asked for to see whether Prism still answers. */
export const overtaking = '/overtaking';

/** Requests that are not counted, one after the other. */
async function overtake(url: string, agent: Agent): Promise<void> {
  for (let count = 0; count < 5; count += 1)
    await send(url, agent, {
      method: 'OPTIONS',
      target: overtaking,
      headers: {},
      content: undefined,
    });
}

async function send(
  url: string,
  agent: Agent,
  { method, target, headers, content }: ProxiedRequest,
  signal?: AbortSignal,
): Promise<ProxiedResponse> {
  const length = content === undefined ? {} : { 'content-length': `${Buffer.byteLength(content)}` };
  const outgoing = openRequest(url, {
    method,
    path: target,
    agent,
    headers: { ...headers, ...length },
    ...(signal === undefined ? {} : { signal }),
  });
  const incoming = new Promise<IncomingMessage>(
    (resolve, reject) => void outgoing.once('response', resolve).once('error', reject),
  );
  outgoing.end(content);
  const response = await incoming;
  const chunks = await Array.fromAsync<Buffer>(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

/**
 * What Prism says of a response, one remark each; of the request only that there is no route, by
 * which the response is not judged.
 */
export function readRemarks(response: ProxiedResponse | undefined): readonly string[] {
  if (response === undefined) return ['Prism never answers'];
  const { status, headers, body } = response;
  if (headers['content-type'] === 'application/problem+json')
    return [`Prism answers ${status} itself${body === '' ? '' : `: ${problemTitle(body)}`}`];
  const told = headers['sl-violations'];
  if (told === undefined) return [];
  return readFailures(typeof told === 'string' ? told : told.join(', ')).filter(
    (remark) => !/^request\b/.test(remark) || remark === noRoute,
  );
}

/** Of a request that its document does not have. */
export const noRoute = 'request: Selected route not found';

function problemTitle(body: string): string {
  const problem = parseJson(body);
  return isJsonObject(problem) && typeof problem['title'] === 'string' ? problem['title'] : body;
}

/** A header that is too long is cut off by Prism, and is then given as it is. */
function readFailures(header: string): readonly string[] {
  if (!header.startsWith('[')) return [header];
  const failures = parseJson(header);
  return Array.isArray(failures) ? failures.map(renderFailure) : [header];
}

function renderFailure(failure: JsonValue): string {
  const { location, message } = isJsonObject(failure) ? failure : {};
  return Array.isArray(location) && typeof message === 'string'
    ? `${location.join('.')}: ${message}`
    : renderJson(failure);
}
