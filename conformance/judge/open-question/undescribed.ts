import { describeResponse } from '../trace/words.ts';
import type { Reading } from '../trace/trace.ts';
import { responsesTo, type Observed, type Reader } from './reader.ts';

/** `undescribed-operations`: whether the paths that the question names are served. */
export const readUndescribedOperations: Reader = function* readOperations(question, trace) {
  for (const reading of responsesTo(question, trace))
    yield tellServed(reading, 'served', 'not-served');
};

/** `versioning`: whether the version after this one is served. */
export const readVersioning: Reader = function* readVersioning(question, trace) {
  for (const reading of responsesTo(question, trace))
    yield tellServed(reading, 'several-versions', 'one-version');
};

/** `undescribed-requests`: 404 for a path fits every choice; the method tells. */
export const readUndescribedRequests: Reader = function* readRequests(question, trace) {
  for (const reading of responsesTo(question, trace)) {
    const { exchange, operation, response } = reading;
    const isMethod = exchange.request.method !== operation.method;
    const isMissing = response.status === 404;
    const ofMissing = isMissing && isMethod ? 'not-found' : undefined;
    const told = { ...tell(reading), choice: response.status === 405 ? 'http' : ofMissing };
    yield isMissing && !isMethod ? { ...told, isUnclear: true } : told;
  }
};

function tellServed(reading: Reading, served: string, notServed: string): Observed {
  const { status } = reading.response;
  if (status < 300) return { ...tell(reading), choice: served };
  if (status === 404 || status === 405) return { ...tell(reading), choice: notServed };
  return { ...tell(reading), choice: undefined, isUnclear: true };
}

function tell({ exchange, response }: Reading): Omit<Observed, 'choice'> {
  const { method, target, credential } = exchange.request;
  const key = credential === 'missing' ? ' without a key' : '';
  return {
    exchange: exchange.index,
    evidence: `${method} ${target}${key} answered ${describeResponse(response)}`,
  };
}
