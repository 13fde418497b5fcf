import type { WireResponse } from '../service/behaviour.ts';
import type { Respond, ServiceRequest } from '../service/listener.ts';
import { createDraw, type Draw } from './random.ts';

/** A violation that is made of the response to some requests. */
export interface Fault {
  readonly name: string;
  readonly wrap: (respond: Respond, now: () => number) => Respond;
}

type Alter = (response: WireResponse, draw: Draw) => WireResponse;

const withText = (response: WireResponse, change: (text: string) => string): WireResponse => ({
  ...response,
  bytes: Buffer.from(change(Buffer.from(response.bytes).toString())),
});

/** Changes a record of the body: the body itself, or one of its items. */
const withRecord =
  (change: (record: Record<string, unknown>, draw: Draw) => void): Alter =>
  (response, draw) =>
    withText(response, (text) => {
      // Text members alone are read: numbers keep their digits.
      const value: unknown = parse(text);
      const list = Array.isArray(value) ? value : [value];
      const record: unknown = list[draw.below(list.length)];
      if (typeof record !== 'object' || record === null) return text;
      change(Object.assign(record), draw);
      return JSON.stringify(value);
    });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const nameOf = (record: Record<string, unknown>, draw: Draw): string =>
  Object.keys(record)[draw.below(Object.keys(record).length)] ?? 'id';

const headerless =
  (pattern: RegExp, value?: string): Alter =>
  (response) => ({
    ...response,
    headers: Object.fromEntries(
      Object.entries(response.headers).flatMap(([name, old]) =>
        pattern.test(name) ? (value === undefined ? [] : [[name, value]]) : [[name, old]],
      ),
    ),
  });

const alterations: Readonly<Record<string, Alter>> = {
  'a member is gone': withRecord((record, draw) => delete record[nameOf(record, draw)]),
  'a member is null': withRecord((record, draw) => (record[nameOf(record, draw)] = null)),
  'a member is a list': withRecord((record, draw) => {
    const name = nameOf(record, draw);
    record[name] = [record[name]];
  }),
  'a member is a text': withRecord((record, draw) => {
    const name = nameOf(record, draw);
    record[name] = typeof record[name] === 'string' ? 7 : String(record[name]);
  }),
  'a member is another': withRecord((record, draw) => {
    const name = nameOf(record, draw);
    record[name] = typeof record[name] === 'string' ? `${record[name]}x` : Number(record[name]) + 1;
  }),
  'the body is cut': (response) => withText(response, (text) => text.slice(0, -1)),
  'the body is empty': (response) => withText(response, () => ''),
  'the body is wrapped': (response) => withText(response, (text) => `{"data":${text || 'null'}}`),
  'the body has a comma more': (response) =>
    withText(response, (text) => text.replace(/([\]}])$/, ',$1')),
  'the body is of another encoding': (response) => ({
    ...response,
    bytes: Buffer.concat([Buffer.from(response.bytes).subarray(0, -1), Buffer.from([0xff, 0x7d])]),
  }),
  'a list is shorter': (response) =>
    withText(response, (text) => {
      const value = parse(text);
      return Array.isArray(value) ? JSON.stringify(value.slice(1)) : text;
    }),
  'a list has an item twice': (response) =>
    withText(response, (text) => {
      const value = parse(text);
      return Array.isArray(value) ? JSON.stringify([...value.slice(0, 1), ...value]) : text;
    }),
  'another status': (response, draw) => ({
    ...response,
    status:
      { 200: 203, 201: 200, 400: 422, 401: 403, 404: 410 }[response.status] ?? draw.pick(500, 418),
  }),
  'a 500': (response) => ({ ...response, status: 500 }),
  'no content type': headerless(/^content-type$/i),
  'another content type': headerless(/^content-type$/i, 'text/html; charset=utf-8'),
  'no limit': headerless(/^x-ratelimit-limit$/i),
  'no remaining': headerless(/^x-ratelimit-remaining$/i),
  'no reset': headerless(/^x-ratelimit-reset$/i),
  'a remaining that is no number': headerless(/^x-ratelimit-remaining$/i, 'many'),
  'a remaining that stands still': headerless(/^x-ratelimit-remaining$/i, '42'),
  'a reset in the past': headerless(/^x-ratelimit-reset$/i, '1000000000'),
};

/** A fault drawn on a seed: what it does, and at which of the requests. */
export function drawFault(seed: number): Fault {
  const draw = createDraw(seed);
  const [what = ''] = Object.keys(alterations).slice(draw.below(Object.keys(alterations).length));
  const alter = alterations[what];
  const when = drawMoment(draw);
  return {
    name: `${what} ${when.name}`,
    wrap: (respond) => {
      let ordinal = 0;
      const own = createDraw(seed + 1);
      return async (request) => {
        ordinal += 1;
        const at = ordinal;
        const response = await respond(request);
        return alter !== undefined && when.is(request, response, at, own)
          ? alter(response, own)
          : response;
      };
    },
  };
}

interface Moment {
  readonly name: string;
  readonly is: (
    request: ServiceRequest,
    response: WireResponse,
    ordinal: number,
    draw: Draw,
  ) => boolean;
}

function drawMoment(draw: Draw): Moment {
  const from = draw.below(80);
  const every = 2 + draw.below(15);
  const status = draw.pick(200, 201, 400, 401, 404, 429);
  const method = draw.pick('GET', 'POST');
  const moments: readonly Moment[] = [
    { name: 'always', is: () => true },
    { name: `from request ${from} on`, is: (_request, _response, at) => at >= from },
    { name: `at request ${from}`, is: (_request, _response, at) => at === from },
    { name: `at every ${every}th`, is: (_request, _response, at) => at % every === 0 },
    { name: `of each ${status}`, is: (_request, response) => response.status === status },
    { name: `of each ${method}`, is: (request) => request.method === method },
    { name: 'of one in ten', is: (_request, _response, _at, own) => own.chance(0.1) },
    {
      name: 'of long addresses',
      is: ({ target }) => target.length > 12 + (from % 20),
    },
    { name: 'where a key is missing', is: ({ headers }) => headers.authorization === undefined },
  ];
  return moments[draw.below(moments.length)] ?? { name: 'always', is: () => true };
}
