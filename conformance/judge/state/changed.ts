import { isJsonObject, requirementId, type Resource } from '../../../contract/index.ts';
import { failed, passed, type Finding } from '../trace/finding.ts';
import { filterId } from '../trace/listing.ts';
import { comesBack, type Item } from '../trace/item.ts';
import {
  periodsOf,
  refusedWriter,
  sightsOf,
  type Look,
  type Period,
  type Sight,
} from '../trace/look.ts';
import { causeOfLoss, notWrittenId } from '../trace/missing-item.ts';
import type { Reading, Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';

/** Judges later responses about items that were replaced, updated or removed, or nearly so. */
export function* judgeChanged(trace: Trace): Generator<Finding> {
  for (const resource of trace.contract.resources) {
    for (const period of periodsOf(trace, resource)) {
      yield* judgeRemoved(period, resource);
      yield* judgeMembers(period, trace);
      yield* judgeRefused(period, trace);
      yield* judgeMissing(period, resource, trace);
    }
  }
}

/** Shown by all later responses, it was not removed; shown by some, those are at fault. */
function* judgeRemoved(period: Period, resource: Resource): Generator<Finding> {
  const looks = period.filter(({ state }) => state.kind === 'removed');
  const removed = requirementId.state(resource.remove?.id ?? '', 'removed');
  const isGone = looks.some(({ item }) => item === undefined);
  for (const { reading, item, isGet, state } of looks) {
    const { index } = reading.exchange;
    const absent = requirementId.status(reading.operation.id, 404);
    if (item === undefined) {
      yield passed(removed, index);
      if (isGet) yield passed(absent, index);
      continue;
    }
    const expected = 'nothing of an item that was removed';
    const id = isGet && isGone ? absent : removed;
    yield failed(id, index, expected, quote(item.members), [state.by.exchange.index]);
  }
}

/** A member that no later response shows as it has to be was not stored; else those are at fault. */
function* judgeMembers(period: Period, trace: Trace): Generator<Finding> {
  const spoilt = new Set(period.filter((look) => writersOf(look, trace).length > 0));
  const all = period.flatMap(sightsOf);
  for (const sights of Map.groupBy(all, ({ name }) => name).values()) {
    const isShown = sights.some(({ isKept }) => isKept);
    for (const sight of sights) {
      const { look, state, name, known, received, isKept } = sight;
      if (!isKept && spoilt.has(look)) continue;
      const read = requirementId.state(look.reading.operation.id, `read.${name}`);
      const { index } = look.reading.exchange;
      const change = changeId(sight);
      if (isKept) {
        yield passed(read, index);
        if (change !== undefined) yield passed(change, index);
        continue;
      }
      const id = isShown ? read : (change ?? read);
      const expected = `\`${name}\` ${quote(known.values[0])}${state.act === 'create' ? '' : ', as it was changed'}`;
      const shown = `\`${name}\` ${quote(received)}`;
      yield failed(id, index, expected, shown, [state.by.exchange.index]);
    }
  }
}

/** What the last change of an item has to do with a member; undefined after an addition. */
function changeId({ state: { act, by }, known }: Sight): string | undefined {
  const { id } = by.operation;
  if (act === 'create') return undefined;
  if (act === 'update' && !known.isSent) return requirementId.state(id, 'others-kept');
  return by.exchange.group === undefined
    ? requirementId.state(id, 'stored')
    : requirementId.concurrency(id, 'stored');
}

/** A member as a refused request left it, and the requirement that it breaks. */
interface Written {
  readonly sight: Sight;
  readonly writer: Reading;
  readonly id: string;
}

function writersOf(look: Look, { contract }: Trace): readonly Written[] {
  return sightsOf(look).flatMap((sight) => {
    const { isKept, state, name, received } = sight;
    const writer = isKept ? undefined : refusedWriter(state, name, received);
    const id = writer && notWrittenId(writer, contract);
    return writer === undefined || id === undefined ? [] : [{ sight, writer, id }];
  });
}

/** Nothing that a refused request sent is shown later, and what it wanted to remove is. */
function* judgeRefused(period: Period, trace: Trace): Generator<Finding> {
  for (const look of period) {
    const { item, state, reading } = look;
    if (state.kind !== 'there' || item === undefined) continue;
    const { index } = reading.exchange;
    const written = writersOf(look, trace);
    for (const { sight, writer, id } of written) {
      const expected = `nothing of the body that was answered ${writer.response.status}`;
      const shown = `\`${sight.name}\` ${quote(sight.received)}`;
      yield failed(id, index, expected, shown, [writer.exchange.index]);
    }
    for (const refused of state.refused) {
      const id = notWrittenId(refused, trace.contract);
      const isWritten = written.some(({ writer }) => writer === refused);
      if (id !== undefined && !isWritten && wouldShow(refused, look, item)) yield passed(id, index);
    }
  }
}

/** A removal, or a body with another value in a member that is shown as it was. */
function wouldShow({ operation, sent }: Reading, { state }: Look, item: Item): boolean {
  if (operation.method === 'DELETE') return true;
  if (!isJsonObject(sent) || state.kind !== 'there') return false;
  return Object.entries(sent).some(([name, value]) => {
    const known = state.members.get(name)?.values ?? [];
    const isKept = known.some((each) => comesBack(each, item.members[name]));
    return isKept && !known.some((each) => comesBack(each, value));
  });
}

/** An item that has to be there is not in a list with room; what a single read lacks, intents tell. */
function* judgeMissing(period: Period, resource: Resource, trace: Trace): Generator<Finding> {
  for (const look of period) {
    const { state, item, isGet, reading } = look;
    if (state.kind !== 'there' || isGet) continue;
    const listed = requirementId.state(resource.list.id, 'listed');
    const { index } = reading.exchange;
    if (item !== undefined) {
      if (state.act === 'create') yield passed(listed, index);
      continue;
    }
    const isShown = period.some((each) => each.item !== undefined);
    const [filter] = look.filters;
    if (filter !== undefined && !isShown) continue;
    const id =
      filter === undefined
        ? (causeOfLoss(look, period, resource, trace.contract) ?? listed)
        : filterId(resource, filter);
    const expected = `the item ${look.id}${filter === undefined ? '' : `, which passes the filter by ${filter}`}`;
    yield failed(id, index, expected, 'a list without it, with room for more', [
      state.by.exchange.index,
    ]);
  }
}
