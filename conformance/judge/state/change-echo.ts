import { isJsonObject } from '../../../contract/json/value.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { changesOf, withLostChanges } from '../trace/change.ts';
import { failed, judged, passed, type Finding } from '../trace/finding.ts';
import { comesBack, isSame } from '../trace/item.ts';
import { isWrittenBy, memberKey, readWitnesses } from '../trace/look.ts';
import {
  answeredItem,
  createModel,
  exactMembers,
  type Model,
  type ModelState,
} from '../trace/model.ts';
import { pathIdOf, type Reading, type Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';
import { judgeSpaces } from './spaces.ts';

/** Judges what changes answer: the same identifier, what was sent, and all else as it was. */
export function* judgeChangeEchoes(trace: Trace, resource: Resource): Generator<Finding> {
  const changes = changesOf(resource);
  if (changes.length === 0) return;
  const model: Model = createModel(resource);
  for (const { reading, lost } of withLostChanges(trace, resource)) {
    for (const id of lost) model.forget(id);
    const change = changes.find(({ operation }) => operation.id === reading.operation.id);
    const id = pathIdOf(reading, resource) ?? '';
    const isServed = reading.succeeded && reading.exchange.intent.kind === 'valid';
    if (isServed && (change?.act === 'replace' || change?.act === 'update'))
      yield* judgeAnswer(reading, id, resource, model.stateOf(id), trace);
    model.note(reading);
  }
}

function* judgeAnswer(
  reading: Reading,
  id: string,
  resource: Resource,
  before: ModelState | undefined,
  trace: Trace,
): Generator<Finding> {
  const { exchange, operation, sent } = reading;
  const { index } = exchange;
  const { idProperty } = resource;
  const answered = answeredItem(reading, resource);
  if (answered === undefined) return;
  const kept = requirementId.state(operation.id, 'id-kept');
  const received = `\`${idProperty}\` ${answered.id}`;
  yield judged(answered.id === id, kept, index, `\`${idProperty}\` ${id}`, received);
  if (answered.id !== id || !isJsonObject(sent)) return;
  for (const [name, value] of Object.entries(exactMembers(sent))) {
    const echo = requirementId.state(operation.id, `echo.${name}`);
    const answer = answered.members[name];
    if (trace.contract.requirementOf(echo) === undefined) continue;
    if (answer === undefined && !answered.valid) continue;
    const shown = `\`${name}\` ${quote(answer)}`;
    yield judged(comesBack(value, answer), echo, index, `\`${name}\` ${quote(value)}`, shown);
    yield* judgeSpaces(name, value, answer, reading);
  }
  if (operation.id !== resource.update?.id || before?.kind !== 'there') return;
  if (exchange.group !== undefined) return;
  const others = requirementId.state(operation.id, 'others-kept');
  const { unstored } = readWitnesses(trace, resource);
  for (const [name, { values, isUnsure, setBy }] of before.members) {
    const answer = answered.members[name];
    if (Object.hasOwn(sent, name) || unstored.has(memberKey(setBy, name))) continue;
    if (answer === undefined && (!answered.valid || isUnsure)) continue;
    const isWritten = before.refused.some((refused) => isWrittenBy(refused, name, answer));
    if (values.some((value) => isSame(value, answer))) yield passed(others, index);
    else if (!isWritten) {
      const expected = `\`${name}\` ${quote(values[0])}, which was not sent`;
      const shown = `\`${name}\` ${quote(answer)}`;
      yield failed(others, index, expected, shown, [before.by.exchange.index]);
    }
  }
}
