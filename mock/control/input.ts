import { type JsonObject, type JsonValue, isJsonObject } from '../../contract/index.ts';
import type { Input } from '../operation/response/outcome.ts';
import { type FaultRule, brokenConnections } from './fault/fault.ts';
import type { JournalFilter } from './journal/journal-filter.ts';
import type { QuotaChange } from './quota/quota.ts';

/** A fault out of a body that fits the document. */
export function readFaultRule(sent: JsonObject): FaultRule {
  const { delay, connection, body, drip } = sent;
  return {
    operation: textOf(sent.operation),
    count: readNumber(sent.count),
    probability: readNumber(sent.probability),
    seed: readNumber(sent.seed),
    status: readNumber(sent.status),
    retryAfter: readNumber(sent.retryAfter),
    delay: isJsonObject(delay)
      ? { from: readNumber(delay['from']) ?? 0, to: readNumber(delay['to']) ?? 0 }
      : undefined,
    connection: brokenConnections.find((one) => one === connection),
    body: body === 'truncated' || body === 'malformed' ? body : undefined,
    drip: isJsonObject(drip)
      ? {
          bytes: readNumber(drip['bytes']) ?? 1,
          milliseconds: readNumber(drip['milliseconds']) ?? 0,
        }
      : undefined,
  };
}

/** A change of a quota out of a body that fits the document. */
export function readQuotaChange(sent: JsonObject): QuotaChange {
  return {
    limits: numbers(sent.limits),
    used: numbers(sent.used),
    resetSeconds: numbers(sent.resetSeconds),
    banSeconds: readNumber(sent.banSeconds),
  };
}

/** A filter out of query parameters. */
export function readFilter({ parameters }: Input): JournalFilter {
  const value = (name: string): JsonValue | undefined => parameters.get(`query ${name}`);
  return {
    operation: textOf(value('operation')),
    method: textOf(value('method')),
    status: readNumber(value('status')),
    path: textOf(value('path')),
    check: textOf(value('check')),
    from: readNumber(value('from')),
  };
}

/** A text; undefined for anything else. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number, rounded where it is an integer beyond 2^53; undefined for anything else. */
export function readNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function numbers(value: JsonValue | undefined): Readonly<Record<string, number>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, one]) => [name, readNumber(one) ?? 0]);
  return Object.fromEntries(entries);
}
