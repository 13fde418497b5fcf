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
  const marks = Object.entries(markExchange(requirement, { at }, exchange, true, petstore));
  return Object.fromEntries(
    marks.filter(([, mark]) => (Array.isArray(mark) ? mark.length > 0 : mark === true)),
  );
}

const pets = '[{"id":1,"name":"Rex","status":"sold"},{"id":2,"name":"Tom","status":"SOLD"}]';

describe('what is marked', () => {
  test('is the value in a body, or the position where it is missing', () => {
    const id = 'listPets/response.200.body[].status.values';
    expect(marksOf(id, pets, { at: '/1/status' })).toEqual({ body: ['/1/status'] });
    const missing = 'listPets/response.200.body[].name.required';
    expect(marksOf(missing, '[{}]', { at: '/0/name' })).toEqual({ body: ['/0/name'] });
  });

  test('is a member as sent and as it came back changed', () => {
    const sent = { request: '{"name":"Rex"}', at: '/1/name' };
    expect(marksOf('getPet/state.read.name', pets, sent)).toEqual({
      requestBody: ['/name'],
      body: ['/1/name'],
    });
  });

  test('is the relevant member of the request, and the status if nothing else is marked', () => {
    const request = '{"categoryId":1}';
    expect(marksOf('createPet/request.body.name.required', '{}', { request })).toEqual({
      requestBody: ['/name'],
      status: true,
    });
  });

  test('are the relevant headers', () => {
    expect(marksOf('*/rate-limit.reset-plausible', '{}')).toEqual({
      headers: ['X-RateLimit-Reset'],
    });
    expect(marksOf('*/rate-limit.retry-after', '{}')).toEqual({ headers: ['Retry-After'] });
    expect(marksOf('listPets/response.200.header.X-RateLimit-Limit', '[]')).toEqual({
      headers: ['X-RateLimit-Limit'],
    });
  });

  test('is the item that should be absent', () => {
    expect(marksOf('createPet/state.not-written.400', pets, { at: '/1/id' })).toEqual({
      body: ['/1/id'],
    });
  });
});
