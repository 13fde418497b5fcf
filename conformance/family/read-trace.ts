import type { Contract } from '../../contract/contract.ts';
import { sentPlace } from '../../contract/resource/resource.ts';
import { requirementsOf } from './requirements.ts';
import { once } from '../../contract/memo/once.ts';
import { jsonOf, readMarked, type Exchange } from '../transport/exchange.ts';
import { redactedKey } from '../transport/cut.ts';
import { operationOf } from '../transport/target.ts';
import { Reading, Trace, type TargetFacts } from '../judge/trace/trace.ts';

/** Interprets exchanges according to a contract. Pure: the same exchanges give the same trace. */
export function readTrace(
  contract: Contract,
  exchanges: readonly Exchange[],
  facts?: TargetFacts,
): Trace {
  const read = readingOf(contract);
  const readings = exchanges.flatMap((exchange) => read(exchange) ?? []);
  return new Trace(contract, requirementsOf(contract), exchanges, readings, facts);
}

/** The same for exchanges that are judged only once: nothing is cached. */
export function readOnce(contract: Contract, exchanges: readonly Exchange[]): Trace {
  const readings = exchanges.flatMap((each) => readExchange(contract, each, false) ?? []);
  return new Trace(contract, requirementsOf(contract), exchanges, readings);
}

/** A growing log is judged several times, so each exchange is read once. */
const readingOf = once((contract: Contract) =>
  once((exchange: Exchange) => readExchange(contract, exchange, true)),
);

function readExchange(
  contract: Contract,
  exchange: Exchange,
  isKept: boolean,
): Reading | undefined {
  const operation = operationOf(contract, exchange.request.operation);
  if (operation === undefined || exchange.outcome.kind !== 'answered') return undefined;
  const { response } = exchange.outcome;
  // Marks in place of the key are unique to their exchange, so that no two are equal.
  const parse = isKept && !response.body.includes(redactedKey) ? jsonOf : readMarked;
  const json = response.utf8 ? parse(response, String(exchange.index)) : undefined;
  const resource = contract.resources.find(({ shown }) => shown.has(operation.id));
  const place = resource?.shown.get(operation.id)?.place;
  const sent = sentPlace(contract.resources, operation);
  return new Reading(exchange, response, operation, json, place, sent);
}
