import { PetstoreError } from '../../../contract/error/petstore-error.ts';

/** A server to keep state in, as its address says. */
export interface ServerAddress {
  /** For the client: `redis:` or `rediss:`, with name, password and database. */
  readonly url: string;
  /** For people: without the password. */
  readonly shown: string;
  /** What all keys begin with. */
  readonly prefix: string;
  readonly isCluster: boolean;
}

const parameters = ['prefix', 'cluster'];

/**
 * Reads `valkey://[name:password@]host[:port][/database][?prefix=text&cluster=true]`; `valkeys:` is
 * the same over TLS, `redis:` and `rediss:` mean the same.
 *
 * @throws {PetstoreError} with code `state`
 */
export function parseServerAddress(address: string): ServerAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === '') throw fault(address, 'does not name a server');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw fault(address, `has the unknown parameter "${unknown}"`);
  if (!/^\/?\d*$/.test(url.pathname)) throw fault(address, 'has a database that is not a number');
  const prefix = url.searchParams.get('prefix') ?? 'petstore';
  if (!/^[\w.:-]{1,64}$/.test(prefix))
    throw fault(
      address,
      'has an invalid prefix: use 1 to 64 letters, digits, dots, colons, underscores and hyphens',
    );
  const isSecure = /^(valkeys|rediss):$/i.test(url.protocol);
  const isCluster = url.searchParams.get('cluster') === 'true';
  const rest = address.slice(address.indexOf(':')).split(/[?#]/, 1)[0] ?? '';
  return {
    url: `${isSecure ? 'rediss' : 'redis'}${rest}`,
    shown: `${url.protocol}//${url.host}${url.pathname}`,
    prefix,
    isCluster,
  };
}

function fault(address: string, reason: string): PetstoreError {
  const shown = address.replace(/\/\/[^@/]*@/, '//');
  return new PetstoreError('state', `"${shown}" ${reason}.`, {
    remedy: 'Use the form valkey://name:password@host:6379/0?prefix=petstore.',
  });
}
