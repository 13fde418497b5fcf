import { headerOf } from '../../../conformance/index.ts';
import type { Log, Reading } from '../log/reading.ts';
import { isForeign } from '../log/foreign.ts';
import { mediaTypeOf } from '../log/response-form.ts';
import type { CauseOutcome } from '../codec/fact.ts';
import { hasForm } from './header-form.ts';

/**
 * Whether an exchange has an outcome.
 *
 * @param failing the requirements that fail in an exchange, by its index
 */
export function hasOutcome(
  outcome: CauseOutcome,
  reading: Reading,
  failing: ReadonlyMap<number, ReadonlySet<string>>,
  log: Log,
): boolean {
  const { response, exchange } = reading;
  if (outcome.kind === 'no-response')
    return (
      exchange.outcome.kind === 'no-response' && exchange.outcome.error.reason === outcome.reason
    );
  if (outcome.kind === 'fails') {
    const own = failing.get(exchange.index);
    return outcome.requirements.some((id) => own?.has(id));
  }
  if (response === undefined) return false;
  switch (outcome.kind) {
    case 'status':
      return response.status === outcome.status;
    case 'served':
      return response.status < 300;
    case 'lacks-headers':
      return outcome.names.every((name) => headerOf(response, name) === undefined);
    case 'header-value':
      return outcome.names.every((name) => headerOf(response, name) === outcome.value);
    case 'header-form': {
      const value = headerOf(response, outcome.name);
      return value !== undefined && hasForm(outcome.form, value, log);
    }
    case 'same-response': {
      const other = log.readings.get(outcome.as)?.response;
      return other?.status === response.status && other.body === response.body;
    }
    case 'foreign':
      return (
        isForeign(reading, log) &&
        mediaTypeOf(response) === outcome.mediaType &&
        (headerOf(response, 'server') ?? '') === outcome.server
      );
  }
}
