import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  renderJson,
} from '../../contract/json/value.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import { additionOf, type Resource } from '../../contract/resource/resource.ts';
import { smallest } from '../../contract/list/list.ts';
import { isCarried } from '../transport/request-parts.ts';
import {
  changesOf,
  collectionsOf,
  filterId,
  isBefore,
  isHidable,
  isReadable,
  limitId,
  mayBeLate,
  passes,
  type Collection,
  type Listing,
} from '../judge/trace/collection.ts';
import {
  passed,
  failed,
  unclear,
  withoutIncomplete,
  type Finding,
} from '../judge/trace/finding.ts';
import { judgeIntents } from './intent.ts';
import { pageTurnOf } from '../judge/trace/next-page.ts';
import { historyOf } from '../judge/trace/model.ts';
import { queryOf, renderPlain, type Reading, type Trace } from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import {
  requirementId,
  type Draft,
  type Drafts,
  draftsOf,
  type Level,
  type ParameterFacet,
} from '../judge/trace/requirement.ts';

export function* listParameterRequirements(
  operation: Operation,
  parameter: Parameter,
  resources: readonly Resource[],
): Drafts {
  if (parameter.in !== 'query') return;
  const { id } = operation;
  const { name, pointer } = parameter;
  const draft = (facet: ParameterFacet, demand: string, level?: Level): Draft =>
    draftsOf(operation)({ kind: 'parameter', name, facet }, `${id} ${demand}.`, pointer, level);
  const { values } = parameter.schema.shape();
  const minimum = extremeOf(parameter.schema, 'minimum');
  const maximum = extremeOf(parameter.schema, 'maximum');
  const resource = resources.find((each) => each.list.id === operation.id);
  if (minimum !== undefined) yield draft('minimum', `accepts ${name}=${renderValue(minimum)}`);
  if (maximum !== undefined) yield draft('maximum', `accepts ${name}=${renderValue(maximum)}`);
  if (values)
    yield draft('values', `accepts each of ${values.map(renderValue).join(', ')} as ${name}`);
  if (resource?.limit?.parameter.name === name) {
    yield draft('bound', `never returns more items than ${name} allows`);
    yield draft('filled', `returns as many items as exist, up to ${name}`, 'should');
    const preset = resource.limit.default;
    if (preset !== undefined)
      yield draft('default', `without ${name} responds as with ${name}=${renderValue(preset)}`);
  }
  if (resource !== undefined && pageTurnOf(resource)?.parameter === parameter)
    yield draft('next', `returns other items for the next ${name} than before`);
  const isFilter = resource?.filters.some((filter) => filter.parameter.name === name) === true;
  // For items that requests cannot add, too little is known to say which ones a filtered list must
  // contain.
  if (isFilter && additionOf(resource) !== undefined && !parameter.required) {
    yield draft(
      'filter',
      `with ${name} returns all items with that value, up to the limit, and no others`,
      mayBeLate(operation) ? 'should' : 'must',
    );
  }
}

function renderValue(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}

export function* judgeParameter(trace: Trace): Generator<Finding> {
  yield* withoutIncomplete(judgeIntents(trace, 'parameter'), (id, exchanges) =>
    lacksValue(id, exchanges, trace),
  );
  for (const collection of collectionsOf(trace)) yield* judgeLists(collection);
}

/** Judges how many items lists have, and which. */
export function* judgeLists(collection: Collection): Generator<Finding> {
  const { resource, listings } = collection;
  if (listings.length === 0) return;
  const isShown = (property: string): boolean =>
    listings.some(({ items }) => items.some(({ members }) => members[property] !== undefined));
  const shown = new Set(resource.filters.map(({ property }) => property).filter(isShown));
  for (const listing of listings) {
    yield* judgeBound(listing, resource);
    yield* judgeFilters(listing, collection, shown);
  }
  yield* judgeNextPage(collection);
  yield* firstCause([...judgeFilled(collection)], resource);
}

/** Whether no accepted request had one of the enumerated values of a query parameter. */
function lacksValue(
  id: string,
  passes: readonly number[],
  { contract, requirements, readings }: Trace,
): boolean {
  const { operation, subject } = requirements.get(id) ?? {};
  if (subject?.kind !== 'parameter' || subject.facet !== 'values') return false;
  const parameter = contract.operations
    .find((each) => each.id === operation)
    ?.parameters.find(({ name, in: place }) => place === 'query' && name === subject.name);
  if (parameter === undefined || parameter.mediaType !== undefined) return false;
  // Compared by content, not by index, because exchanges of a shard have the indexes of the merged
  // report.
  const served = new Set<string | undefined>();
  for (const { exchange } of readings)
    if (passes.includes(exchange.index)) served.add(queryOf(exchange, subject.name));
  return (parameter.schema.shape().values ?? []).some(
    (value) =>
      !isJsonArray(value) &&
      !isJsonObject(value) &&
      isCarried(parameter, value) &&
      parameter.schema.isValid(value) &&
      !served.has(renderPlain(value)),
  );
}

function* judgeBound(
  { reading, items, size, asked, limit }: Listing,
  resource: Resource,
): Generator<Finding> {
  if (resource.limit === undefined || limit === undefined) return;
  const id = limitId(resource, asked === undefined ? 'default' : 'bound');
  if (items.length !== size) {
    const reason = `${size} items, of which ${items.length} are readable`;
    if (size > limit) yield unclear(id, reading.index, reason);
  } else if (size <= limit) {
    if (asked !== undefined) yield passed(id, reading.index);
  } else
    yield failed(id, reading.index, `at most ${limit} items`, `${size} items`, [], {
      at: renderPointer([...reading.place, limit]),
      because: limitId(resource, 'bound'),
    });
}

/**
 * `shown`: the members that lists of the target have. If an item lacks one of them, it has no
 * value.
 */
function* judgeFilters(
  listing: Listing,
  { resource, wronglyWritten }: Collection,
  shown: ReadonlySet<string>,
): Generator<Finding> {
  for (const [property, value] of listing.filters) {
    const id = filterId(resource, property);
    const unwanted = listing.items.find(
      (item) =>
        !wronglyWritten().has(item.id) &&
        (passes(item, new Map([[property, value]])) === false ||
          (shown.has(property) && item.valid && item.members[property] === undefined)),
    );
    const { index } = listing.reading;
    if (unwanted !== undefined) {
      const expected = `only items whose \`${property}\` is ${quote(value)}`;
      const received = `an item with ${quote(unwanted.members[property])}`;
      const at = `${unwanted.at}${renderPointer([property])}`;
      const because = requirementId.state(resource.list.id, `read.${property}`);
      yield failed(id, index, expected, received, [], { at, because });
    } else if (!listing.items.every((item) => item.valid || item.members[property] !== undefined)) {
      yield unclear(
        id,
        index,
        `an item whose \`${property}\` is malformed, or cut off with the key`,
      );
    } else if (listing.items.some((item) => passes(item, listing.filters) === false)) {
      yield unclear(id, index, 'an item from a request that should have been rejected');
    } else if (listing.items.length > 0) yield passed(id, index);
  }
}

/**
 * The next page has other items than the one before. Lists in any order may repeat a page by chance,
 * so only two responses prove that it has not.
 */
function* judgeNextPage({ resource, listings }: Collection): Generator<Finding> {
  const turn = pageTurnOf(resource);
  if (turn === undefined) return;
  const id = requirementId.parameter(resource.list.id, turn.parameter.name, 'next');
  let first: Reading | undefined;
  const same: Reading[] = [];
  for (const { reading, size } of listings) {
    const { intent } = reading.exchange;
    if (intent.kind !== 'valid') continue;
    if (!intent.exercises.includes(id)) first = size < 2 ? undefined : reading;
    else if (first !== undefined) {
      const isSame = turn.repeats(first, reading);
      if (isSame === true) same.push(first, reading);
      if (isSame === false) yield passed(id, reading.index);
    }
  }
  const last = same.pop();
  if (last === undefined || same.length < 3) return;
  const expected = 'other items than those of the page before';
  const others = new Set(same.slice(-3).map(({ index }) => index));
  yield failed(id, last.index, expected, 'the items of that page again', [...others]);
}

/** One cause can shorten lists in several ways: only the first finding is reported. */
function* firstCause(findings: readonly Finding[], resource: Resource): Generator<Finding> {
  const failed = new Set(
    findings.flatMap((finding) => (finding.kind === 'failed' ? [finding.requirement] : [])),
  );
  const filled = limitId(resource, 'filled');
  const filters = resource.filters.map(({ property }) => filterId(resource, property));
  const rank = (id: string): number => (id === filled ? 0 : filters.includes(id) ? 1 : 2);
  if (failed.size === 0) return yield* findings;
  const first = smallest([...failed].map(rank));
  for (const finding of findings) {
    if (finding.kind !== 'failed' || rank(finding.requirement) === first) yield finding;
    else yield unclear(finding.requirement, finding.exchange, finding.received);
  }
}

/** A list below its limit must contain every item that an earlier list showed. */
function* judgeFilled(collection: Collection): Generator<Finding> {
  const { resource, listings } = collection;
  const byFilters = new Map<string, ReadonlySet<string>>();
  for (const listing of listings) {
    const { reading, items, limit, asked } = listing;
    if (limit === undefined) continue;
    const id = filledId(listing, resource);
    const { index } = reading;
    const filters = JSON.stringify([...listing.filters]);
    const optional = byFilters.get(filters) ?? listOptional(listing, collection);
    byFilters.set(filters, optional);
    const known = listKnown(listing, optional, collection);
    const wanted = Math.min(limit, known.length);
    const isShort = items.length < wanted;
    if (!isReadable(listing)) {
      const reason = listing.more
        ? 'and a hint that there are more'
        : `that are readable, of ${listing.size}`;
      if (isShort || !listing.more) yield unclear(id, index, `${items.length} items ${reason}`);
    } else if (isShort) {
      const missing = known.find((each) => !listing.ids.has(each));
      const example =
        missing === undefined ? '' : `, without the item ${missing} that an earlier list showed`;
      const allowed = limit === wanted ? ' and the limit allows that many' : '';
      const expected = `at least ${wanted} items: that many are known${allowed}`;
      // If the list shows other values, its filters need not fit those that were sent.
      const [property] = listing.filters.keys();
      const read = requirementId.state(resource.list.id, `read.${property}`);
      const isWrongRead = historyOf(collection).wrongReads.has(read);
      const because = isWrongRead ? read : requirementId.state(resource.list.id, 'listed');
      yield failed(id, index, expected, `${items.length} items${example}`, [], { because });
    } else {
      const isFull = items.length >= limit;
      const added = isFull ? [] : collection.expectedIn(listing).map(({ answered }) => answered.id);
      const needed = [...(isFull ? [] : known), ...added.filter((each) => !optional.has(each))];
      const lost = needed.find((each) => !listing.ids.has(each));
      if (lost !== undefined)
        yield unclear(id, index, `a list without ${lost}, which was there before`);
      else if (known.length > 0 && (asked !== undefined || known.length >= limit))
        yield passed(id, index);
    }
  }
}

/**
 * The items that need not be in lists with some filters: they do not match the filters, should have
 * been refused, or may have been changed or removed, by others or by this run.
 */
function listOptional({ filters }: Listing, collection: Collection): ReadonlySet<string> {
  const { resource, listings, attempts, ownIds, wronglyWritten } = collection;
  const isFixed = changesOf(resource).length === 0;
  const optional = new Set([...wronglyWritten().keys(), ...(isFixed ? [] : attempts().keys())]);
  for (const item of listings.flatMap(({ items }) => items))
    if (passes(item, filters) !== true || !(isFixed || ownIds().has(item.id)))
      optional.add(item.id);
  return optional;
}

/** The items of earlier lists that a list must contain: nothing has touched them since. */
function listKnown(
  listing: Listing,
  optional: ReadonlySet<string>,
  collection: Collection,
): readonly string[] {
  const { exchange } = listing.reading;
  return [...collection.firstSeen()].flatMap(([id, { item, listing: first }]) =>
    isBefore(first.reading.exchange, exchange) &&
    !optional.has(id) &&
    collection.isUntouched(id, exchange, first.reading.exchange) &&
    !isHidable(listing, (name) => item.members[name], collection.resource)
      ? [id]
      : [],
  );
}

function filledId(listing: Listing, resource: Resource): string {
  const [property] = listing.filters.keys();
  if (property !== undefined) return filterId(resource, property);
  return limitId(resource, listing.asked === undefined ? 'default' : 'filled');
}
