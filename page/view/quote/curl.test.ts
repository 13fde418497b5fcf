import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileText, rawControl } from '../../../test/page/view/hostile.ts';
import { type CurlRequest, renderCurl } from './curl.ts';
import { quoteShell, quoteWord } from './shell.ts';
import { quoteScript } from './script.ts';

/** Shells of this machine that read what is quoted; `sh` and bash are everywhere. */
const shells = ['sh', 'dash', 'bash', 'zsh'].filter(
  (shell) => spawnSync(shell, ['-c', ':']).status === 0,
);

/** In the place of curl: its arguments, each with a null character, and then what it is piped. */
const stub = `curl() { printf '%s\\0' "$@"; case "$*" in *'--data-binary @-'*) cat; printf '\\0';; esac; printf 'END-OF-LINE\\0'; }`;

/** What each line hands to curl. */
function readLines(shell: string, lines: readonly string[]): readonly (readonly string[])[] {
  const { stdout, stderr } = spawnSync(shell, [], {
    input: [stub, ...lines, ''].join('\n'),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', PETSTORE_API_KEY: 'key' },
    maxBuffer: 1 << 28,
  });
  expect(stderr.toString()).toBe('');
  return stdout
    .toString()
    .split('END-OF-LINE\0')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1));
}

const asSent = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

const withoutNull = hostileText.map((text) => asSent(text.replaceAll('\0', '')));

/** Words whose end every POSIX shell reads. */
const words = withoutNull.map((text) => text.replace(/\n+$/, ''));

describe.each(shells)('%s', (shell) => {
  test('reads every quoted word unchanged', () => {
    const knowsEscapes = ['bash', 'zsh'].includes(shell);
    const all = fc.sample(knowsEscapes ? withoutNull : words, { numRuns: 1000, seed: 14 });
    for (const quote of [quoteShell, quoteWord]) {
      const lines = all.map((word) => `curl ${quote(word)} end`);
      expect(lines.filter((line) => rawControl.test(line) || line.includes('\n'))).toEqual([]);
      const read = readLines(shell, lines);
      expect(read).toEqual(all.map((word) => [word, 'end']));
    }
  });

  test('gives curl every method, field and body unchanged', () => {
    const requests = fc.sample(
      fc.record({
        method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'M-SEARCH', "X'Y", '!!', '-X'),
        url: hostileText.map((text) => `http://127.0.0.1:1/${text}`),
        headers: fc.array(
          fc.tuple(
            fc.oneof(
              fc.constantFrom('Accept', 'X-Empty', "x'y", '@file', 'a b', 'X!`$', 'Content-Type'),
              hostileText,
            ),
            fc.oneof(hostileText, fc.constantFrom('', ' ', '@/etc/hostname')),
          ),
          { maxLength: 3 },
        ),
        body: fc.option(fc.oneof(hostileText, fc.uint8Array({ maxLength: 40 })), {
          nil: undefined,
        }),
      }),
      { numRuns: 1000, seed: 14 },
    );
    const lines = requests.map((request) => renderCurl(request));
    expect(lines.filter((line) => rawControl.test(line) || line.includes('\n'))).toEqual([]);
    const read = readLines(shell, lines);
    expect(read.map(interpret)).toEqual(requests.map(expectedOf));
  });
});

/** What curl makes of its arguments, and of what it is piped. */
function interpret(given: readonly string[]) {
  const at = given.findIndex((word) => word.startsWith('http://127.0.0.1:1/'));
  const flags = given.slice(0, at).filter((word) => !['-i', '-g', '--path-as-is'].includes(word));
  const rest = given.slice(at + 1);
  const data = rest.findIndex((word) => word.startsWith('--data-'));
  const fields = data < 0 ? rest : rest.slice(0, data);
  return {
    isUrl: /^[\x21-\x7E]+$/.test(given[at] ?? ''),
    method: flags[0] === '-I' ? 'HEAD' : flags[0] === '-X' ? flags[1] : 'GET',
    fields: fields.flatMap((word, index) => (index % 2 === 1 ? [word] : [])),
    body:
      data < 0 ? undefined : rest.slice(data + (rest[data] === '--data-raw' ? 1 : 2)).join('\0'),
  };
}

/** The same of a request: fields that HTTP has no place for are left out. */
function expectedOf({ method, headers, body }: CurlRequest): ReturnType<typeof interpret> {
  const valid = headers.filter(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[\0\r\n]/.test(value),
  );
  const isTyped = valid.some(([name]) => name.toLowerCase() === 'content-type');
  const fields = valid.map(([name, value]) =>
    asSent(value.trim() === '' ? `${name};` : `${name}: ${value}`),
  );
  const text = typeof body === 'string' ? asSent(body) : body && new TextDecoder().decode(body);
  return {
    isUrl: true,
    method,
    fields: body === undefined || isTyped ? fields : [...fields, 'Content-Type:'],
    body: text,
  };
}

test('an interactive shell expands nothing in it', () => {
  const all = fc.sample(withoutNull, { numRuns: 300, seed: 15 });
  const lines = [stub, ...all.map((word) => `curl ${quoteShell(word)} end`), ''];
  const { stdout } = spawnSync('bash', ['--norc', '--noprofile', '-i'], {
    input: lines.join('\n'),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', PS1: '', HISTFILE: '/dev/null' },
  });
  const read = stdout.toString().split('END-OF-LINE\0').slice(0, -1);
  expect(read.map((one) => one.split('\0').slice(0, -1))).toEqual(all.map((word) => [word, 'end']));
});

test('a body that cannot be an argument is piped', () => {
  const body = "it's % \\ ! ".repeat(30_000);
  const lines = [{ body }, { body: 'a\0%\0' }].map((some) =>
    renderCurl({ method: 'POST', url: 'http://127.0.0.1:1/', headers: [], ...some }),
  );
  for (const shell of shells) {
    const [long, holed] = readLines(shell, lines);
    expect(long?.at(-1) === body).toBe(true);
    expect(holed?.slice(-3)).toEqual(['a', '%', '']);
  }
});

describe('curl sends to a server', () => {
  const request: CurlRequest = { method: 'GET', url: '/', headers: [] };
  test.for<readonly [CurlRequest, ...(readonly string[])]>([
    [{ ...request, url: '/a/../b/%2e%2e/c' }, 'GET /a/../b/%2e%2e/c HTTP/1.1'],
    [{ ...request, url: '/{a,b}?c=[1-3]&d=é "' }, 'GET /{a,b}?c=[1-3]&d=%C3%A9%20" HTTP/1.1'],
    [{ ...request, headers: [['X-Empty', '']] }, 'X-Empty:\r\n'],
    [{ ...request, method: 'HEAD' }, 'HEAD / HTTP/1.1'],
    [{ ...request, method: 'POST', body: '@/etc/hostname' }, '\r\n\r\n@/etc/hostname'],
    [{ ...request, method: 'PUT', body: 'a\0\n\r\u00FF' }, '\r\n\r\na\0\n\r\u00FF', 'Length: 6'],
    [{ ...request, body: '' }, 'GET / HTTP/1.1', 'Content-Length: 0'],
    [
      { ...request, method: 'POST', body: '{}', headers: [['Content-Type', 'a/b']] },
      'Content-Type: a/b\r\n',
    ],
    [
      {
        ...request,
        headers: [
          ["x'; touch pwned; echo '", 'a'],
          ['X', 'b\r\nY: c'],
        ],
      },
      'GET /',
    ],
  ])('%j', async ([sent, ...parts]) => {
    const { text, stdout } = await sendByCurl(sent);
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toContain('x-www-form-urlencoded');
    expect(text).not.toMatch(/^(Y|X):/m);
    expect(stdout).toContain('HTTP/1.1 204');
  });
});

/** Runs the line of a request against a bare socket: what came there, and what curl printed. */
async function sendByCurl(request: CurlRequest) {
  let text = '';
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      text += bytes.toString();
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const body = Buffer.from(text.split('\r\n\r\n').slice(1).join('\r\n\r\n'));
      if (text.includes('\r\n\r\n') && body.length >= length)
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const line = renderCurl({ ...request, url: `http://127.0.0.1:${port}${request.url}` });
  const { stdout } = await promisify(execFile)('bash', ['-c', line]);
  server.close();
  return { text, stdout };
}

test('JavaScript reads every string unchanged', () => {
  const texts = fc.sample(hostileText, { numRuns: 1000, seed: 16 });
  for (const text of texts) {
    const quoted = quoteScript(text);
    expect(quoted).not.toMatch(rawControl);
    expect(runInNewContext(quoted)).toBe(text);
  }
});
