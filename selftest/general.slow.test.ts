import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, parseJson } from '../contract/json/value.ts';
import { renderJsonReport } from '../report/json.ts';
import { petstore } from '../test/contract/petstore.ts';
import { runTrial } from './trial.ts';
import {
  type Json,
  isRecord,
  type WireResponse,
  type Parts,
  plain,
  Refusal,
} from './service/service.ts';
import { createMutants } from './subject/subject.ts';

/** Changes every value of a JSON text, names of members aside. */
function mapJson(value: Json, change: (value: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => mapJson(each, change));
  if (!isRecord(value)) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapJson(member, change)]),
  );
}

const writing = (change: (value: Json) => Json): Parts => ({
  serialise: (body, ...others) => plain.serialise(mapJson(body, change), ...others),
});

const finishing = (change: (wire: WireResponse) => Partial<WireResponse>): Parts => ({
  finish: (wire) => ({ ...wire, ...change(wire) }),
});

const toDouble = (value: Json): Json => (typeof value === 'bigint' ? BigInt(Number(value)) : value);

const page = '<!DOCTYPE html><html><head><title>Error</title></head><body>Error</body></html>';

/** Faults of the layers beneath a service: what reads, writes and carries JSON. Every operation has them. */
const generalMutants = createMutants('', {
  'numbers-are-doubles': {
    ...writing(toDouble),
    parseBody: (bytes) => {
      const body = plain.parseBody(bytes);
      return body === undefined || body instanceof Refusal ? body : mapJson(body, toDouble);
    },
  },
  'written-as-latin1': finishing(({ bytes }) => ({
    bytes: Buffer.from(new TextDecoder().decode(bytes), 'latin1'),
  })),
  'numbers-as-strings': writing((value) =>
    typeof value === 'bigint' || typeof value === 'number' ? String(value) : value,
  ),
  'html-errors': finishing(({ status, headers }) =>
    status >= 400
      ? { headers: { ...headers, 'Content-Type': 'text/html' }, bytes: Buffer.from(page) }
      : {},
  ),
  'always-200': finishing(() => ({ status: 200 })),
  'every-seventh-500': {
    respond: (call, all) => {
      if (call.ordinal % 7 === 0) throw new Error('no connection to the database');
      return plain.respond(call, all);
    },
  },
  'every-ninth-cut': {
    finish: (wire, { ordinal }) => (ordinal % 9 === 0 ? { ...wire, delivery: 'cut' } : wire),
  },
  'gunzips-what-says-so': {
    createPet: (call, all) => {
      if (call.headers['content-encoding'] === 'gzip') throw new Error('incorrect header check');
      return plain.createPet(call, all);
    },
  },
  'nothing-is-checked': {
    checkName: () => undefined,
    checkCategoryId: () => undefined,
    checkStatus: () => undefined,
    validateNewPet: (body, all) => plain.validateNewPet(isRecord(body) ? body : {}, all),
  },
});

const shownInTwoWays = new Set([
  // 2^63 - 1 becomes 2^63 before it is checked, and is then refused as out of range.
  'numbers-are-doubles',
  // A text may become another text of ASCII, in a body that is valid.
  'written-as-latin1',
]);

const shownAt240 = 'gunzips-what-says-so';

test.for(generalMutants)(
  '$id is one cause, and every statement of its report is true',
  async (mutant) => {
    const requests = mutant.id === shownAt240 ? 240 : 60;
    const options = { seed: 1, requests, isOverNetwork: false };
    const { report, unfounded } = await runTrial(petstore, mutant, options);
    expect(unfounded).toEqual([]);
    expect(report?.outcome).toBe('failed');
    const text = report && renderJsonReport(report, petstore);
    const document = text === undefined ? undefined : parseJson(text);
    const causes = isJsonObject(document) ? document['causes'] : undefined;
    const most = shownInTwoWays.has(mutant.id) ? 2 : 1;
    expect(causes).toSatisfy(
      (each: typeof causes) => each !== undefined && isJsonArray(each) && each.length <= most,
      JSON.stringify(causes, (_name, value: unknown) => String(value)),
    );
    // A failure that depends on a header of the request names it.
    const named = 'with the header `content-encoding: gzip`, and for no other request';
    expect(text?.includes(named)).toBe(mutant.id === shownAt240);
  },
);
