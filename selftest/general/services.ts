import { gzipSync } from 'node:zlib';
import { type Call, type Parts, type WireResponse, isRefusal } from '../service/behaviour.ts';
import { type Json, isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import { plain } from '../service/plain.ts';

/** A service with one general fault: every operation that can show it does. */
export interface FaultyService {
  readonly id: string;
  /** What is wrong, for people. */
  readonly summary: string;
  /** Most causes that it may be reported as. Default: one. */
  readonly causes?: number;
  /** Requests of the run that finds it. Default: 60. */
  readonly requests?: number;
  readonly parts: () => Parts;
}

const toDouble = (value: bigint): bigint => BigInt(Number(value));

/** Changes every value of a JSON text, names of members aside. */
function mapJson(value: Json, change: (value: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => mapJson(each, change));
  if (!isRecord(value)) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapJson(member, change)]),
  );
}

function finishing(change: (wire: WireResponse, call: Call) => WireResponse): Parts {
  return { finish: change };
}

function withText(wire: WireResponse, type: string, text: string): WireResponse {
  return { ...wire, headers: { ...wire.headers, 'Content-Type': type }, bytes: Buffer.from(text) };
}

const page = '<!DOCTYPE html><html><head><title>Error</title></head><body>Error</body></html>';

/** Which body a JSON reader makes of bytes, its numbers changed. */
function readingNumbers(change: (value: Json) => Json): Parts {
  return {
    parseBody: (bytes) => {
      const body = parseBody(bytes);
      return body === undefined || isRefusal(body) ? body : mapJson(body, change);
    },
  };
}

/** Faults of the layers beneath a service: what reads, writes and carries JSON. */
export const faultyServices: readonly FaultyService[] = [
  {
    id: 'numbers-are-doubles',
    summary: 'Every integer is read and written as a double.',
    // 2^63 - 1 becomes 2^63 before it is checked, and is then refused as out of range.
    causes: 2,
    parts: () => ({
      ...readingNumbers((value) => (typeof value === 'bigint' ? toDouble(value) : value)),
      serialise: (body, call, status) =>
        plain.serialise(
          mapJson(body, (value) => (typeof value === 'bigint' ? toDouble(value) : value)),
          call,
          status,
        ),
    }),
  },
  {
    id: 'utf8-read-as-latin1',
    summary: 'Request bodies are read as Latin-1.',
    parts: () => ({
      parseBody: (bytes) => parseBody(Buffer.from(Buffer.from(bytes).toString('latin1'))),
    }),
  },
  {
    id: 'written-as-latin1',
    summary: 'Responses are written as Latin-1.',
    parts: () =>
      finishing((wire) => ({
        ...wire,
        bytes: Buffer.from(new TextDecoder().decode(wire.bytes), 'latin1'),
      })),
  },
  {
    id: 'json-errors-500',
    summary: 'Whatever its JSON reader throws becomes a 500.',
    parts: () => ({
      parseBody: (bytes) => {
        const body = parseBody(bytes);
        if (isRefusal(body)) throw new Error('unexpected token');
        return body;
      },
    }),
  },
  {
    id: 'numbers-as-strings',
    summary: 'Every number is written as a string.',
    parts: () => ({
      serialise: (body, call, status) =>
        plain.serialise(
          mapJson(body, (value) =>
            typeof value === 'bigint' || typeof value === 'number' ? String(value) : value,
          ),
          call,
          status,
        ),
    }),
  },
  {
    id: 'enveloped',
    summary: 'Every body is within `data`.',
    parts: () => ({
      serialise: (body, call, status) => plain.serialise({ data: body }, call, status),
    }),
  },
  {
    id: 'text-plain',
    summary: 'Every response says that it is plain text.',
    parts: () =>
      finishing((wire) => ({
        ...wire,
        headers: { ...wire.headers, 'Content-Type': 'text/plain; charset=utf-8' },
      })),
  },
  {
    id: 'html-errors',
    summary: 'Every refusal is a web page.',
    parts: () =>
      finishing((wire) => (wire.status >= 400 ? withText(wire, 'text/html', page) : wire)),
  },
  {
    id: 'always-200',
    summary: 'Every response is a 200, refusals too.',
    parts: () => finishing((wire) => ({ ...wire, status: 200 })),
  },
  {
    id: 'refuses-all-400',
    summary: 'Every refusal is a 400.',
    parts: () => finishing((wire) => (wire.status >= 400 ? { ...wire, status: 400 } : wire)),
  },
  {
    id: 'every-seventh-500',
    summary: 'Each seventh request gets a 500.',
    parts: () => ({
      respond: (call, all) => {
        if (call.ordinal % 7 === 0) throw new Error('no connection to the database');
        return plain.respond(call, all);
      },
    }),
  },
  {
    id: 'every-ninth-cut',
    summary: 'Each ninth response is cut in its middle.',
    parts: () =>
      finishing((wire, { ordinal }) => (ordinal % 9 === 0 ? { ...wire, delivery: 'cut' } : wire)),
  },
  {
    id: 'gzip-unasked',
    summary: 'Every body is compressed, and no header says so.',
    parts: () =>
      finishing((wire) =>
        wire.bytes.length === 0 ? wire : { ...wire, bytes: gzipSync(wire.bytes) },
      ),
  },
  {
    id: 'gunzips-what-says-so',
    summary: 'A request that says that it is compressed breaks the service.',
    requests: 240,
    parts: () => ({
      createPet: (call, all) => {
        if (call.headers['content-encoding'] === 'gzip') throw new Error('incorrect header check');
        return plain.createPet(call, all);
      },
    }),
  },
  {
    id: 'nothing-is-checked',
    summary: 'Bodies are not checked: what has another type is converted.',
    parts: () => ({
      checkName: () => undefined,
      checkCategoryId: () => undefined,
      checkStatus: () => undefined,
      validateNewPet: (body, all) => plain.validateNewPet(isRecord(body) ? body : {}, all),
    }),
  },
  {
    id: 'no-unicode-beyond-ascii',
    summary: 'Text beyond ASCII becomes question marks, whichever way it goes.',
    parts: () => ({
      serialise: (body, call, status) =>
        plain.serialise(body, call, status).replaceAll(/[^\0-\x7F]/gu, '?'),
    }),
  },
  {
    id: 'escaped-for-html',
    summary: 'Every text is escaped for HTML as it is written.',
    parts: () => ({
      serialise: (body, call, status) =>
        plain.serialise(
          mapJson(body, (value) =>
            typeof value === 'string'
              ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;')
              : value,
          ),
          call,
          status,
        ),
    }),
  },
];
