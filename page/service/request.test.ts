import { expect, test } from 'vitest';
import { runShell } from '../../test/page/shell.ts';
import {
  type Credential,
  type OutgoingRequest,
  addKey,
  renderCurl,
  renderFetch,
} from './request.ts';
import { whyNotSent } from './request.ts';

const plain: OutgoingRequest = {
  method: 'GET',
  url: 'http://127.0.0.1:4010/v1/pets',
  headers: [],
  body: undefined,
};

test.for([
  [plain, "curl -i 'http://127.0.0.1:4010/v1/pets'"],
  [{ ...plain, method: 'HEAD' }, "curl -i -I 'http://127.0.0.1:4010/v1/pets'"],
  [{ ...plain, method: 'DELETE' }, "curl -i -X DELETE 'http://127.0.0.1:4010/v1/pets'"],
  [{ ...plain, url: 'https://h/a?b=[1]' }, "curl -i -k -g 'https://h/a?b=[1]'"],
  [{ ...plain, url: 'http://h/a/../b' }, "curl -i --path-as-is 'http://h/a/../b'"],
  [{ ...plain, headers: [['X', '']] }, "curl -i 'http://127.0.0.1:4010/v1/pets' -H 'X;'"],
  [
    { ...plain, headers: [['X', "it's"]], body: 'a\tb' },
    String.raw`printf 'a\011b' | curl -i -X GET 'http://127.0.0.1:4010/v1/pets' -H 'X: it'\''s' -H 'Content-Type:' --data-binary @-`,
  ],
] as const)('%j as curl is %s', ([request, line]) => {
  expect(renderCurl(request)).toBe(line);
});

test.for(['O\'Brien $HOME `x` \\ "', 'a\nb\tc\r', '\u200b\u{1f600}é', '@file'])(
  'the shell gives curl the body %j as it is',
  async (body) => {
    const line = renderCurl({ ...plain, method: 'POST', body });
    const curl = `curl() { case "$*" in *'--data-binary @-') cat;; *) for last; do :; done; printf %s "$last";; esac; }`;
    expect(await runShell(`${curl}; ${line}`)).toBe(body);
  },
);

test('the fetch snippet is JavaScript that sends the same', async () => {
  const body = JSON.stringify({ name: `O'Brien "x" \\ \n` });
  const request: OutgoingRequest = {
    ...plain,
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    body,
  };
  const sent: unknown[] = [];
  const AsyncFunction: FunctionConstructor = Object(
    Object.getPrototypeOf(async () => {}),
  ).constructor;
  await new AsyncFunction('fetch', 'console', renderFetch(request))(
    async (...args: readonly unknown[]) => {
      sent.push(...args);
      return new Response('');
    },
    { log: () => undefined },
  );
  expect(sent).toEqual([
    plain.url,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body },
  ]);
  expect(renderFetch(plain)).toContain(`await fetch('${plain.url}');`);
});

test('a key is sent where the operation expects it, replacing an existing one', () => {
  const credential = (place: Credential['in'], name: string, value: string): Credential => ({
    in: place,
    name,
    value,
  });
  const request = { ...plain, headers: [['authorization', 'Bearer [key]']] as const };
  expect(addKey(request, [credential('header', 'Authorization', 'Bearer {key}')], 'k')).toEqual({
    ...plain,
    headers: [['Authorization', 'Bearer k']],
  });
  expect(
    addKey(plain, [credential('header', 'Authorization', 'Basic {basic}')], 'k').headers,
  ).toEqual([['Authorization', `Basic ${btoa('k:k')}`]]);
  expect(
    addKey(
      { ...plain, url: `${plain.url}?a=1&key=[key]` },
      [credential('query', 'key', '{key}')],
      'k',
    ).url,
  ).toBe(`${plain.url}?a=1&key=k`);
  expect(addKey(plain, [credential('cookie', 'id', '{key}')], 'k').headers).toEqual([
    ['Cookie', 'id=k'],
  ]);
});

test('requests that a page may not send are known in advance', () => {
  expect(whyNotSent(plain)).toBeUndefined();
  expect(whyNotSent({ ...plain, method: 'TRACE' })).toContain('TRACE');
  expect(whyNotSent({ ...plain, body: 'x' })).toContain('with a body');
  expect(whyNotSent({ ...plain, headers: [['Cookie', 'a=b c']] })).toContain('cookie');
  expect(whyNotSent({ ...plain, headers: [['Cookie', 'a=b']] })).toBeUndefined();
});
