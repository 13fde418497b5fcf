import { describe, expect, test } from 'vitest';
import type { Requirement } from '../../conformance/index.ts';
import { readContrast } from './failure.ts';

type Subject = Requirement['subject'];

const state: Subject = { kind: 'state', facet: 'echo', member: 'name' };
const auth: Subject = { kind: 'auth', facet: 'invalid' };
const header: Subject = { kind: 'header', status: '200', name: 'X-RateLimit-Limit' };
const member: Subject = {
  kind: 'body',
  part: 'member',
  status: '200',
  path: ['[]', 'status'],
  facet: 'enum',
};
const type: Subject = { kind: 'body', part: 'content-type', status: '201' };
const bound: Subject = { kind: 'parameter', name: 'limit', facet: 'bound' };
const crash: Subject = { kind: 'robustness', facet: 'no-server-error' };

/** A contrast in short: the field, and each side with its value between brackets. */
function show(subject: Subject, expected: string, received: string): readonly string[] {
  const contrast = readContrast({ subject }, expected, received);
  const sides = [contrast.expected, contrast.received].map(({ text, value }) =>
    value === '' ? text : `[${value}]${text.slice(value.length)}`,
  );
  return [contrast.field ?? '', ...sides];
}

describe('what differs', () => {
  test.for<readonly [Subject, string, string, string, string, string]>([
    [state, '`name` "Rex"', '`name` "Max"', 'name', '["Rex"]', '["Max"]'],
    [
      state,
      '`id` 9007199254740993',
      '`id` 9007199254740992',
      'id',
      '[9007199254740993]',
      '[9007199254740992]',
    ],
    [state, '`name` "a", as sent', '`name` nothing', 'name', '["a"], as sent', 'nothing'],
    [
      auth,
      '401, since the key is made up',
      '200 []',
      'status',
      '[401], since the key is made up',
      '[200] []',
    ],
    [auth, '201: taken', '201 {"id":1}', '', '201: taken', '201 {"id":1}'],
    [crash, 'any response below 500', '500 {}', 'status', 'any response below 500', '[500] {}'],
    [
      header,
      'the header X-RateLimit-Limit',
      'a 200 without it',
      'X-RateLimit-Limit',
      'the header X-RateLimit-Limit',
      'a 200 without it',
    ],
    [
      header,
      'X-RateLimit-Limit must be an integer',
      'ten',
      'X-RateLimit-Limit',
      'must be an integer',
      'ten',
    ],
    [
      member,
      '/0/status must be one of "a", "b"',
      '"SOLD" in 200 [{"status":"SOLD"}]',
      '/0/status',
      'must be one of "a", "b"',
      '["SOLD"]',
    ],
    [member, 'the body must be an array', '{} in 200 {}', 'the body', 'must be an array', '{}'],
    [type, 'application/json', 'text/plain', 'Content-Type', 'application/json', 'text/plain'],
    [bound, 'at most 1 items', '2 items', '', 'at most 1 items', '2 items'],
  ])('%j: %j and %j', ([subject, expected, received, ...shown]) => {
    expect(show(subject, expected, received)).toEqual(shown);
  });
});
