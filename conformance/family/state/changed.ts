import { isJsonObject } from '../../../contract/json/value.ts';
import { requirementId } from '../../judge/trace/requirement.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { filterId, isBefore, type Collection } from '../../judge/trace/collection.ts';
import { failed, passed, type Finding } from '../../judge/trace/finding.ts';
import { memberComesBack, memberNames, ownMembers, type Item } from '../../judge/trace/item.ts';
import {
  causeOfLoss,
  isWrittenBy,
  memberKey,
  notWrittenId,
  periodsOf,
  sightsOf,
  witnessesOf,
  type Look,
  type Period,
  type Sight,
} from '../../judge/trace/model.ts';
import type { Reading } from '../../judge/trace/trace.ts';
import { describeResponse, quote } from '../../judge/trace/words.ts';

/** Judges later responses about items that were replaced, updated or removed, or nearly so. */
export function* judgeChanged(collection: Collection): Generator<Finding> {
  for (const period of periodsOf(collection)) {
    yield* judgeRemoved(period, collection);
    yield* judgeMembers(period, collection);
    yield* judgeRefused(period, collection);
    yield* judgeMissing(period, collection);
  }
}

/** Shown by all later responses, it was not removed; shown by some, those are at fault. */
function* judgeRemoved(period: Period, { resource, trace }: Collection): Generator<Finding> {
  const looks = period.filter(({ state }) => state.kind === 'removed');
  const removed = requirementId.state(resource.remove?.id ?? '', 'removed');
  const isGone = looks.some(({ item }) => item === undefined);
  for (const { reading, item, isSingle, state } of looks) {
    const { index } = reading;
    const absent = requirementId.status(reading.operation.id, 404);
    if (item === undefined) {
      yield passed(removed, index);
      if (isSingle) yield passed(absent, index);
      continue;
    }
    const expected = 'no trace of an item that was removed';
    const id = isSingle && isGone && trace.requirements.has(absent) ? absent : removed;
    yield failed(id, index, expected, quote(item.members), [state.by.index]);
  }
}

/** A member that no later response shows as it has to be was not stored; else those are at fault. */
function* judgeMembers(period: Period, collection: Collection): Generator<Finding> {
  const { liars, unstored } = witnessesOf(collection);
  const { resource, trace } = collection;
  const own = ownMembers(trace.contract)(resource);
  const described = new Set(memberNames(resource)).difference(own);
  const spoilt = new Set(period.filter((look) => writersOf(look, collection).length > 0));
  // What the document gives no item need not be in one.
  const all = period
    .flatMap((look) => sightsOf(look, resource))
    .filter(({ name }) => described.has(name));
  for (const sights of Map.groupBy(all, ({ name }) => name).values()) {
    const isShown = sights.some(({ isKept }) => isKept);
    for (const sight of sights) {
      const { look, state, name, known, received, isKept } = sight;
      const { by, act } = state;
      const read = requirementId.state(look.reading.operation.id, `read.${name}`);
      const { index } = look.reading;
      const change = changeId(sight);
      if (isKept) {
        yield passed(read, index);
        if (change !== undefined) yield passed(change, index);
        continue;
      }
      const isOlder = known.setBy !== by && unstored.has(memberKey(known.setBy, name));
      if (spoilt.has(look) || isOlder) continue;
      const isLiar = isShown || liars.has(read);
      const expected = `\`${name}\` ${quote(known.values[0])}${act === 'create' ? '' : ', as it was changed'}`;
      const shown = `\`${name}\` ${quote(received)}`;
      const id = isLiar ? read : (change ?? read);
      yield failed(id, index, expected, shown, [by.index]);
    }
  }
}

/** What the last change of an item has to do with a member; undefined after an addition. */
function changeId({ state: { act, by }, known }: Sight): string | undefined {
  const { id } = by.operation;
  if (act === 'create') return undefined;
  if (act === 'update' && known.setBy !== by) return requirementId.state(id, 'others-kept');
  return by.isAlone ? requirementId.state(id, 'stored') : requirementId.concurrency(id, 'stored');
}

/** The members of one look as one refused request left them, and the requirement that it breaks. */
interface Written {
  readonly sights: readonly Sight[];
  readonly writer: Reading;
  readonly id: string;
}

/** The refused request that explains most of what a look shows; none where nothing is wrong. */
function writersOf(look: Look, { trace, resource }: Collection): readonly Written[] {
  const { state } = look;
  if (state.kind !== 'there') return [];
  const wrong = sightsOf(look, resource).filter(({ isKept }) => !isKept);
  const written = state.refused.flatMap((writer) => {
    const id = notWrittenId(writer, trace);
    const sights = wrong.filter(({ name, received }) => isWrittenBy(writer, name, received));
    return id === undefined || sights.length === 0 ? [] : [{ writer, sights, id }];
  });
  return written.toSorted((a, b) => b.sights.length - a.sights.length).slice(0, 1);
}

/** Nothing that a refused request sent is shown later, and what it wanted to remove is. */
function* judgeRefused(period: Period, collection: Collection): Generator<Finding> {
  for (const look of period) {
    const { item, state, reading } = look;
    if (state.kind !== 'there' || item === undefined) continue;
    const { index } = reading;
    const { resource } = collection;
    const written = writersOf(look, collection);
    for (const { sights, writer, id } of written) {
      const expected = `no trace of the body that was rejected with ${writer.status}`;
      const shown = sights.map(({ name, received }) => `\`${name}\` ${quote(received)}`).join(', ');
      yield failed(id, index, expected, shown, [writer.index]);
    }
    for (const refused of state.refused) {
      const id = notWrittenId(refused, collection.trace);
      const isWritten = written.some(({ writer }) => writer === refused);
      if (id !== undefined && !isWritten && wouldShow(refused, look, item, resource))
        yield passed(id, index);
    }
  }
}

/** A removal, or a body with another value in a member that is shown as it was. */
function wouldShow(
  { operation, sent }: Reading,
  { state }: Look,
  item: Item,
  resource: Resource,
): boolean {
  if (operation.method === 'DELETE') return true;
  if (!isJsonObject(sent) || state.kind !== 'there') return false;
  return Object.entries(sent).some(([name, value]) => {
    const known = state.members.get(name)?.values ?? [];
    const isKept = known.some((each) => memberComesBack(resource, name, each, item.members[name]));
    return isKept && !known.some((each) => memberComesBack(resource, name, each, value));
  });
}

/** An item that has to be there is not; what a single read lacks for no such cause, intents tell. */
function* judgeMissing(period: Period, collection: Collection): Generator<Finding> {
  const { resource } = collection;
  const listed = requirementId.state(resource.list.id, 'listed');
  for (const look of period) {
    const { state, item, isSingle, reading, filters } = look;
    if (state.kind !== 'there') continue;
    const { index } = reading;
    if (item !== undefined) {
      const { operation } = state.by;
      if (state.act !== 'create') yield passed(requirementId.state(operation.id, 'id-kept'), index);
      if (!isSingle) yield passed(listed, index);
      const isAfterRemoval = collection
        .of(resource.remove)
        .some((each) => each.succeeded && isBefore(each.exchange, reading.exchange));
      if (!isSingle && isAfterRemoval)
        yield passed(requirementId.state(resource.remove?.id ?? '', 'others-kept'), index);
      continue;
    }
    const [filter] = filters;
    const usual = filter === undefined ? listed : filterId(resource, filter);
    const loss = filter === undefined ? causeOfLoss(look, period, collection) : undefined;
    if (
      filter === undefined ? isSingle && loss === undefined : !isShownWith(filter, period, resource)
    )
      continue;
    const where = isSingle
      ? describeResponse(reading.response)
      : 'a list with room for it, without it';
    const expected = `the item ${look.id}${filter === undefined ? '' : `, which passes the filter by ${filter}`}`;
    yield failed(loss ?? usual, index, expected, where, [state.by.index]);
  }
}

/** Whether a response showed a member as it has to be. */
function isShownWith(member: string, period: Period, resource: Resource): boolean {
  return period
    .flatMap((look) => sightsOf(look, resource))
    .some(({ name, isKept }) => name === member && isKept);
}
