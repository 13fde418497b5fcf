import { isJsonPatch } from '../../../contract/json/json-patch.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { jsonContent } from '../../../contract/openapi/media-type.ts';
import { renderIssues } from '../../http/issue-message.ts';
import { essence } from '../../http/media-type.ts';
import { headerText } from '../../http/message.ts';
import { documentedStatuses, documentsAbsence } from '../../operation/response/documented.ts';
import {
  type Action,
  type Call,
  type Input,
  type Outcome,
  success,
} from '../../operation/response/outcome.ts';
import { isRefusal, refuse } from '../../operation/response/refusal.ts';
import type { Collection } from '../collection.ts';
import { type OpenItem, openItem } from '../store/item.ts';
import { valueAt } from '../../../contract/json/place.ts';
import { JsonPatchError, changedMembers, patchJson } from './json-patch.ts';
import { withStatus } from '../view/item-view.ts';
import { mergePatch } from './merge-patch.ts';
import { compileSettle } from './settle.ts';
import { compileShow } from './show.ts';

/** Changes an item: PUT replaces it, anything else updates it; PUT and POST may make one that is not there. */
export function compileChange(
  collection: Collection,
  operation: Operation,
  otherwise: Action,
): Action {
  const { resource } = collection;
  const show = compileShow(collection, operation, otherwise);
  const isReplacement = collection.roleOf(operation) === 'replace';
  const settle = compileSettle(collection, operation);
  const documented = documentedStatuses(operation);
  const isTold = documentsAbsence(operation);
  const creates =
    (isReplacement || operation.method === 'POST') &&
    (collection.operationOf('create') === undefined || documented.has(201));
  const act: Action = (input, call) => {
    const known = collection.find(operation, call, input);
    const name = collection.nameIn(call, input);
    // An item that nobody knows is created where the document has no response for that.
    if (known === undefined && isTold && !creates)
      return collection.missing(operation, call, input);
    const old = known === undefined ? collection.blank(call, name) : openItem(known);
    const patch = isReplacement ? undefined : jsonPatchIn(input, call);
    const [sent = {}] = patch === undefined ? collection.sentIn(operation, input.body) : [];
    const changed =
      patch !== undefined
        ? patchItem(collection, old, patch, call)
        : isReplacement && operation.requestBody !== undefined
          ? collection.replace(old, sent, operation)
          : mergeItem(old, collection.changesIn(sent));
    const item = collection.change(changed, sent, call, operation);
    if (isRefusal(item)) return item;
    collection.put(settle(item, call), operation, call);
    const outcome = show(item, input, call);
    const isEnvelope = (resource.viewOf(operation)?.place.length ?? 0) > 0;
    return tellAdded(operation, outcome, known === undefined, isEnvelope);
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

/**
 * The response of an operation that adds an item or changes one, as PUT does, where it documents 201
 * beside 200 or 204: 201 for an added item only (RFC 9110 section 9.3.4), in its envelope too. Where its
 * body would break the schema of that status, the response stays as it is.
 */
function tellAdded(
  operation: Operation,
  outcome: Outcome,
  isAdded: boolean,
  isEnvelope: boolean,
): Outcome {
  const fits = (status: number): boolean => (status === 201) === isAdded;
  if (isRefusal(outcome) || fits(outcome.status)) return outcome;
  for (const { status: text, content } of operation.responses) {
    const status = Number(text);
    if (![200, 201, 204].includes(status) || !fits(status)) continue;
    if (content.length === 0) return success(status, '');
    const schema = jsonContent(content)?.schema;
    if (schema === undefined || outcome.body === '') continue;
    const body = parseJson(outcome.body);
    if (schema.validate(body).length > 0) continue;
    const isTold = isEnvelope && isJsonObject(body);
    const shown = isTold ? renderJson(withStatus(body, schema, status)) : outcome.body;
    return { ...outcome, status, body: shown };
  }
  return outcome;
}

function jsonPatchIn({ body }: Input, { request }: Call): readonly JsonValue[] | undefined {
  const type = essence(headerText(request.headers, 'content-type') ?? '');
  const isPatch = type === 'application/json-patch+json' && isJsonArray(body);
  return isPatch || isJsonPatch(body) ? body : undefined;
}

function mergeItem(item: OpenItem, sent: JsonObject): OpenItem {
  const gone = Object.keys(sent).filter((name) => sent[name] === null);
  const absent = new Set([...item.absent, ...gone].filter((name) => sent[name] == null));
  const nulls = Object.fromEntries(gone.map((name) => [name, null]));
  return { ...item, members: { ...mergePatch(item.members, sent), ...nulls }, absent };
}

/** A JSON Patch is of what GET of the item shows. */
function patchItem(
  collection: Collection,
  item: OpenItem,
  body: readonly JsonValue[],
  call: Call,
): OpenItem {
  const get = collection.operationOf('get');
  const view = get && collection.resource.viewOf(get);
  const whole = get && collection.viewOf(get)?.value(collection.close(item, collection.read(call)));
  const found = valueAt(whole, view?.place ?? []);
  const before = isJsonObject(found) ? found : item.members;
  const after = patchJson(before, body);
  const issues = view === undefined || view.place.length > 0 ? [] : view.item.validate(after);
  if (!isJsonObject(after) || issues.length > 0)
    throw new JsonPatchError(
      `The JSON Patch makes the item invalid: ${issues.length > 0 ? renderIssues(issues) : 'it must be an object'}`,
      true,
    );
  const id = view?.idPlace ?? [];
  if (id.length > 0 && !jsonEquals(valueAt(before, id) ?? null, valueAt(after, id) ?? null))
    throw new JsonPatchError(`The JSON Patch changes ${id.join('.')}, which names the item.`, true);
  const { members, gone } = changedMembers(before, after);
  const absent = new Set([...item.absent, ...gone].filter((name) => !Object.hasOwn(members, name)));
  const kept = Object.entries({ ...item.members, ...members }).filter(
    ([name]) => !absent.has(name),
  );
  return { ...item, members: Object.fromEntries(kept), absent };
}
