import { describe, expect, test } from 'vitest';
import { requirementsOf, type Requirement } from '../../conformance/index.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { sampleReport } from '../../test/report/sample-report.ts';
import { markExchange } from './failure.ts';

function requirementOf(id: string): Requirement {
  const requirement = requirementsOf(petstore).get(id);
  if (requirement === undefined) throw new RangeError(`there is no requirement ${id}`);
  return requirement;
}

const [sample] = sampleReport(petstore).exchanges;

/** The marks in an exchange with some bodies; those that mark nothing are left out. */
function marksOf(
  id: string,
  [expected, received]: readonly [string, string],
  response: string,
  { at, request }: { at?: string; request?: string } = {},
): object {
  if (sample?.outcome.kind !== 'answered') throw new TypeError('the sample has a response');
  const requirement = requirementOf(id);
  const exchange = {
    ...sample,
    request: { ...sample.request, body: request },
    outcome: { ...sample.outcome, response: { ...sample.outcome.response, body: response } },
  };
  const failure = { expected, received, at };
  const marks = Object.entries(markExchange(requirement, failure, exchange, true, petstore));
  return Object.fromEntries(
    marks.filter(([, mark]) => (Array.isArray(mark) ? mark.length > 0 : mark === true)),
  );
}

const pets = '[{"id":1,"name":"Rex","status":"sold"},{"id":2,"name":"Tom","status":"SOLD"}]';

describe('what is marked', () => {
  test('is the value in a body, or the place where it is missing', () => {
    const received = '"SOLD" in 200 [...]';
    const id = 'listPets/response.200.body[].status.values';
    expect(marksOf(id, ['/1/status must be one of', received], pets, { at: '/1/status' })).toEqual({
      body: ['/1/status'],
    });
    const missing = 'listPets/response.200.body[].name.required';
    const texts = ['/0/name is required', 'nothing in 200 [{}]'] as const;
    expect(marksOf(missing, texts, '[{}]', { at: '/0/name' })).toEqual({ body: ['/0/name'] });
  });

  test('is a member where it was sent and where it came back otherwise', () => {
    const texts = ['`name` "Rex"', '`name` "Tom"'] as const;
    const sent = { request: '{"name":"Rex"}', at: '/1/name' };
    expect(marksOf('getPet/state.read.name', texts, pets, sent)).toEqual({
      requestBody: ['/name'],
      body: ['/1/name'],
    });
  });

  test('is the status, and the member of the request that it is about', () => {
    const texts = ['400, since `name` is too long', '201 {}'] as const;
    const request = '{"categoryId":1}';
    expect(marksOf('createPet/request.body.name.required', texts, '{}', { request })).toEqual({
      requestBody: ['/name'],
      status: true,
    });
  });

  test('are headers, those that are not there too', () => {
    const quota = ['the rate-limit headers', 'a 422 without X-RateLimit-Limit, X-RateLimit-Reset'];
    const headers = ['X-RateLimit-Limit', 'X-RateLimit-Reset'];
    expect(marksOf('*/rate-limit.headers', [quota[0] ?? '', quota[1] ?? ''], '{}')).toEqual({
      headers,
    });
    const reset = ['a Unix time in seconds', '60, in the past'] as const;
    expect(marksOf('*/rate-limit.reset-plausible', reset, '{}')).toEqual({
      headers: ['X-RateLimit-Reset'],
    });
    const word = ['seconds or an HTTP-date', 'later'] as const;
    expect(marksOf('*/rate-limit.retry-after', word, '{}')).toEqual({ headers: ['Retry-After'] });
    const type = ['the content type application/json', 'text/html'] as const;
    expect(marksOf('*/errors.shape', type, '{}')).toEqual({ headers: ['Content-Type'] });
  });

  test('is the first item too many, or that the filter lets through, with the target', () => {
    const most = ['at most 1 items', '2 items'] as const;
    expect(marksOf('listPets/parameter.limit.bound', most, pets, { at: '/1' })).toEqual({
      target: true,
      body: ['/1'],
    });
    const filter = ['only items whose `status` is "SOLD"', 'an item with "sold"'] as const;
    expect(marksOf('listPets/parameter.status.filter', filter, pets, { at: '/0/status' })).toEqual({
      target: true,
      body: ['/0/status'],
    });
  });

  test('is the item that should not be there, or the status that is out of turn', () => {
    const item = '{"id":2,"name":"Tom"}';
    const texts = ['no trace of the body that was rejected with 400', item] as const;
    expect(marksOf('createPet/state.not-written.400', texts, pets, { at: '/1/id' })).toEqual({
      body: ['/1/id'],
    });
    const late = ['429 after 60 requests in one window', '88 served'] as const;
    expect(marksOf('*/rate-limit.exceeded', late, '{}')).toEqual({ status: true });
  });
});
