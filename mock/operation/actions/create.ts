import { type Operation, isJsonObject, successStatus } from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';
import type { Choices } from '../../choice/choices.ts';
import { renderIssues } from '../../http/issue-message.ts';
import { compileItemComposer } from '../../store/item-composer.ts';
import { documentedStatuses } from '../response/documented.ts';
import { type Action, success } from '../response/outcome.ts';
import { refuse } from '../response/refusal.ts';

/** Stores a new item under an id of its own and answers it. */
export function compileCreate(
  collection: Collection,
  operation: Operation,
  choices: Choices,
): Action {
  const { idProperty } = collection.resource;
  const status = successStatus(operation);
  const documented = documentedStatuses(operation);
  const composer = compileItemComposer(collection, operation, choices);
  return ({ body }, call) => {
    const { store } = call.sandbox;
    const sent = isJsonObject(body) ? body : {};
    const refused = composer.judge(sent, store.read(collection));
    if (refused.length > 0) return refuse('invalid_body', renderIssues(refused), { documented });
    const inventory = store.write(collection);
    const id = inventory.nextId();
    if (id === undefined)
      return refuse(
        'conflict',
        `Every possible ${idProperty} in this collection is used. Delete an item first.`,
      );
    const composed = composer.compose(id, sent, call.now);
    const fits = composer.validate(composed).length === 0;
    const item = fits ? composed : composer.fit(composed);
    const issues = fits ? [] : composer.validate(item);
    const stored = issues.length === 0 ? collection.form.render(item) : undefined;
    if (stored === undefined) return refuse('invalid_body', renderIssues(issues), { documented });
    inventory.put(stored);
    const location = collection.location(id);
    return success(status, stored.text, { location });
  };
}
