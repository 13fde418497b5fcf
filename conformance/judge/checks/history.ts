import {
  jsonEquals,
  requirementId,
  type JsonObject,
  type Resource,
} from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { createModel, type Model, type ModelState } from '../trace/model.ts';
import { idOf, itemOf, itemsOf, pathValueOf, type Reading } from '../trace/trace.ts';
import { describeResponse, quote } from '../trace/words.ts';

/**
 * Judges items that were replaced, updated or removed: later responses show the last state, and none
 * that is gone. Those that stayed as they were added are the state check's.
 */
export const historyCheck: Check = {
  id: 'history',
  *judge(trace) {
    for (const resource of trace.contract.resources) {
      if (!resource.replace && !resource.update && !resource.remove) continue;
      const model = createModel(resource);
      for (const reading of trace.readings) {
        yield* judgeReading(reading, model);
        model.note(reading);
      }
    }
  },
};

function* judgeReading(reading: Reading, model: Model): Generator<Finding> {
  const { resource } = model;
  if (reading.exchange.group !== undefined) return;
  if (reading.operation.id === resource.get?.id) yield* judgeGet(reading, model);
  if (reading.operation.id !== resource.list.id) return;
  for (const item of itemsOf(reading) ?? [])
    yield* judgeItem(reading, item, model.stateOf(idOf(item, resource)), resource);
}

function* judgeGet(reading: Reading, { resource, stateOf }: Model): Generator<Finding> {
  const id = pathValueOf(reading, resource.idParameter?.name ?? '') ?? '';
  const state = stateOf(id);
  const item = itemOf(reading);
  if (item) yield* judgeItem(reading, item, state, resource);
  else if (state?.kind === 'removed' && reading.response.status === 404)
    yield passed(requirementId.status(reading.operation.id, 404), reading.exchange.index);
}

function* judgeItem(
  reading: Reading,
  item: JsonObject,
  state: ModelState | undefined,
  resource: Resource,
): Generator<Finding> {
  const { operation, exchange, response } = reading;
  if (state?.kind === 'removed') {
    const isGet = operation.id === resource.get?.id;
    const id = isGet
      ? requirementId.status(operation.id, 404)
      : requirementId.state(resource.remove?.id ?? '', 'removed');
    yield failed(
      id,
      exchange.index,
      'nothing of an item that was removed',
      isGet ? describeResponse(response) : quote(item),
      [state.by],
    );
  }
  if (state?.kind !== 'there' || !state.changed) return;
  const spoiled = new Set(
    resource.item.validate(item).map((issue) => issue.at.split('/')[1] ?? ''),
  );
  for (const [name, expected] of Object.entries(state.members)) {
    if (expected === undefined || spoiled.has(name) || name === resource.idProperty) continue;
    const received = item[name];
    const id = requirementId.state(operation.id, `read.${name}`);
    if (received !== undefined && jsonEquals(expected, received)) yield passed(id, exchange.index);
    else
      yield failed(
        id,
        exchange.index,
        `\`${name}\` ${quote(expected)}, as it was changed`,
        `\`${name}\` ${quote(received)}`,
        [state.by],
      );
  }
}
