import type { Operation } from '../session/types.ts';

/** A request to the service, as it is sent or shown. */
export interface OutgoingRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  /** Undefined for none. */
  readonly body: string | undefined;
}

export type HeaderPair = readonly [name: string, value: string];

/** Where the key of an operation goes. */
export type Credential = Operation['credentials'][number];

/** The request with a key wherever the operation wants one, in place of what stands there. */
export function addKey(
  request: OutgoingRequest,
  credentials: readonly Credential[],
  key: string,
): OutgoingRequest {
  return credentials.reduce((one, credential) => addCredential(one, credential, key), request);
}

function addCredential(
  request: OutgoingRequest,
  { in: place, name, value: template }: Credential,
  key: string,
): OutgoingRequest {
  const value = template
    .replace('{key}', () => key)
    .replace('{basic}', () => btoa(`${key}:${key}`));
  if (place === 'query') {
    const url = new URL(request.url);
    url.searchParams.set(name, value);
    return { ...request, url: url.href };
  }
  const header: HeaderPair = place === 'cookie' ? ['Cookie', `${name}=${value}`] : [name, value];
  return { ...request, headers: [header, ...withoutHeader(request.headers, header[0])] };
}

/** The fields but those with a name, in any case. */
export function withoutHeader(headers: readonly HeaderPair[], name: string): readonly HeaderPair[] {
  return headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
}
