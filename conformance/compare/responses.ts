import { resourceOf } from '../../contract/resource/resource.ts';
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
  scopeOf,
  successId,
  type Trace,
} from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Report } from '../run/report.ts';

/** A value for each of the two targets. */
export interface Sides<T> {
  readonly a: T;
  readonly b: T;
}

/**
 * Requests with different responses, neither of which breaks the contract: another status, or
 * another value of a sent member in an item of the run.
 */
export interface ResponseDifference {
  /** The success requirement of the operation. */
  readonly requirement: Requirement;
  /** The member of items; undefined if the statuses differ. */
  readonly member: string | undefined;
  /** `201`; for a member `as sent`, `left out` or its value. */
  readonly shown: Sides<string>;
  /** The first requests that show it, by position in each log. */
  readonly exchanges: Sides<number>;
}

/** The exchanges and questions that other differences explain. */
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
  const traces = {
    a: readTrace(contract, reports.a.exchanges),
    b: readTrace(contract, reports.b.exchanges),
  };
  const items = { a: sentItems(traces.a), b: sentItems(traces.b) };
  const defaults = new Set(
    contract.openQuestions
      .filter(({ kind, id }) => kind === 'default-value' && explained.questions.has(id))
      .map(openMember),
  );
  const ofB = new Map(traces.b.readings.map((reading) => [reading.exchange.index, reading]));
  const partners = pairExchanges(reports);
  const found = new Map<string, ResponseDifference>();
  for (const a of traces.a.readings) {
    const b = ofB.get(partners.get(a.exchange.index) ?? -1);
    if (b === undefined || isExplained({ a, b }, explained)) continue;
    const requirement = requirementsOf(contract).get(successId(a.operation));
    if (requirement === undefined) continue;
    const exchanges = { a: a.exchange.index, b: b.exchange.index };
    for (const { member, shown } of compareReadings({ a, b }, items, { contract, defaults })) {
      const key = JSON.stringify([requirement.id, member, shown]);
      if (!found.has(key)) found.set(key, { requirement, member, shown, exchanges });
    }
  }
  return [...found.values()];
}

/** The exchange of B for each of A: of the same probe, in the same place, for the same operation. */
function pairExchanges(reports: Sides<Report>): ReadonlyMap<number, number> {
  const ofB = placeExchanges(reports.b.exchanges);
  return new Map(
    [...placeExchanges(reports.a.exchanges)].flatMap(([key, a]) => {
      const b = ofB.get(key);
      const isAlike =
        b !== undefined &&
        a.request.operation === b.request.operation &&
        a.request.method === b.request.method &&
        a.request.credential === b.request.credential &&
        a.intent.kind === b.intent.kind;
      return isAlike ? [[a.index, b.index] as const] : [];
    }),
  );
}

/** Exchanges by probe and their place among those of the probe, such as `added#0`. */
function placeExchanges(exchanges: readonly Exchange[]): ReadonlyMap<string, Exchange> {
  const counts = new Map<string, number>();
  return new Map(
    exchanges.map((exchange) => {
      const count = counts.get(exchange.probe) ?? 0;
      counts.set(exchange.probe, count + 1);
      return [`${exchange.probe}#${count}`, exchange];
    }),
  );
}

/**
 * These are compared as open questions or requirements, or not at all: a missing item may have been
 * added by somebody else meanwhile.
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

interface ShowOptions {
  readonly contract: Contract;
  /** Members with other defaults, reported as an open question. */
  readonly defaults: ReadonlySet<string>;
}

interface Shown {
  readonly member: string | undefined;
  readonly shown: Sides<string>;
}

function compareReadings(
  { a, b }: Sides<Reading>,
  items: Sides<ReadonlyMap<string, SentItem>>,
  options: ShowOptions,
): readonly Shown[] {
  const statuses = { a: String(a.response.status), b: String(b.response.status) };
  if (statuses.a !== statuses.b) return [{ member: undefined, shown: statuses }];
  const [ofA, ofB] = [showMembers(a, items.a, options), showMembers(b, items.b, options)];
  return [...ofA].flatMap(([key, { member, text }]) => {
    const other = ofB.get(key);
    return other === undefined || other.text === text
      ? []
      : [{ member, shown: { a: text, b: other.text } }];
  });
}

/** An item of the run: what was sent, and the request that sent it, as both runs name it. */
interface SentItem {
  readonly sent: JsonObject;
  readonly name: string;
}

/** By collection and id; items that several requests added are left out. */
function sentItems(trace: Trace): ReadonlyMap<string, SentItem> {
  const counts = new Map<string, number>();
  const items = new Map<string, SentItem>();
  for (const { resource, scope, additions } of collectionsOf(trace))
    for (const { sent, answered, reading } of additions) {
      const { probe } = reading.exchange;
      const count = counts.get(probe) ?? 0;
      counts.set(probe, count + 1);
      items.set(`${resource.collectionPath} ${scope} ${answered.id}`, {
        sent,
        name: `${probe}#${count}`,
      });
    }
  return items;
}

/** The members of the run's items in a response, by item and member. */
function showMembers(
  reading: Reading,
  items: ReadonlyMap<string, SentItem>,
  { contract, defaults }: ShowOptions,
): ReadonlyMap<string, { readonly member: string; readonly text: string }> {
  const { operation } = reading;
  const resource = resourceOf(contract.resources, operation) ?? itemResourceOf(contract, operation);
  const single = itemOf(reading);
  const all = itemsOf(reading) ?? (single === undefined ? [] : [single]);
  const shown = new Map<string, { readonly member: string; readonly text: string }>();
  if (resource === undefined) return shown;
  for (const item of all.filter(isJsonObject)) {
    const own = items.get(
      `${resource.collectionPath} ${scopeOf(resource, reading)} ${idOf(item, resource)}`,
    );
    if (own === undefined) continue;
    for (const member of memberNames(resource)) {
      const [sent, value] = [own.sent[member], item[member]];
      if (sent === undefined && defaults.has(member)) continue;
      const text =
        value === undefined ? 'left out' : isSame(sent, value) ? 'as sent' : quote(value);
      shown.set(`${own.name} ${member}`, { member, text });
    }
  }
  return shown;
}
