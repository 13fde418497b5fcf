import { hash, timingSafeEqual } from 'node:crypto';
import { findForeignPage, isLoopback, isOwnHost } from '../../contract/http/address.ts';
import { type RequestHeaders, headerText } from '../http/message.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import { readCredential } from '../sandbox/keyring.ts';

/** Who may use the control interface. */
export interface ControlOptions {
  /** The bearer token that every request must have. Without one, requests must come from this machine. */
  readonly token?: string | undefined;
  /** Origin whose pages may use it (CORS), such as `http://localhost:5173`; by default none. */
  readonly cors?: string | undefined;
  /** Hosts that webhooks and callbacks may be sent to, besides this machine. Default: none. */
  readonly webhookHosts?: readonly string[] | undefined;
  /** The report whose choices the mock makes; part of the description of the mock. */
  readonly like?: string | undefined;
}

/**
 * The refusal for a request that may not control the mock. Without a token, its connection and `Host`
 * must be of this machine. A page must not be of another origin.
 */
export function refuseAccess(
  headers: RequestHeaders,
  address: string | undefined,
  options: ControlOptions,
): Refusal | undefined {
  const refused = refusePlace(headers, address, options);
  if (refused !== undefined || options.token === undefined) return refused;
  const proof = readCredential({ kind: 'bearer', pointer: '' }, headers, '');
  if (proof.kind === 'key' && timingSafeEqual(digest(proof.key), digest(options.token)))
    return undefined;
  return refuse('unauthorized', 'The control interface requires the token of --control-token.', {
    facts: { challenge: { security: [[{ kind: 'bearer', pointer: '' }]] } },
  });
}

/** The same without the token: for what contains no secret, such as the page that asks for it. */
export function refusePlace(
  headers: RequestHeaders,
  address: string | undefined,
  { token, cors }: ControlOptions,
): Refusal | undefined {
  const host = headerText(headers, 'host') ?? '';
  const read = (name: string): string | undefined => headerText(headers, name);
  const foreign = findForeignPage(read, (origin) => origin === cors);
  if (foreign === 'origin')
    return forbid(
      `Pages of ${read('origin') ?? ''} may not control the mock. Start it with --control-cors to allow one origin.`,
    );
  if (foreign === 'load')
    return forbid('Pages of other sites may link to the mock, but not load anything from it.');
  if (token !== undefined) return undefined;
  if (!isLoopback(address ?? ''))
    return forbid(
      'The mock can be controlled only from its own machine. Start it with --control-token to allow others.',
    );
  if (!isOwnHost(host))
    return forbid(
      `The mock cannot be controlled under the host name ${host}. Use localhost or 127.0.0.1.`,
    );
  return undefined;
}

const forbid = (message: string): Refusal => refuse('forbidden', message);

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
