import { hash, timingSafeEqual } from 'node:crypto';
import { findForeignPage, isLoopback, isOwnHost } from '../../contract/index.ts';
import { readCredential } from '../operation/request/credential.ts';
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
  const read = (name: string): string | undefined => headerText(headers, name);
  const foreign = findForeignPage(read, (origin) => origin === cors);
  if (foreign === 'origin')
    return forbid(
      `Pages of ${read('origin') ?? ''} may not control the mock; --control-cors lets those of one origin.`,
    );
  if (foreign === 'load')
    return forbid('Pages of other sites may lead to the mock, and load nothing of it.');
  if (token !== undefined) return undefined;
  if (!isLoopback(address ?? ''))
    return forbid(
      'The mock is controlled from its own machine only; --control-token opens it to others.',
    );
  if (!isOwnHost(host))
    return forbid(
      `The mock is not controlled under the host ${host}; localhost and 127.0.0.1 are its own.`,
    );
  return undefined;
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
