import { PetstoreError } from '../../../contract/index.ts';

/** What the server says first in an error, why that is, and what to do. */
const known: readonly (readonly [pattern: RegExp, why: string, remedy: string])[] = [
  [
    /^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password|ERR Client sent AUTH)/,
    'it does not take the name and password',
    'Put them into the address: valkey://name:password@host:6379',
  ],
  [/^NOPERM/, 'the user may not do what is needed', 'Give it a rule such as ~petstore:* +@all.'],
  [
    /^ERR (DB index|invalid DB|SELECT is not allowed)/i,
    'it has no database of that number',
    'Name another one, or none: valkey://host:6379/0',
  ],
  [/^READONLY/, 'it is a read-only replica', 'Name the primary server.'],
  [
    /^(OOM|ERR .*OOM|-OOM)/,
    'its memory is full',
    'Raise its maxmemory; what was acknowledged before is kept.',
  ],
  [
    /^MISCONF/,
    'it cannot write to its disk',
    'Look after its disk; what was acknowledged before is kept.',
  ],
  [
    /^(MOVED|ASK|CLUSTERDOWN|CROSSSLOT)/,
    'it is one of a cluster',
    'Say so in the address: valkey://host:6379?cluster=true',
  ],
  [
    /^ERR unknown command/i,
    'it lacks a command that is needed (EVAL, EVALSHA, SCAN)',
    'Use a server that runs scripts: Valkey, or Redis 5 or later.',
  ],
  [
    /^WRONGTYPE|^PETSTORE/,
    'something else writes to its keys',
    'Give this one keys of its own: valkey://host:6379?prefix=another',
  ],
  [/^LOADING/, 'it is still loading what it keeps', 'Try again when it is ready.'],
  [/^BUSY/, 'it runs a script that does not end', 'See its command SCRIPT KILL.'],
];

/** Errors of the server that pass by themselves. */
export const isPassing = (error: unknown): boolean =>
  /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN)/.test(messageOf(error));

/** The error that users see. The address is without its password. */
export function explainServerError(address: string, cause: unknown): PetstoreError {
  if (cause instanceof PetstoreError) return cause;
  const message = messageOf(cause);
  const entry = known.find(([pattern]) => pattern.test(message));
  const why = entry?.[1] ?? `it says "${message}"`;
  const remedy = entry?.[2] ?? 'See what its log says.';
  return new PetstoreError('state', `State cannot be kept at ${address}: ${why}.`, {
    place: address,
    remedy,
    cause,
  });
}

/** The error for a server that was not reached, or not in time. */
export function explainUnreached(address: string, cause: unknown): PetstoreError {
  const detail = `${address} is not reached: ${messageOf(cause)}.`;
  const remedy = 'Start the server, or name another one.';
  return new PetstoreError('state', detail, { place: address, remedy, cause });
}

/** Errors of addresses that were tried one after the other are one error without a message. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
