import { hash, timingSafeEqual } from 'node:crypto';
import { readCredential } from '../operation/request/credential.ts';
import { isLoopback } from '../http/loopback.ts';
import { type RequestHeaders, headerText } from '../http/message.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';

/** Who may use the control interface. */
export interface ControlOptions {
  /** Wanted as bearer token of every request. Without one they must come from this machine. */
  readonly token?: string | undefined;
  /** Origin whose pages may use it (CORS), such as `http://localhost:5173`; by default none. */
  readonly cors?: string | undefined;
  /** The report whose choices the mock makes; told to those who ask what is mocked. */
  readonly like?: string | undefined;
}

/**
 * The refusal for a request that may not control the mock. Without a token, connection and `Host`
 * must be of this machine, and a page never of another origin.
 */
export function refuseAccess(
  headers: RequestHeaders,
  address: string | undefined,
  options: ControlOptions,
): Refusal | undefined {
  const refused = refusePlace(headers, address, options);
  if (refused !== undefined || options.token === undefined) return refused;
  return refuseToken(headers, options.token);
}

/** The same without the token: for what holds no secret, such as the page that asks for it. */
export function refusePlace(
  headers: RequestHeaders,
  address: string | undefined,
  { token, cors }: ControlOptions,
): Refusal | undefined {
  const host = headerText(headers, 'host') ?? '';
  const origin = headerText(headers, 'origin');
  if (origin !== undefined && origin !== cors && !isOwnOrigin(origin, host))
    return forbid(
      `Pages of ${origin} may not control the mock; --control-cors lets those of one origin.`,
    );
  if (isForeignLoad(headers) && (origin === undefined || origin !== cors))
    return forbid('Pages of other sites may lead to the mock, and load nothing of it.');
  if (token !== undefined) return undefined;
  if (!isLoopback(address ?? ''))
    return forbid(
      'The mock is controlled from its own machine only; --control-token opens it to others.',
    );
  if (!isLoopback(hostName(host)) && !/^(?:.+\.)?localhost$/i.test(hostName(host)))
    return forbid(
      `The mock is not controlled under the host ${host}; localhost and 127.0.0.1 are its own.`,
    );
  return undefined;
}

/**
 * Another site's page loads it, as a script, a frame or otherwise (Fetch Metadata). To follow a link
 * is another thing: what is shown then is out of that page's reach.
 */
function isForeignLoad(headers: RequestHeaders): boolean {
  const [site = 'none', mode, destination = 'document'] = ['site', 'mode', 'dest'].map((name) =>
    headerText(headers, `sec-fetch-${name}`),
  );
  const isForeign = site !== 'none' && site !== 'same-origin';
  return isForeign && !(mode === 'navigate' && destination === 'document');
}

const forbid = (message: string): Refusal => refuse('forbidden', message);

function refuseToken(headers: RequestHeaders, token: string): Refusal | undefined {
  const proof = readCredential({ kind: 'bearer', pointer: '' }, headers, '');
  if (proof.kind === 'key' && timingSafeEqual(digest(proof.key), digest(token))) return undefined;
  return refuse('unauthorized', 'The mock is controlled with its token only.', {
    facts: { challenge: { security: [[{ kind: 'bearer', pointer: '' }]] } },
  });
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function isOwnOrigin(origin: string, host: string): boolean {
  return host !== '' && (origin === `http://${host}` || origin === `https://${host}`);
}

/** The host without its port and brackets (RFC 3986 section 3.2.2). */
function hostName(host: string): string {
  return host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
