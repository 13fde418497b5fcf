import type { Server, ServerOptions } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createRequire } from 'node:module';
import type * as nodeHttp from 'node:http';
import type { TlsIdentity } from '../tls/certificate.ts';

/** Connections at once. */
export const mostConnections = 5000;

/** A server of HTTP, over TLS or not. */
export type AnyServer = Server | TlsServer;

/** TLS is loaded only where it is wanted. Throws for a key or certificate that does not work. */
export async function openServer(
  options: ServerOptions,
  identity: TlsIdentity | undefined,
): Promise<AnyServer> {
  if (identity === undefined) return loadHttp().createServer(options);
  const https = await import('node:https');
  return https.createServer({ ...options, ...identity });
}

/**
 * The module `node:http`. Imported as a module of ES it brings its `WebSocket` at once, and undici
 * with it: a third of the time that a start takes.
 */
export function loadHttp(): typeof nodeHttp {
  const http: typeof nodeHttp = createRequire(import.meta.url)('node:http');
  return http;
}

/** A certificate of its own for a host. */
export async function createIdentity(host: string): Promise<TlsIdentity> {
  const { createCertificate } = await import('../tls/certificate.ts');
  return createCertificate([host]);
}

/** An IPv6 address is in brackets in a URL (RFC 3986 section 3.2.2); unspecified means loopback. */
export function renderHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Closes each connection that is one too many. */
export function boundConnections(server: AnyServer): void {
  server.maxConnections = mostConnections;
}
