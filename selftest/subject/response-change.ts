import type { Parts, WireResponse, ServiceResponse } from '../service/behaviour.ts';
import { isRecord, renderJson, type Json, type JsonRecord } from '../service/json.ts';
import { isAt, type Place } from './place.ts';

export function changeResponse(
  place: Place,
  change: (response: ServiceResponse) => ServiceResponse,
): Parts {
  return {
    render: (response, call) => (isAt(place, call, response.status) ? change(response) : response),
  };
}

export function changeHeaders(
  place: Place,
  change: (headers: ServiceResponse['headers']) => ServiceResponse['headers'],
): Parts {
  return changeResponse(place, (all) => ({ ...all, headers: change(all.headers) }));
}

export function changeBody(place: Place, change: (body: Json) => Json): Parts {
  return changeResponse(place, (response) =>
    response.body === undefined ? response : { ...response, body: change(response.body) },
  );
}

/** Changes every object of the responses of a place: the items of a list, else the body itself. */
export function changeRecord(place: Place, change: (record: JsonRecord) => Json): Parts {
  const each = (value: Json): Json => (isRecord(value) ? change(value) : value);
  return changeBody(place, (body) =>
    Array.isArray(body) ? body.map((item: Json) => each(item)) : each(body),
  );
}

export function changeText(place: Place, change: (text: string) => string): Parts {
  return {
    serialise: (body, call, status) =>
      isAt(place, call, status) ? change(renderJson(body)) : renderJson(body),
  };
}

export function changeWireResponse(
  place: Place,
  change: (wireResponse: WireResponse) => WireResponse,
): Parts {
  return {
    finish: (wireResponse, call) =>
      isAt(place, call, wireResponse.status) ? change(wireResponse) : wireResponse,
  };
}

export function leaveOut<Value>(
  record: Readonly<Record<string, Value>>,
  ...names: readonly string[]
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

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
