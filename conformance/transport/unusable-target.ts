import { once } from 'node:events';
import { connect } from 'node:net';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  hasResponded,
  headerOf,
  readJson,
  type ReceivedResponse,
  type CredentialUse,
  type Exchange,
  type TransportError,
} from './exchange.ts';
import { operationOf, resolveTarget } from './target.ts';
import { readTransportError } from './sender.ts';

/** The part of a run's settings that explanations need. */
interface Asked {
  readonly baseUrl: string;
  /** Undefined without a key. */
  readonly nearMisses: readonly CredentialUse[] | undefined;
}

/** The likely cause if the first exchange shows that the run makes no sense. */
export function explainFirst(
  exchange: Exchange,
  asked: Asked,
  contract: Contract,
): string | undefined {
  if (exchange.outcome.kind === 'no-response')
    return hasResponded(exchange)
      ? undefined
      : explainTransportError(exchange.outcome.error, asked.baseUrl);
  return diagnoseResponse(exchange, exchange.outcome.response, asked, contract);
}

/** Explains a failure before any response. */
export function explainTransportError(failure: TransportError, baseUrl: string): string {
  const { host, protocol } = new URL(baseUrl);
  switch (failure.reason) {
    case 'unreachable':
      return `No server responds at ${host}. Is it running, and is the port correct? (${failure.message})`;
    case 'name':
      return `The name ${new URL(baseUrl).hostname} is unknown. Is the base URL spelled correctly? (${failure.message})`;
    case 'tls':
      return `No secure connection to ${host}: its certificate or protocol is not accepted (${failure.message}). Should it be http instead of https?`;
    case 'timeout':
      return `${host} accepted the connection but did not respond in time. Is it the right server, and is it healthy?`;
    case 'not-http':
      return `${host} does not speak HTTP. Is the port correct? (${failure.message})`;
    case 'endless':
    case 'too-large':
    case 'undecodable':
      return `${host} sent a response that cannot be judged: ${failure.message}.`;
    case 'cut':
      return `${host} closed the connection without a response: ${protocol === 'http:' ? 'does it expect https?' : 'does it expect http?'} (${failure.message})`;
  }
}

function diagnoseResponse(
  { request, intent }: Exchange,
  response: ReceivedResponse,
  { baseUrl, nearMisses }: Asked,
  contract: Contract,
): string | undefined {
  const { status } = response;
  const url = resolveTarget(baseUrl, request.target) ?? request.target;
  const operation = operationOf(contract, request.operation);
  const isDocumented =
    operation !== undefined && operation.responses.some((each) => each.status === String(status));
  const location = headerOf(response, 'location');
  if (status >= 300 && status < 400 && location !== undefined && !isDocumented) {
    return `${url} redirects to ${location}. Use the address it redirects to as the base URL.`;
  }
  const isKeyed = request.credential === 'valid' && operation?.credential.kind !== 'none';
  if ((status === 401 || status === 403) && isKeyed)
    return nearMisses === undefined
      ? `The first request was rejected (${status}), and no key was given. Pass the key of the server with --api-key.`
      : `The first request was rejected (${status}). Is the API key correct for this server?`;
  const isAsked = !isGuess({ intent });
  if (status === 404 && isAsked && !isDocumented && !isOwnError(response, contract))
    return `${url} does not exist (404). Does the base URL end in ${contract.basePath || 'the right path'}?`;
  if (isMarkup(response) && !servesMarkup(operation))
    return `${url} returned ${status} with a web page. Is there a proxy or another server in between?`;
  if ([502, 503, 504].includes(status))
    return `${url} returned ${status}. The service seems to be down, or a gateway cannot reach it.`;
  return undefined;
}

/** Whether an error has the shape of the contract, so that the service may be there. */
function isOwnError(response: ReceivedResponse, { error }: Contract): boolean {
  const json = readJson(response.body);
  return json !== undefined && error?.schema.isValid(json) === true;
}

/** Whether a request asked for an item that may not exist. */
function isGuess({ intent }: Pick<Exchange, 'intent'>): boolean {
  return intent.kind === 'valid' && intent.guessed !== undefined;
}

function servesMarkup(operation: Operation | undefined): boolean {
  const served = operation?.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const types = served.flatMap(({ content }) => content);
  return types.some(({ mediaType }) => /html|xml|\*/.test(mediaType));
}

function isMarkup({ body }: ReceivedResponse): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(body);
}

/**
 * Why no server can be reached at a base URL; undefined if one accepts a connection, or it is
 * unknown. Sends no request, so none counts against a limit.
 */
export async function explainUnreached(
  baseUrl: string,
  milliseconds: number,
): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(milliseconds) });
    return undefined;
  } catch (error) {
    const failure = readTransportError(error);
    const isKnown = failure.reason === 'unreachable' || failure.reason === 'name';
    return isKnown ? explainTransportError(failure, baseUrl) : undefined;
  } finally {
    socket.destroy();
  }
}
