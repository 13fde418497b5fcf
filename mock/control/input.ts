import { type JsonObject, type JsonValue, isJsonObject } from '../../contract/index.ts';
import type { Input } from '../outcome.ts';
import type { FaultRule } from './fault.ts';
import type { JournalFilter } from './journal-filter.ts';
import type { QuotaChange } from './quota.ts';

/** A fault out of a body that fits the document. */
export function readFaultRule({ operation, count, probability, seed, status, retryAfter, delay, connection, body, drip }: JsonObject): FaultRule {
  return {
    operation: text(operation),
    count: number(count),
    probability: number(probability),
    seed: number(seed),
    status: number(status),
    retryAfter: number(retryAfter),
    delay: isJsonObject(delay) ? { from: number(delay['from']) ?? 0, to: number(delay['to']) ?? 0 } : undefined,
    connection: connection === 'reset' || connection === 'silence' ? connection : undefined,
    body: body === 'truncated' || body === 'malformed' ? body : undefined,
    drip: isJsonObject(drip) ? { bytes: number(drip['bytes']) ?? 1, milliseconds: number(drip['milliseconds']) ?? 0 } : undefined,
  };
}

/** A change of a quota out of a body that fits the document. */
export function readQuotaChange({ limits, used, resetSeconds, banSeconds }: JsonObject): QuotaChange {
  return { limits: numbers(limits), used: numbers(used), resetSeconds: numbers(resetSeconds), banSeconds: number(banSeconds) };
}

/** A filter out of query parameters. */
export function readFilter({ parameters }: Input): JournalFilter {
  const value = (name: string): JsonValue | undefined => parameters.get(`query ${name}`);
  return { operation: text(value('operation')), method: text(value('method')), status: number(value('status')), path: text(value('path')), check: text(value('check')), from: number(value('from')) };
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function numbers(value: JsonValue | undefined): Readonly<Record<string, number>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, number(one) ?? 0]));
}
