import { PetstoreError } from '../../../contract/index.ts';

/** What the server says first in an error, why that is, and what to do. */
const known: readonly (readonly [pattern: RegExp, why: string, remedy: string])[] = [
  [
    /^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password|ERR Client sent AUTH)/,
    'it rejects the name and password',
    'Put the right ones into the address: valkey://name:password@host:6379',
  ],
  [/^NOPERM/, 'the user lacks a permission', 'Add an ACL rule such as ~petstore:* +@all.'],
  [
    /^ERR (DB index|invalid DB|SELECT is not allowed)/i,
    'it has no database with that number',
    'Use another number, or none: valkey://host:6379/0',
  ],
  [/^READONLY/, 'it is a read-only replica', 'Use the primary server.'],
  [
    /^(OOM|ERR .*OOM|-OOM)/,
    'its memory is full',
    'Increase its maxmemory. Acknowledged changes are stored.',
  ],
  [/^MISCONF/, 'it cannot write to its disk', 'Check its disk. Acknowledged changes are stored.'],
  [
    /^(MOVED|ASK|CLUSTERDOWN|CROSSSLOT)/,
    'it is part of a cluster',
    'Add cluster=true to the address: valkey://host:6379?cluster=true',
  ],
  [
    /^ERR unknown command/i,
    'it lacks a required command (EVAL, EVALSHA, SCAN)',
    'Use a server that supports scripts: Valkey, or Redis 5 or later.',
  ],
  [
    /^WRONGTYPE|^PETSTORE/,
    'another program writes to the same keys',
    'Use a different prefix: valkey://host:6379?prefix=another',
  ],
  [/^LOADING/, 'it is still loading its data', 'Try again when it is ready.'],
  [/^BUSY/, 'it is busy with a script that does not end', 'Run SCRIPT KILL on the server.'],
];

/** Errors of the server that pass by themselves. */
export const isPassing = (error: unknown): boolean =>
  /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN)/.test(messageOf(error));

/** The error that users see. The address is without its password. */
export function explainServerError(address: string, cause: unknown): PetstoreError {
  if (cause instanceof PetstoreError) return cause;
  const message = messageOf(cause);
  const entry = known.find(([pattern]) => pattern.test(message));
  const why = entry?.[1] ?? `it responded "${message}"`;
  const remedy = entry?.[2] ?? 'See the log of the server.';
  return new PetstoreError('state', `The state cannot be stored at ${address}: ${why}.`, {
    place: address,
    remedy,
    cause,
  });
}

/** The error for a server that was not reached, or not in time. */
export function explainUnreached(address: string, cause: unknown): PetstoreError {
  const detail = `${address} cannot be reached: ${messageOf(cause)}.`;
  const remedy = 'Start the server, or use another one.';
  return new PetstoreError('state', detail, { place: address, remedy, cause });
}

/** Errors of addresses that were tried one after the other are one error without a message. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
