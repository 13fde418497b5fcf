import {
  createAllowance,
  measureJson,
  tellCount,
  UnreadableResponse,
} from '../conformance/index.ts';
import { type JsonValue, listOf, objectOf, renderJson, wordOf } from '../contract/json/value.ts';
import { certificateLimits, maxHeaderBytes, responseBytesLimit } from '../contract/limits/index.ts';
import type { SignedReport } from './certificate.ts';
import { type CertificateFinding, unclear } from './envelope/finding.ts';

/**
 * Reports the first part of a certificate that is too large to judge: its settings, or a message of
 * its log. A run within the limits of the suite is never too large.
 */
export function findLargeRun(signed: SignedReport): CertificateFinding | undefined {
  const [found] = listLarge(signed);
  return found && unclear('size', found.where, `The certificate is too large: ${found.what}.`);
}

function* listLarge({ facts: { settings }, exchanges }: SignedReport) {
  const { logEntries, settings: most, settingValues } = certificateLimits;
  const [text, place] = [renderJson(settings), '/certificate/settings'];
  yield* larger('/exchanges', 'it has', exchanges.length, 'entries', logEntries);
  yield* larger(place, 'it has', text.length, 'characters', most);
  yield* larger(place, 'it has', measureJson(text).values, 'values', settingValues);
  const allowance = createAllowance(responseBytesLimit);
  for (const [index, exchange] of exchanges.entries()) {
    const where = `/exchanges/${index}`;
    const { request, outcome } = objectOf(exchange);
    const { response } = objectOf(outcome);
    for (const message of [request, response]) {
      const { body, headers } = readMessage(message);
      const fields = headers.reduce((sum, pair) => sum + pair.join('').length, 0);
      yield* larger(where, 'its header fields have', fields, 'characters', maxHeaderBytes);
      yield* larger(where, 'its body has', body.length, 'characters', responseBytesLimit);
    }
    // Requests come from the suite, or were accepted by the mock: their depth is not limited.
    const { body, headers } = readMessage(response);
    try {
      // Each character was at least one byte, so that whatever a run has read is accepted here.
      allowance.take({ headers, body, length: body.length });
    } catch (error) {
      if (!(error instanceof UnreadableResponse)) throw error;
      yield { where, what: error.found };
    }
  }
}

function* larger(where: string, has: string, found: number, unit: string, most: number) {
  const allowed = `at most ${tellCount(most)} are allowed`;
  if (found > most) yield { where, what: `${has} ${tellCount(found)} ${unit}; ${allowed}` };
}

/**
 * The parts of a message whose size counts; empty if it has another shape, which is reported later.
 */
function readMessage(message: JsonValue | undefined) {
  const { body, headers } = objectOf(message);
  const fields = listOf(headers).map((pair) => listOf(pair).map(wordOf));
  return {
    body: wordOf(body),
    headers: fields.map(([name = '', value = '']) => [name, value] as const),
  };
}
