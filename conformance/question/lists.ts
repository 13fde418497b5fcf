import { resourceOf } from '../../contract/resource/resource.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { OpenQuestion } from '../../contract/openapi/open-question.ts';
import {
  collectionOf,
  collectionsOf,
  type Collection,
  type Listing,
} from '../judge/trace/collection.ts';
import type { Observation } from '../judge/trace/finding.ts';
import { isSame } from '../judge/trace/item.ts';
import {
  idIn,
  itemsOf,
  queryOf,
  renderPlain,
  type Reading,
  type Trace,
} from '../judge/trace/trace.ts';
import { countItems, describeResponse, quote } from '../judge/trace/words.ts';
import { headerOf } from '../transport/exchange.ts';
import {
  choicesWhere,
  everyChoice,
  forLists,
  forParameter,
  isServed,
  observation,
  observeResponses,
  refusedAs,
  responsesTo,
  type Ask,
  type QuestionKinds,
} from './question.ts';

export const listQuestions = {
  /** A list for a client that does not accept JSON. */
  accept: {
    trials: forLists(() => [
      {
        way: 'Accept: application/xml',
        rank: 2,
        request: () => ({ headers: { accept: 'application/xml' } }),
      },
    ]),
    observe: observeResponses((reading, trace) => {
      if (isServed(reading)) return reading.content === undefined ? [] : ['ignored'];
      return refusedAs(reading, trace, { 406: 'not-acceptable' });
    }),
  },
  /** A value that is not enumerated, or just outside the range. */
  'invalid-parameter': {
    trials: forParameter((parameter) => {
      const { minimum, maximum, values } = parameter.schema.shape();
      const trial = (value: string, rank: number): Ask => ({
        way: `${parameter.name}=${value}`,
        rank,
        request: () => ({ query: { [parameter.name]: value } }),
      });
      if (values !== undefined) {
        const [first = '', second = first] = values.map(renderPlain);
        const others = [first.toUpperCase(), `${first},${second}`, '', `${first} `];
        return [trial('unknown', 1), ...others.map((value, at) => trial(value, 3 + (at >> 1)))];
      }
      const odd = ['5.5', '', '1e1', '0x10', '+5', '99999999999999999999', '-1'];
      const outside = [
        ...(maximum !== undefined ? [String(Number(maximum.value) + 1)] : []),
        ...(minimum !== undefined ? [String(Number(minimum.value) - 1)] : []),
      ];
      return [
        ...outside.map((value, index) => trial(value, index + 1)),
        trial('many', outside.length > 0 ? 2 : 1),
        ...odd.map((value, index) => trial(value, index < 3 ? 3 : 4)),
      ];
    }),
    *observe(question, trace) {
      for (const reading of responsesTo(question, trace)) {
        const { exchange, operation, response, status } = reading;
        const parameter = operation.parameters.find(({ pointer }) => pointer === question.at);
        const choices = parameter && choicesOf(reading, parameter, trace);
        if (choices === undefined) continue;
        const size = itemsOf(reading)?.length;
        const found =
          size === undefined ? describeResponse(response) : `${status} with ${countItems(size)}`;
        yield observation(reading, choices, `${exchange.request.target} returned ${found}`);
      }
    },
  },
  order: {
    *observe(question, trace) {
      for (const { resource, listings: all } of collectionsOf(trace)) {
        if (!question.at.startsWith(resource.list.pointer)) continue;
        const listings = all.filter(({ items }) => items.length >= leastOrdered);
        const [longest] = listings.toSorted((a, b) => b.items.length - a.items.length);
        if (longest === undefined) continue;
        const ordered = choicesWhere(question, ({ details }) =>
          listings.every((listing) => isOrdered(listing, details)),
        );
        const isOther = ordered.length === 0 && isStable(listings);
        const some = longest.items.slice(0, leastOrdered);
        const ids = some.map(({ members }) => idIn(members, resource) ?? null);
        yield observation(
          longest.reading,
          ordered.length > 0 || isOther ? ordered : ['none'],
          `${longest.items.length} items, the first ${quote(ids)}${isOther ? ', in another stable order' : ''}`,
        );
      }
    },
  },
  /** How lists refer to further items. */
  paging: {
    *observe(_question, trace) {
      for (const collection of collectionsOf(trace)) {
        for (const { items, limit, filters, more, reading } of collection.listings) {
          if (items.length !== limit || items.length === 0) continue;
          const link = headerOf(reading.response, 'link');
          const least = filters.size > 0 ? 0 : collection.leastSize(reading.exchange);
          const evidence = `a list of ${countItems(items.length)} without a link to the others`;
          if (more && link !== undefined)
            yield observation(reading, ['link-header'], `Link: ${link}`);
          else if (more) yield observation(reading, [], 'a header refers to more items');
          // Undescribed parameters may give access to the others.
          else if (least > items.length)
            yield observation(reading, ['none', 'query-parameters'], evidence);
        }
      }
    },
  },
  /** Whether a filtered member of an item changed although the run did not change it. */
  transitions: {
    *observe(question, trace) {
      for (const collection of collectionsOf(trace))
        for (const { property } of collection.resource.filters)
          yield* observeChanges(question, property, collection);
    },
  },
} satisfies QuestionKinds;

/** The choices that fit a response; undefined if the value was read as a valid one. */
function choicesOf(
  reading: Reading,
  parameter: Parameter,
  trace: Trace,
): readonly string[] | undefined {
  if (!isServed(reading)) return refusedAs(reading, trace, { 400: 'refused' });
  const items = itemsOf(reading);
  if (items === undefined) return ['ignored', 'clamped'];
  const size = items.length;
  const resource = resourceOf(trace.contract.resources, reading.operation);
  const least =
    resource === undefined ? 0 : collectionOf(trace, resource, reading).leastSize(reading.exchange);
  const preset = resource?.limit?.default ?? Infinity;
  const isPage = (limit: number): boolean => size <= limit && size >= Math.min(least, limit);
  const text = queryOf(reading.exchange, parameter.name) ?? '';
  const usual = [...(size === 0 ? ['empty'] : []), ...(isPage(preset) ? ['ignored'] : [])];
  if (resource?.limit?.parameter.name !== parameter.name) {
    const member = resource?.filters.find((each) => each.parameter === parameter)?.property;
    const values = member === undefined ? [] : items.map((item) => item[member]);
    return isReadLeniently(text, values, parameter) ? undefined : usual;
  }
  const { minimum = 0, maximum = Infinity } = resource.limit;
  const number = Number(text);
  const isInRange = text !== '' && number >= minimum && number <= maximum;
  if (isInRange && Number.isInteger(number) && isPage(number)) return undefined;
  const clamp = (value: number): number => Math.min(maximum, Math.max(minimum, value));
  const read = [number, Number.parseFloat(text)].filter((value) => !Number.isNaN(value));
  const nearest = text === '' ? [] : read.flatMap((each) => [Math.floor(each), Math.ceil(each)]);
  // For a text that is not an integer, no limit is the nearest, so any of the three may be used.
  const isInteger = /^-?\d+$/.test(text);
  const limits = [...nearest.map(clamp), ...(isInteger ? [] : [minimum, maximum, preset])];
  return [...usual, ...(limits.some(isPage) ? ['clamped'] : [])];
}

/** Whether a text in other case, with white space or with several values was read leniently. */
function isReadLeniently(
  text: string,
  values: readonly (JsonValue | undefined)[],
  { schema }: Parameter,
): boolean {
  const listed = (schema.shape().values ?? []).map(renderPlain);
  const wanted = text.split(',').map((part) => part.trim().toLowerCase());
  if (values.length === 0 || !wanted.every((one) => listed.includes(one))) return false;
  return values.every((value) => value !== undefined && wanted.includes(renderPlain(value)));
}

/** Fewest items of a list that show an order. */
const leastOrdered = 3;

function isOrdered({ items }: Listing, { by, direction }: JsonObject): boolean {
  if (typeof by !== 'string') return false;
  const sign = direction === 'descending' ? -1 : 1;
  return items.every(
    (item, index) =>
      index === 0 || sign * compare(items[index - 1]?.members[by], item.members[by]) <= 0,
  );
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === undefined || b === undefined || a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether items that consecutive lists share have the same order in both. */
function isStable(listings: readonly Listing[]): boolean {
  const orders = listings.flatMap((listing, index) => {
    const before = [...(listings[index - 1]?.ids ?? [])].filter((id) => listing.ids.has(id));
    const now = [...listing.ids].filter((id) => listings[index - 1]?.ids.has(id));
    return before.length < leastOrdered ? [] : [before.every((id, at) => id === now[at])];
  });
  return orders.length > 0 && orders.every(Boolean);
}

/** Observes the first change or, without one, how often a change could have been seen. */
function* observeChanges(
  question: OpenQuestion,
  property: string,
  { listings, attempts }: Collection,
): Generator<Observation> {
  const first = new Map<string, JsonValue | undefined>();
  let again = 0;
  for (const { items, reading } of listings)
    for (const { id, members } of items) {
      if (attempts().has(id)) continue;
      const { [property]: value } = members;
      const before = first.get(id);
      if (first.has(id)) again += 1;
      else first.set(id, value);
      if (value === undefined || before === undefined || isSame(before, value)) continue;
      const evidence = `\`${property}\` of the item ${id} was ${quote(before)} and is ${quote(value)}`;
      yield observation(reading, ['elsewhere'], evidence);
      return;
    }
  const last = listings.at(-1);
  if (last === undefined || again === 0) return;
  const evidence = `${countItems(first.size)} ${first.size === 1 ? 'was' : 'were'} seen, ${again} of them more than once, and none had changed`;
  yield observation(last.reading, everyChoice(question), evidence);
}
