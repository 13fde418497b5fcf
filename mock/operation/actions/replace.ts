import {
  type JsonObject,
  type Operation,
  isJsonObject,
  parseJson,
  successStatus,
} from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';
import type { Choices } from '../../choice/choices.ts';
import { renderIssues } from '../../http/issue-message.ts';
import { compileItemComposer } from '../../store/item-composer.ts';
import { mergePatch } from '../../store/merge-patch.ts';
import { documentedStatuses } from '../response/documented.ts';
import { type Action, success } from '../response/outcome.ts';
import { refuse } from '../response/refusal.ts';
import { noSuchItem } from './get.ts';

type ItemChange = (item: JsonObject, sent: JsonObject) => JsonObject;

/** Changes an item, and keeps its id: PUT replaces it, PATCH merges (RFC 7396). */
export function compileChange(
  collection: Collection,
  operation: Operation,
  choices: Choices,
): Action {
  const change: ItemChange = operation.method === 'PATCH' ? mergePatch : (_item, sent) => sent;
  const status = successStatus(operation);
  const documented = documentedStatuses(operation);
  const composer = compileItemComposer(collection, operation, choices);
  return (input, call) => {
    const id = collection.idOf(input.parameters);
    const inventory = call.sandbox.store.write(collection);
    const old = id === undefined ? undefined : inventory.get(id);
    if (id === undefined || old === undefined) return noSuchItem(collection, input);
    const sent = isJsonObject(input.body) ? input.body : {};
    const before = parseJson(old.text);
    const item = composer.compose(id, change(isJsonObject(before) ? before : {}, sent), call.now);
    const issues = [...composer.judge(sent, inventory), ...composer.validate(item)];
    const stored = issues.length === 0 ? collection.form.render(item) : undefined;
    if (stored === undefined) return refuse('invalid_body', renderIssues(issues), { documented });
    inventory.put(stored);
    return success(status, status === 204 ? '' : stored.text);
  };
}
