import { valueAt } from '../../../contract/json/place.ts';
import { renderPointer } from '../../../contract/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Contract } from '../../../contract/contract.ts';
import { essence, memberContent } from '../../../contract/openapi/media-type.ts';
import { openMember } from '../../../contract/openapi/open-question.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { schemaAt } from '../../../contract/resource/item-view.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { isBodyCut } from '../../judge/trace/cut.ts';
import { failed, judged, passed, unclear, type Finding } from '../../judge/trace/finding.ts';
import { comesBack, isOneWay, isSame, isShownAsSent } from '../../judge/trace/item.ts';
import { exactMembers, isMarked } from '../../judge/trace/model.ts';
import { type Drafts, draftsOf, requirementId } from '../../judge/trace/requirement.ts';
import type { Reading, Trace } from '../../judge/trace/trace.ts';
import { describeResponse, quote } from '../../judge/trace/words.ts';
import { once } from '../../../contract/memo/once.ts';
import { headerOf } from '../../transport/exchange.ts';
import { writes } from '../../transport/target.ts';

/** An operation that changes the one item of a path, such as `/settings`, and the GET that shows it. */
export interface SingleChange extends Presence {
  /** Members from the body of a request to the item. */
  readonly sentPlace: readonly string[];
  /** Members from the body of the response to GET to the item. */
  readonly shownPlace: readonly string[];
  /** The members that requests set and responses show, with their schemas in responses. */
  readonly members: ReadonlyMap<string, SchemaNode>;
  /**
   * Responses have members that requests cannot set, so the document distinguishes the two, and
   * each member that can be sent must be stored. Otherwise only the service may set some of them,
   * such as a creation time; then changes are certainly lost only if nothing that was sent is ever
   * stored.
   */
  readonly isPrecise: boolean;
}

export const listSingleChanges = once((contract: Contract): readonly SingleChange[] => {
  const open = new Set(contract.openQuestions.map(openMember));
  return contract.inferredResources.flatMap((resource) => {
    if (!resource.isSingle) return [];
    const there = operationsByPath(contract).get(resource.path) ?? [];
    const get = there.find(({ method }) => method === 'GET');
    const view = get && resource.viewOf(get);
    if (get === undefined || view?.isSure !== true) return [];
    return there.flatMap((change): readonly SingleChange[] => {
      const sentPlace = resource.sentPlace(change);
      const schema = memberContent(change)?.schema;
      const sent = schemaAt(schema, sentPlace)?.shape().properties;
      if (!['PUT', 'PATCH'].includes(change.method) || sent === undefined) return [];
      const shown = [...view.item.shape().properties];
      const isPrecise = shown.some(([name, node]) => isOneWay(node) || !sent.has(name));
      const members = new Map(
        shown.filter(([name, node]) => {
          const own = open.has(name) ? undefined : sent.get(name);
          return own !== undefined && isShownAsSent(own, node, change);
        }),
      );
      if (members.size === 0) return [];
      return [{ change, get, sentPlace, shownPlace: view.place, members, isPrecise }];
    });
  });
});

const operationsByPath = once(({ operations }: Contract) =>
  Map.groupBy(operations, ({ path }) => path),
);

/** A PUT or DELETE outside of resources, such as of a membership, and the GET of the same path. */
interface Presence {
  readonly change: Operation;
  readonly get: Operation;
}

export const listPresences = once((contract: Contract): readonly Presence[] => {
  const { operations, resources } = contract;
  const known = new Set(resources.flatMap(({ replace, remove }) => [replace, remove]));
  return operations.flatMap((change): readonly Presence[] => {
    if (!['PUT', 'DELETE'].includes(change.method) || known.has(change)) return [];
    const there = operationsByPath(contract).get(change.path);
    const get = there?.find(({ method }) => method === 'GET');
    const isTold = get?.responses.some(({ status }) => status === '404') === true;
    // Beside a POST, it may cancel a request, and not undo what was done: `/pulls/{id}/merge`.
    const isUndone = there?.some(({ method }) => method === 'POST') === false;
    const isJudged = change.method === 'PUT' || (get && isUndone && isOnlyCheck(get));
    return get && isTold && isJudged ? [{ change, get }] : [];
  });
});

/**
 * Whether a GET only says if something is there, with 204 or 404, as of a membership. After a DELETE
 * of other things, it may return defaults or an empty list.
 */
function isOnlyCheck({ responses }: Operation): boolean {
  return responses.every(({ status }) => !status.startsWith('2') || status === '204');
}

export function* listSingleState(contract: Contract): Drafts {
  for (const { change, get } of listPresences(contract)) {
    const isPut = change.method === 'PUT';
    const finds = `${get.id} ${isPut ? 'finds' : 'returns 404 for'} what ${change.id}`;
    const facet = isPut ? 'stored' : 'removed';
    yield draftsOf(change)(
      { kind: 'state', facet },
      `${finds} ${isPut ? 'put' : 'removed'} there.`,
    );
  }
  for (const { change } of listSingleChanges(contract)) {
    const sentence = `Later responses show what ${change.id} changed as it was sent.`;
    yield draftsOf(change)({ kind: 'state', facet: 'stored' }, sentence);
  }
}

/** Judges that a GET finds what the last request to its path put there, and not what that removed. */
export function* judgePresence(trace: Trace): Generator<Finding> {
  for (const { reading, by } of followWrites(trace, listPresences(trace.contract))) {
    if (by === undefined || !reading.hasKey) continue;
    const { index, status, item } = reading;
    const isPut = by.operation.method === 'PUT';
    const id = requirementId.state(by.operation.id, isPut ? 'stored' : 'removed');
    const isGone = status === 404 || status === 410;
    if (!isGone && (status >= 300 || (!isPut && isMarked(item ?? {})))) continue;
    const expected = isPut ? 'what was put there' : '404, because it was removed';
    const received = describeResponse(reading.response);
    const isKept = isGone !== isPut && (isGone || hasFile(by, reading) !== false);
    yield judged(isKept, id, index, expected, received, [by.index]);
  }
}

/** Whether a response is the text or file that was put there; undefined for any other media type. */
function hasFile({ exchange: { request } }: Reading, { response }: Reading): boolean | undefined {
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const types = [type, headerOf(response, 'content-type') ?? ''].map(essence);
  const isFile = types.every((one) => one === types[0] && files.test(one)) && response.utf8;
  return isFile ? response.body === request.body : undefined;
}

/** Media types whose bodies services keep as they are. */
const files = /^(?:application\/octet-stream|text\/plain)$/;

/**
 * Judges that the item of a path is shown as it was changed. Others may change it too, so a member
 * that was shown once as it was sent does not fail.
 */
export function* judgeSingles(trace: Trace): Generator<Finding> {
  const byChange = Map.groupBy(listObservations(trace), ({ single }) => single);
  for (const [{ change, shownPlace, isPrecise }, observations] of byChange) {
    const id = requirementId.state(change.id, 'stored');
    const all = (how: 'kept' | 'same' | 'wrong'): ReadonlySet<string> =>
      new Set(observations.flatMap((seen) => seen[how]));
    const kept = all('kept');
    // Nothing that was sent was ever stored.
    const isLost = kept.size === 0 && all('same').isSubsetOf(all('wrong'));
    for (const { reading, by, item, sent, ...seen } of observations) {
      const { index } = reading;
      const name = seen.wrong.find((each) => !kept.has(each));
      if (seen.wrong.length === 0 || (!isPrecise && seen.kept.length > 0)) yield passed(id, index);
      else if (name === undefined || !(isPrecise || isLost))
        yield unclear(id, index, `\`${seen.wrong[0]}\` is not as it was sent here`);
      else {
        const expected = `\`${name}\` ${quote(sent[name])}, as it was changed`;
        const at = renderPointer([...shownPlace, name]);
        yield failed(id, index, expected, `\`${name}\` ${quote(item[name])}`, [by.index], { at });
      }
    }
  }
}

/** A GET after a change, with no other request that writes between the two. */
interface Observation {
  readonly single: SingleChange;
  readonly by: Reading;
  readonly reading: Reading;
  readonly sent: JsonObject;
  readonly item: JsonObject;
  /** The members that are shown as they were sent, and were shown with another value before. */
  readonly kept: string[];
  /** Those that are shown as they were sent, and may have been so before. */
  readonly same: string[];
  readonly wrong: string[];
}

function* listObservations(trace: Trace): Generator<Observation> {
  /** The items as they were shown last, by the target of the request. */
  const shown = new Map<string, JsonObject>();
  const singles = listSingleChanges(trace.contract);
  for (const { reading, by, pair: single } of followWrites(trace, singles)) {
    const { target } = reading.exchange.request;
    const item = valueAt(reading.json, single.shownPlace);
    if (!isClear(reading) || !isJsonObject(item)) continue;
    const before = shown.get(target);
    shown.set(target, item);
    if (by === undefined) continue;
    const body = valueAt(by.sent, single.sentPlace);
    const sent = isJsonObject(body) ? exactMembers(body) : {};
    const seen: Observation = { single, by, reading, sent, item, kept: [], same: [], wrong: [] };
    for (const [name, node] of single.members) {
      const received = item[name];
      const isFit = (value: JsonValue | undefined): boolean =>
        value === undefined || node.isValid(value);
      // What does not fit its schema is judged as a body, and what was sent may not fit that of responses.
      if (!Object.hasOwn(sent, name) || !isFit(received) || !isFit(sent[name])) continue;
      const isSet = before !== undefined && !isSame(before[name], sent[name], node);
      const isShown = comesBack(sent[name], received, node);
      seen[isShown ? (isSet ? 'kept' : 'same') : 'wrong'].push(name);
    }
    if (seen.kept.length + seen.wrong.length > 0) yield seen;
  }
}

/**
 * The responses to each GET, with the last request that writes if it is the change of a pair, had
 * the same target, and its effect is clear.
 */
function* followWrites<Pair extends Presence>(
  { exchanges, readings }: Trace,
  pairs: readonly Pair[],
) {
  if (pairs.length === 0) return;
  const answered = new Map(readings.map((reading) => [reading.exchange, reading]));
  let last: Reading | undefined;
  for (const exchange of exchanges) {
    const reading = answered.get(exchange);
    if (writes(exchange.request)) last = reading;
    const isSame = last?.exchange.request.target === exchange.request.target && isClear(last);
    const ofGet = pairs.filter(({ get }) => get === reading?.operation);
    const own = isSame ? ofGet.find(({ change }) => change === last?.operation) : undefined;
    const pair = own ?? ofGet[0];
    if (reading && pair) yield { reading, pair, by: own && last };
  }
}

/** A valid request with the key that was served at once, beside no other. */
function isClear(reading: Reading): boolean {
  const { isServed, isAlone, hasKey, status } = reading;
  return isServed && isAlone && hasKey && status < 300 && status !== 202 && !isBodyCut(reading);
}
