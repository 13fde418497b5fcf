import { createAllowance, Excess, measureJson, tellCount } from '../../conformance/index.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../../contract/index.ts';
import { type CertificateFinding, unclear } from '../envelope/finding.ts';
import type { Predicate } from '../predicate/predicate.ts';
import {
  certificateLimits,
  mostHeaderBytes,
  mostResponseBytes,
} from '../../contract/limits/index.ts';

/**
 * What of a certificate would cost more to judge again than is taken, where anything does: its
 * configuration, or a message of its log. A run with the limits of the suite has no such log.
 */
export function findLargeRun({
  configuration,
  log,
}: Pick<Predicate, 'configuration' | 'log'>): CertificateFinding | undefined {
  const settings = renderJson(configuration);
  return (
    findLarger('log', 'entries', log.entries.length, certificateLimits.logEntries) ??
    findLarger('configuration', 'characters', settings.length, certificateLimits.settings) ??
    findLarger(
      'configuration',
      'values',
      measureJson(settings).values,
      certificateLimits.settingValues,
    ) ??
    findLargeMessage(log.entries.map(({ entry }) => entry))
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

/** Requests are the suite's own, or what the mock has taken of a client: they may be as deep as they are. */
function findLargeMessage(entries: readonly JsonObject[]): CertificateFinding | undefined {
  const allowance = createAllowance(mostResponseBytes);
  for (const [index, { request, outcome }] of entries.entries()) {
    const response = isJsonObject(outcome) ? outcome['response'] : undefined;
    const sentence =
      findLargePart(request) ?? findLargePart(response) ?? tryTake(allowance, response);
    if (sentence !== undefined) return tooLarge(`log[${index}]`, sentence);
  }
  return undefined;
}

function findLargePart(message: JsonValue | undefined): string | undefined {
  if (!isJsonObject(message)) return undefined;
  const { body, headers } = message;
  const [fields, size] = [measureFields(headers), typeof body === 'string' ? body.length : 0];
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
  try {
    // A character comes from a byte at least, so that what a run has taken is taken here.
    if (!isJsonObject(response)) return undefined;
    const { body, headers } = response;
    if (typeof body === 'string')
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

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function tooLarge(where: string, what: string): CertificateFinding {
  return unclear('size', where, `This is too large: ${what}.`);
}
