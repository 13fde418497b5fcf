import type { Answer, Reply, ServiceBehaviour } from '../service/behaviour.ts';
import { isRecord, renderJson, type Json, type JsonRecord } from '../service/json.ts';
import type { Fault } from './mutant.ts';
import { isAt, type Place } from './place.ts';

type Stages = Partial<ServiceBehaviour>;

/** A fault without any state. */
export function createFault(
  id: string,
  breaks: Fault['breaks'],
  summary: string,
  stages: Stages,
): Fault {
  return { id, breaks, summary, behaviour: () => stages };
}

/** Changes status, headers and body of the answers of a place. */
export function changeReply(place: Place, change: (reply: Reply) => Reply): Stages {
  return { dress: (reply, call) => (isAt(place, call, reply.status) ? change(reply) : reply) };
}

/** Changes the body of the answers of a place. */
export function changeBody(place: Place, change: (body: Json) => Json): Stages {
  return changeReply(place, (reply) =>
    reply.body === undefined ? reply : { ...reply, body: change(reply.body) },
  );
}

/** Changes every object of the answers of a place: the items of a list, else the body itself. */
export function changeRecord(place: Place, change: (record: JsonRecord) => Json): Stages {
  const each = (value: Json): Json => (isRecord(value) ? change(value) : value);
  return changeBody(place, (body) =>
    Array.isArray(body) ? body.map((item: Json) => each(item)) : each(body),
  );
}

/** Changes the JSON text of the answers of a place. */
export function changeText(place: Place, change: (text: string) => string): Stages {
  return {
    serialise: (body, call, status) =>
      isAt(place, call, status) ? change(renderJson(body)) : renderJson(body),
  };
}

/** Changes the answers of a place as they go over the wire. */
export function changeAnswer(place: Place, change: (answer: Answer) => Answer): Stages {
  return { finish: (answer, call) => (isAt(place, call, answer.status) ? change(answer) : answer) };
}

/** A record without one of its members. */
export function without(record: JsonRecord, name: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));
}

/** A record in which a member has another name. */
export function rename(record: JsonRecord, from: string, to: string): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name === from ? to : name, value]),
  );
}

/** A record in which a member has another value, where it is there. */
export function replace(
  record: JsonRecord,
  name: string,
  change: (value: Json) => Json,
): JsonRecord {
  const { [name]: value } = record;
  return value === undefined ? record : { ...record, [name]: change(value) };
}

/** A value as text: a string as it is, all else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : renderJson(value);
}
