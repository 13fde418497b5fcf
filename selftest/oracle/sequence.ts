import {
  type Contract,
  type JsonObject,
  type JsonValue,
  type Resource,
  isJsonObject,
  jsonEquals,
  requirementId,
} from '../../contract/index.ts';
import type { Contradictions } from './response.ts';
import {
  type Shown,
  addedItem,
  identify,
  isBefore,
  listedItems,
  plain,
  readSingle,
} from './shown.ts';

/** An item as one exchange showed it. */
interface Sight {
  readonly shown: Shown;
  readonly id: string;
  readonly item: JsonObject;
}

/** A list that was served. */
interface List {
  readonly shown: Shown;
  readonly sights: readonly Sight[];
  readonly size: number;
  readonly limit: number;
  readonly isDefault: boolean;
  /** The property that it was filtered by, and the value. */
  readonly filter: readonly [property: string, value: string, parameter: string] | undefined;
  /** It holds all that there is: fewer than its limit, every one readable, no further page. */
  readonly isWhole: boolean;
  /** It hints at a further page, in a way that the document leaves open. */
  readonly isPaged: boolean;
}

/** What exchanges contradict of each other. */
export function* contradictSequences(contract: Contract, all: readonly Shown[]): Contradictions {
  for (const resource of contract.resources) yield* contradictResource(resource, all);
}

function* contradictResource(resource: Resource, all: readonly Shown[]): Contradictions {
  const of = all.filter((shown) => shown.resource === resource);
  const additions = of.flatMap((shown) => sightOf(shown, addedItem(shown), resource) ?? []);
  const gets = of.flatMap((shown) => sightOf(shown, readSingle(shown), resource) ?? []);
  const changed = changedIds(all, resource);
  const lists = of
    .flatMap((shown) => readList(shown, resource) ?? [])
    .map((list) => ({ ...list, sights: list.sights.filter(({ id }) => !changed.has(id)) }));
  for (const addition of additions) yield* contradictAddition(addition, additions, lists, resource);
  const own = additions.filter(
    ({ id, shown }) =>
      isValidAddition(shown) &&
      !changed.has(id) &&
      additions.filter((each) => each.id === id).length === 1 &&
      !lists.some((list) => list.shown.index < shown.index && holds(list, id)),
  );
  const listed = new Set(
    lists.flatMap(({ sights }) => sights.flatMap(({ item }) => Object.keys(item))),
  );
  for (const list of lists) {
    yield* contradictList(list, lists, own, resource);
    for (const sight of list.sights)
      yield* contradictRead(sight, own, resource, (name) => listed.has(name));
  }
  for (const sight of gets) {
    const wanted = sight.shown.inPath ?? '';
    const id = requirementId.state(sight.shown.operation.id, `read.${resource.idProperty}`);
    if (sight.id !== wanted) yield [id, sight.shown.index, `${sight.id} for ${wanted}`];
    else yield* contradictRead(sight, own, resource, () => true);
  }
  yield* contradictStored(of, additions, lists, resource);
}

/** Items that were replaced, updated or removed: nothing is said of them. */
function changedIds(all: readonly Shown[], { itemPath }: Resource): ReadonlySet<string> {
  const changes = all.filter(
    ({ operation: { path, method } }) => path === itemPath && method !== 'GET',
  );
  return new Set(changes.map(({ inPath = '' }) => inPath));
}

function sightOf(
  shown: Shown,
  item: JsonObject | undefined,
  resource: Resource,
): Sight | undefined {
  const id = item && identify(item, resource);
  return item === undefined || id === undefined ? undefined : { shown, id, item };
}

function holds({ sights }: List, id: string): boolean {
  return sights.some((sight) => sight.id === id);
}

function readList(shown: Shown, resource: Resource): List | undefined {
  const items = listedItems(shown);
  if (items === undefined || !Array.isArray(shown.json)) return undefined;
  const text = shown.query.get(resource.limit?.parameter.name ?? '');
  const { minimum = 1, maximum = Infinity, default: preset = Infinity } = resource.limit ?? {};
  // What `1e1`, `+5` and `05` are is left open.
  const limit = text === null ? preset : /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  const isLawful = Number.isInteger(limit) ? limit >= minimum && limit <= maximum : text === null;
  const filters = resource.filters.flatMap(({ parameter, property }) => {
    const value = shown.query.get(parameter.name);
    return value === null ? [] : [{ value, parameter, property }];
  });
  const isRead = filters.every(
    ({ value, parameter }) => parameter.schema.validate(value).length === 0,
  );
  if (!isLawful || !isRead) return undefined;
  const sights = items.flatMap((item) => sightOf(shown, item, resource) ?? []);
  const size = shown.json.length;
  const [filter] = filters;
  const isPaged = shown.hintsAtMore;
  return {
    shown,
    sights,
    size,
    limit,
    isDefault: text === null,
    filter: filter && [filter.property, filter.value, filter.parameter.name],
    isPaged,
    isWhole: size < limit && sights.length === size && !isPaged,
  };
}

/** An addition is answered as it was sent, under an identifier of its own. */
function* contradictAddition(
  { shown, id, item }: Sight,
  additions: readonly Sight[],
  lists: readonly List[],
  { idProperty, item: node }: Resource,
): Contradictions {
  const { operation, index, sent, group } = shown;
  const twin = additions.find((each) => each.id === id && each.shown.index < index);
  const earlier = lists.find((list) => isBefore(list.shown, shown) && holds(list, id));
  if (twin !== undefined || earlier !== undefined)
    yield [requirementId.state(operation.id, 'id-unique'), index, `${id} again`];
  if (twin !== undefined && group !== undefined && twin.shown.group === group)
    yield [requirementId.concurrency(operation.id, 'unique'), index, `${id} twice`];
  if (!isJsonObject(sent)) return;
  const wish = sent[idProperty];
  if (wish !== undefined && plain(wish) === id)
    yield [requirementId.state(operation.id, 'id-assigned'), index, id];
  if (!isValidAddition(shown)) return;
  for (const name of node.shape().properties.keys()) {
    const [one, other] = [sent[name], item[name]];
    const isKept = one === undefined || (other !== undefined && comesBack(one, other));
    if (name !== idProperty && !isKept)
      yield [requirementId.state(operation.id, `echo.${name}`), index, plain(other ?? null)];
  }
}

function isValidAddition({ operation, sent, credential }: Shown): boolean {
  const schema = operation.requestBody?.content[0]?.schema;
  return credential === 'valid' && sent !== undefined && schema?.validate(sent).length === 0;
}

/**
 * A later sight of what this log added is what was sent, or what was answered then. `isShown`: lists
 * may leave members out.
 */
function* contradictRead(
  { shown, id, item }: Sight,
  own: readonly Sight[],
  { idProperty, item: node }: Resource,
  isShown: (name: string) => boolean,
): Contradictions {
  const addition = own.find((each) => each.id === id && isBefore(each.shown, shown));
  if (addition === undefined || !isJsonObject(addition.shown.sent)) return;
  const { sent } = addition.shown;
  for (const [name, schema] of node.shape().properties) {
    const told = [sent[name], addition.item[name]].filter((value) => value !== undefined);
    const values = told.filter((value) => schema.validate(value).length === 0);
    const value = item[name];
    const isKept = values.some((each) => value !== undefined && comesBack(each, value));
    if (name !== idProperty && values.length > 0 && !isKept && isShown(name))
      yield [
        requirementId.state(shown.operation.id, `read.${name}`),
        shown.index,
        plain(value ?? null),
      ];
  }
}

function* contradictList(
  list: List,
  lists: readonly List[],
  own: readonly Sight[],
  resource: Resource,
): Contradictions {
  const { shown, sights, size, limit, isDefault, filter, isWhole } = list;
  const { index, operation } = shown;
  const ids = new Set(sights.map(({ id }) => id));
  const of = (name: string, facet: 'bound' | 'default' | 'filled' | 'filter'): string =>
    requirementId.parameter(operation.id, name, facet);
  const limitName = resource.limit?.parameter.name ?? '';
  if (ids.size < sights.length)
    yield [requirementId.state(operation.id, 'distinct'), index, `${ids.size} of ${sights.length}`];
  if (size > limit) yield [of(limitName, isDefault ? 'default' : 'bound'), index, `${size} items`];
  const [property = '', wanted = '', parameter = ''] = filter ?? [];
  const before = own.filter((addition) => isBefore(addition.shown, shown));
  if (filter !== undefined)
    for (const { id, item } of sights) {
      const known = item[property] ?? before.find((each) => each.id === id)?.item[property];
      if (known !== undefined && plain(known) !== wanted)
        yield [of(parameter, 'filter'), index, plain(known)];
    }
  const changed = new Set(
    lists.flatMap((each) =>
      each.sights.filter(({ item }) => item[property] !== wanted).map(({ id }) => id),
    ),
  );
  const fits = ({ id, item }: Sight): boolean =>
    filter === undefined || (item[property] === wanted && !changed.has(id));
  const expected = before.filter(fits);
  for (const {
    id,
    shown: { group, operation: create },
  } of isWhole ? expected : []) {
    if (ids.has(id)) continue;
    if (filter !== undefined) yield [of(parameter, 'filter'), index, `without ${id}`];
    else {
      yield [requirementId.state(operation.id, 'listed'), index, `without ${id}`];
      if (group !== undefined)
        yield [requirementId.concurrency(create.id, 'stored'), index, `without ${id}`];
    }
  }
  const seen = lists.filter((each) => isBefore(each.shown, shown)).flatMap((each) => each.sights);
  const all = new Set([...seen, ...expected].filter(fits).map(({ id }) => id));
  const isShort = !list.isPaged && size < Math.min(limit, all.size);
  if (isShort && filter !== undefined)
    yield [of(parameter, 'filter'), index, `${size} of ${all.size}`];
  if (isShort && filter === undefined && isDefault)
    yield [of(limitName, 'default'), index, `${size} of ${all.size}`];
  if (isShort && filter === undefined && !isDefault)
    yield [of(limitName, 'filled'), index, `${size} of ${all.size}`];
}

/** Nothing of a refused body is ever seen; what was found once is found again. */
function* contradictStored(
  of: readonly Shown[],
  additions: readonly Sight[],
  lists: readonly List[],
  { create }: Resource,
): Contradictions {
  const refused = of.filter(
    ({ operation, status }) => operation.id === create?.id && (status === 400 || status === 401),
  );
  for (const { index, status = 0, sent, operation } of refused) {
    const mark = Object.entries(isJsonObject(sent) ? sent : {}).find(
      ([, value]) => typeof value === 'string' && value.length >= 10,
    );
    if (mark === undefined) continue;
    const [name, value] = mark;
    const isTaken = additions.some(
      ({ shown }) => isJsonObject(shown.sent) && shown.sent[name] === value,
    );
    const showing = lists.filter(({ sights }) => sights.some(({ item }) => item[name] === value));
    const found = showing.find(({ shown }) => shown.index > index);
    const isOlder = showing.some(({ shown }) => shown.index < index);
    if (!isTaken && !isOlder && found !== undefined)
      yield [
        requirementId.state(operation.id, `not-written.${status}`),
        found.shown.index,
        plain(value ?? null),
      ];
  }
}

/** The same value; white space at the ends of a text is another requirement's. */
function comesBack(one: JsonValue, other: JsonValue): boolean {
  return jsonEquals(trim(one), trim(other));
}

function trim(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value.replaceAll(/^[\s\0]+|[\s\0]+$/g, '') : value;
}
