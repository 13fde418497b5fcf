import { createAllowance, Excess, measureJson, tellCount } from '../conformance/index.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../contract/json/value.ts';
import { certificateLimits, mostHeaderBytes, mostResponseBytes } from '../contract/limits/index.ts';
import type { SignedReport } from './certificate.ts';
import { type CertificateFinding, unclear } from './envelope/finding.ts';

/**
 * What of a certificate would cost more to judge again than is allowed, where anything does: its
 * settings, or a message of its log. A run with the limits of the suite has no such log.
 */
export function findLargeRun({
  facts: { settings },
  exchanges,
}: SignedReport): CertificateFinding | undefined {
  const text = renderJson(settings);
  const place = '/certificate/settings';
  return (
    findLarger('/exchanges', 'entries', exchanges.length, certificateLimits.logEntries) ??
    findLarger(place, 'characters', text.length, certificateLimits.settings) ??
    findLarger(place, 'values', measureJson(text).values, certificateLimits.settingValues) ??
    findLargeMessage(exchanges)
  );
}

function findLarger(
  where: string,
  unit: string,
  found: number,
  most: number,
): CertificateFinding | undefined {
  if (found <= most) return undefined;
  return tooLarge(
    where,
    `it has ${tellCount(found)} ${unit}; at most ${tellCount(most)} are allowed`,
  );
}

/** Requests are the suite's own, or what the mock has read of a client: they may be as deep as they are. */
function findLargeMessage(exchanges: readonly JsonValue[]): CertificateFinding | undefined {
  const allowance = createAllowance(mostResponseBytes);
  for (const [index, exchange] of exchanges.entries()) {
    const { request, outcome } = objectOf(exchange);
    const { response } = objectOf(outcome);
    const sentence =
      findLargePart(request) ?? findLargePart(response) ?? tryTake(allowance, response);
    if (sentence !== undefined) return tooLarge(`/exchanges/${index}`, sentence);
  }
  return undefined;
}

function findLargePart(message: JsonValue | undefined): string | undefined {
  const { body, headers } = objectOf(message);
  const [fields, size] = [measureFields(headers), textOf(body).length];
  if (fields > mostHeaderBytes)
    return `its header fields have ${tellCount(fields)} characters; at most ${tellCount(mostHeaderBytes)} are allowed`;
  if (size > mostResponseBytes)
    return `its body has ${tellCount(size)} characters; at most ${tellCount(mostResponseBytes)} are allowed`;
  return undefined;
}

function tryTake(
  allowance: ReturnType<typeof createAllowance>,
  response: JsonValue | undefined,
): string | undefined {
  const { body, headers } = objectOf(response);
  if (typeof body !== 'string') return undefined;
  try {
    // A character comes from a byte at least, so that what a run has read is accepted here.
    allowance.take({ headers: readHeaders(headers), body, length: body.length });
    return undefined;
  } catch (error) {
    if (error instanceof Excess) return error.found;
    throw error;
  }
}

/** Characters of names and values. */
function measureFields(headers: JsonValue | undefined): number {
  return readHeaders(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

function readHeaders(headers: JsonValue | undefined): readonly (readonly [string, string])[] {
  return (isJsonArray(headers) ? headers : []).map((pair) => {
    const [name, value] = isJsonArray(pair) ? pair : [];
    return [textOf(name), textOf(value)];
  });
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function tooLarge(where: string, what: string): CertificateFinding {
  return unclear('size', where, `The certificate is too large: ${what}.`);
}
