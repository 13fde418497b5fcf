import {
  type JsonValue,
  type Operation,
  isJsonArray,
  isJsonObject,
  jsonEquals,
} from '../../../contract/index.ts';
import { renderIssues } from '../../http/issue-message.ts';
import { essence } from '../../http/media-type.ts';
import { headerText } from '../../http/message.ts';
import {
  documentedStatuses,
  documentsAbsence,
  tellAdded,
} from '../../operation/response/documented.ts';
import type { Action, Call, Input, Outcome } from '../../operation/response/outcome.ts';
import { refuse } from '../../operation/response/refusal.ts';
import type { Entity } from '../../store/entities/entity.ts';
import { mergePatch } from '../../store/merge-patch.ts';
import type { InferredCollection } from '../collection.ts';
import { valueAt } from '../view/place.ts';
import { JsonPatchError, changedMembers, isJsonPatch, patchJson } from './json-patch.ts';
import { idsShown } from '../view/ids.ts';
import { sentMembers, unsentMembers } from './sent.ts';
import { compileShow } from './show.ts';

type Change = (entity: Entity, input: Input, call: Call) => Entity;

/** Changes an item: PUT replaces it, anything else updates it; PUT and POST may make one that is not there. */
export function compileInferredChange(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): Action {
  const { resource } = collection;
  const show = compileShow(collection, operation, otherwise);
  const shown = collection.viewOf(operation);
  const isReplacement = collection.roleOf(operation) === 'replace';
  const change: Change = isReplacement
    ? (entity, input) => {
        const members = sentMembers(resource, operation, input.body);
        return { ...entity, members, absent: unsentMembers(resource, operation, members) };
      }
    : (entity, input, call) => update(collection, operation, entity, { input, call });
  const documented = documentedStatuses(operation);
  const isTold = documentsAbsence(operation);
  const creates =
    (isReplacement || operation.method === 'POST') &&
    (collection.operationOf('create') === undefined || documented.has(201));
  const act: Action = (input, call) => {
    const partition = collection.partition(call);
    const known = collection.find(call);
    const name = collection.nameIn(call);
    // An item that nobody knows is made up where the document has no response for that.
    const isMadeUp = creates || (!isTold && !partition.isRemoved(name));
    const old =
      known ?? (isMadeUp ? { ...collection.create({}, call, operation), key: name } : undefined);
    if (old === undefined) return collection.missing(operation, call);
    const entity = { ...change(old, input, call), changedAt: call.now };
    const body = shown?.show(entity);
    partition.put(entity, body === undefined ? [] : idsShown(resource, body));
    const outcome = show(entity, input, call);
    return creates ? tellAdded(operation, outcome, known === undefined) : outcome;
  };
  return (input, call): Outcome => {
    try {
      return act(input, call);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      const reason = error.isConflict && documented.has(409) ? 'conflict' : 'invalid_body';
      return refuse(reason, error.message, { documented });
    }
  };
}

function update(
  collection: InferredCollection,
  operation: Operation,
  entity: Entity,
  { input: { body }, call }: { readonly input: Input; readonly call: Call },
): Entity {
  const type = essence(headerText(call.request.headers, 'content-type') ?? '');
  const isPatch = type === 'application/json-patch+json' && isJsonArray(body);
  if (isPatch || isJsonPatch(body)) return patch(collection, entity, body);
  const sent = sentMembers(collection.resource, operation, body);
  const gone = Object.keys(sent).filter((name) => sent[name] === null);
  const absent = new Set([...entity.absent, ...gone].filter((name) => sent[name] == null));
  const nulls = Object.fromEntries(gone.map((name) => [name, null]));
  return { ...entity, members: { ...mergePatch(entity.members, sent), ...nulls }, absent };
}

/** A JSON Patch is of what GET of the item shows. */
function patch(collection: InferredCollection, entity: Entity, body: readonly JsonValue[]): Entity {
  const get = collection.operationOf('get');
  const place = get === undefined ? [] : (collection.resource.success(get).view?.place ?? []);
  const whole = get === undefined ? undefined : collection.viewOf(get)?.show(entity);
  const found = valueAt(whole, place);
  const before = isJsonObject(found) ? found : entity.members;
  const after = patchJson(before, body);
  const view = get && collection.resource.success(get).view;
  const issues = view === undefined || place.length > 0 ? [] : view.item.validate(after);
  if (!isJsonObject(after) || issues.length > 0)
    throw new JsonPatchError(
      `The JSON Patch makes the item invalid: ${issues.length > 0 ? renderIssues(issues) : 'it must be an object'}`,
      true,
    );
  const id = view?.idMember;
  if (id !== undefined && !jsonEquals(before[id] ?? null, after[id] ?? null))
    throw new JsonPatchError(`The JSON Patch changes ${id}, which names the item.`, true);
  const { members, gone } = changedMembers(before, after);
  const absent = new Set(
    [...entity.absent, ...gone].filter((name) => !Object.hasOwn(members, name)),
  );
  const kept = Object.entries({ ...entity.members, ...members }).filter(
    ([name]) => !absent.has(name),
  );
  return { ...entity, members: Object.fromEntries(kept), absent };
}
