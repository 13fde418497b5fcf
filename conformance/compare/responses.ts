import { requirementsOf } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, isJsonObject } from '../../contract/json/value.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { collectionsOf } from '../judge/trace/collection.ts';
import { isSame, memberNames } from '../judge/trace/item.ts';
import { readTrace } from '../family/read-trace.ts';
import {
  idOf,
  itemOf,
  itemsOf,
  itemResourceOf,
  type Reading,
  resourceOf,
  scopeOf,
  successId,
} from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Report } from '../run/report.ts';

/** The same of both targets of a comparison. */
export interface Sides<T> {
  readonly a: T;
  readonly b: T;
}

/**
 * Requests that both sides responded to differently though neither response breaks the contract: by
 * another status, or by what an item of the run's own shows of a member that was sent.
 */
export interface ResponseDifference {
  /** That the operation is served as the document says. */
  readonly requirement: Requirement;
  /** The member of items; undefined where the statuses differ. */
  readonly member: string | undefined;
  /** `201`, or of a member `as sent`, `left out` or its value. */
  readonly shown: Sides<string>;
  /** The first requests that show it, by position in each log. */
  readonly exchanges: Sides<number>;
}

/** What of the two runs the other differences explain. */
export interface Explained {
  readonly exchanges: Sides<ReadonlySet<number>>;
  /** Ids of open questions that both sides answer differently. */
  readonly questions: ReadonlySet<string>;
}

/** Compares the responses to the requests that both runs sent for the same purpose. */
export function compareResponses(
  contract: Contract,
  reports: Sides<Report>,
  explained: Explained,
): readonly ResponseDifference[] {
  const [ofA, ofB] = [readSide(contract, reports.a), readSide(contract, reports.b)];
  const found = new Map<string, ResponseDifference>();
  for (const [place, a] of ofA.readings) {
    const b = ofB.readings.get(place);
    const requirement = requirementsOf(contract).get(successId(a.operation));
    if (b === undefined || requirement === undefined) continue;
    if (purposeOf(a.exchange) !== purposeOf(b.exchange)) continue;
    if (isExplained({ a, b }, explained)) continue;
    const exchanges = { a: a.exchange.index, b: b.exchange.index };
    const note = (member: string | undefined, shown: Sides<string>): void => {
      const key = JSON.stringify([requirement.id, member, shown]);
      if (!found.has(key)) found.set(key, { requirement, member, shown, exchanges });
    };
    if (a.status !== b.status) note(undefined, { a: `${a.status}`, b: `${b.status}` });
    else {
      const members = showMembers(b, ofB, explained);
      for (const [key, { member, text }] of showMembers(a, ofA, explained)) {
        const other = members.get(key)?.text;
        if (other !== undefined && other !== text) note(member, { a: text, b: other });
      }
    }
  }
  return [...found.values()];
}

/** A run; requests are named by their probe and their place among those of the probe: `added#0`. */
interface Side {
  readonly contract: Contract;
  readonly readings: ReadonlyMap<string, Reading>;
  /** What was sent of the run's own items, and the request that did, by collection and id. */
  readonly items: ReadonlyMap<string, { readonly sent: JsonObject; readonly place: string }>;
}

function readSide(contract: Contract, { exchanges }: Report): Side {
  const places = new Map<number, string>();
  for (const [probe, own] of Map.groupBy(exchanges, (each) => each.probe))
    for (const [at, { index }] of own.entries()) places.set(index, `${probe}#${at}`);
  const trace = readTrace(contract, exchanges);
  const placeOf = ({ exchange: { index } }: Reading): string => places.get(index) ?? '';
  const items = collectionsOf(trace).flatMap(({ resource, scope, additions }) =>
    additions.map(({ sent, answered, reading }) => {
      const key = `${resource.collectionPath} ${scope} ${answered.id}`;
      return [key, { sent, place: placeOf(reading) }] as const;
    }),
  );
  return {
    contract,
    readings: new Map(trace.readings.map((reading) => [placeOf(reading), reading])),
    items: new Map(items),
  };
}

/** Equal for requests with the same purpose. */
function purposeOf({ intent, request }: Exchange): string {
  return [intent.kind, request.operation, request.method, request.credential].join();
}

/**
 * What they show is compared as an open question or a requirement, or left open altogether: what a
 * client asks for as absent may have been added by somebody else meanwhile.
 */
const beside: ReadonlySet<Exchange['intent']['kind']> = new Set(['open', 'unspecified', 'absent']);

/** Parallel requests have no order. */
function isExplained({ a, b }: Sides<Reading>, { exchanges, questions }: Explained): boolean {
  const { intent, group } = a.exchange;
  if (group !== undefined || beside.has(intent.kind)) return true;
  if (exchanges.a.has(a.exchange.index) || exchanges.b.has(b.exchange.index)) return true;
  const own = [a, b].flatMap(({ exchange }) =>
    exchange.intent.kind === 'valid' ? exchange.intent.mayRefuse : [],
  );
  return own.some((question) => questions.has(question));
}

/** What a response shows of the members of the run's own items, by item and member. */
function showMembers(
  reading: Reading,
  { contract, items }: Side,
  { questions }: Explained,
): ReadonlyMap<string, { readonly member: string; readonly text: string }> {
  const { operation } = reading;
  const resource = resourceOf(contract, operation) ?? itemResourceOf(contract, operation);
  const shown = new Map<string, { readonly member: string; readonly text: string }>();
  if (resource === undefined) return shown;
  // A member with another default is an open question.
  const defaults = contract.openQuestions
    .filter(({ kind, id }) => kind === 'default-value' && questions.has(id))
    .map(openMember);
  const path = `${resource.collectionPath} ${scopeOf(resource, reading)}`;
  for (const item of itemsOf(reading) ?? [itemOf(reading)].filter(isJsonObject)) {
    const own = items.get(`${path} ${idOf(item, resource)}`);
    if (own === undefined) continue;
    for (const member of memberNames(resource)) {
      const [sent, value] = [own.sent[member], item[member]];
      if (sent === undefined && defaults.includes(member)) continue;
      const text =
        value === undefined ? 'left out' : isSame(sent, value) ? 'as sent' : quote(value);
      shown.set(`${own.place} ${member}`, { member, text });
    }
  }
  return shown;
}
