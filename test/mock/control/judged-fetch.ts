import { expect } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { parseJson } from '../../../contract/json/value.ts';
import { judgeResponse } from '../response-judge.ts';

/**
 * Like `fetch`, but every response must match the document of the interface, and so must every accepted
 * request body.
 */
export function createJudgedFetch(own: Contract): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const body = await response.clone().text();
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const request = { method, target: url.pathname + url.search, headers: {}, content: undefined };
    const headers = [...response.headers].flat();
    expect(judgeResponse(own, request, { status: response.status, headers, body })).toEqual([]);
    const operation = own.operations.find(
      (one) =>
        one.method === method &&
        new RegExp(`^/_mock${one.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(url.pathname),
    );
    expect(operation).toBeDefined();
    const content = operation?.requestBody?.content[0]?.schema;
    if (response.ok && typeof init?.body === 'string')
      expect(content?.validate(parseJson(init.body))).toEqual([]);
    return response;
  };
}
