import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileTexts, rawControl } from '../test/page/view/hostile.ts';
import { runPetstore } from './main.ts';
import { composeHostileDocument } from '../test/cli/hostile-document.ts';

/** Each hostile text alone, and several together. */
const hostileSubjects: readonly string[] = [
  ...hostileTexts,
  hostileTexts.slice(0, 8).join(''),
  hostileTexts.slice(8, 16).join(' '),
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-text-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** Forbidden characters in an output. */
function findRaw(printed: string): readonly string[] {
  return printed
    .split('\n')
    .filter(
      (line) =>
        rawControl.test(line) ||
        /^\s*::\w[^\n]*::/.test(line) ||
        /##\w*\[/.test(line) ||
        /^\s+at .*:\d+:\d+\)?$/.test(line),
    )
    .map((line) => JSON.stringify(line).slice(0, 300));
}

interface Run {
  readonly code: number;
  readonly printed: string;
}

/** Runs a command in this process, until `during` has ended where it is given. */
async function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  during?: (printed: () => string) => Promise<void>,
): Promise<Run> {
  let printed = '';
  const sink = { write: (text: string): void => void (printed += text) };
  const stop = new AbortController();
  const io = { stdout: sink, stderr: sink, env, signal: stop.signal };
  const ended = runPetstore(argv, io);
  if (during !== undefined) {
    await during(() => printed);
    stop.abort();
  }
  return { code: await ended, printed };
}

async function writeDocument(text: string, index: number, isServed = false): Promise<string> {
  const file = join(folder, `document-${index}.json`);
  await writeFile(file, JSON.stringify(composeHostileDocument(text, isServed)));
  return file;
}

test.for(hostileSubjects.map((text, index) => [text, index] as const))(
  'a document of %j is reported with every character escaped',
  { timeout: 120_000 },
  async ([text, index]) => {
    const file = await writeDocument(text, index);
    for (const command of [
      ['lint', file],
      ['lint', file, '--json'],
      ['resources', file],
      ['resources', file, '--json'],
    ]) {
      const { printed } = await run(command);
      expect(printed).not.toBe('');
      expect(findRaw(printed)).toEqual([]);
    }
  },
);

test.for([8, 14, 24, 25])(
  'conform, its reports and the job summary escape everything from document %d',
  { timeout: 240_000 },
  async (index) => {
    const file = await writeDocument(hostileSubjects[index] ?? '', index, true);
    const reports = join(folder, `report-${index}`);
    const summary = join(folder, `summary-${index}.md`);
    const expected = /Testing http/;
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { printed } = await run(['conform', '--contract', file, '--report', reports], env);
    expect(printed).toMatch(expected);
    const others = printed.split('\n').filter((line) => !line.startsWith('::error title='));
    expect(findRaw(others.join('\n'))).toEqual([]);
    await expectCleanFiles(reports);
    expect(findRaw(await readFile(summary, 'utf8'))).toEqual([]);
  },
);

/** No file contains anything that a terminal, a browser or Markdown would interpret. */
async function expectCleanFiles(reports: string): Promise<void> {
  const names = await readdir(reports);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const text = await readFile(join(reports, name), 'utf8');
    expect([name, text.split('\n').filter((line) => rawControl.test(line))]).toEqual([name, []]);
  }
  for (const name of ['report.html', 'junit.xml'])
    expect(await readFile(join(reports, name), 'utf8')).not.toMatch(/<script>alert|<img src=x/);
  const markdown = await readFile(join(reports, 'summary.md'), 'utf8');
  const prose = markdown.replaceAll(/^(`{3,}).*?^\1$/gms, '').split('\n');
  expect(prose.filter((line) => /(?<!\\)\]\(|<\w/.test(line))).toEqual([]);
}

test(
  'the mock logs hostile requests with every character escaped',
  { timeout: 60_000 },
  async () => {
    const file = await writeDocument(hostileSubjects.at(-1) ?? '', 99, true);
    for (const definition of [[], ['--log', 'json']]) {
      const { printed } = await run(
        ['mock', '--contract', file, '--port', '0', ...definition],
        {},
        async (shown) => {
          await expect.poll(shown).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
          const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(shown())?.[1] ?? '';
          const origin = `http://127.0.0.1:${port}`;
          for (const text of hostileTexts) {
            const name = encodeURIComponent(text.toWellFormed());
            await fetch(`${origin}/v1/${name}?${name}=${name}`, {
              headers: { authorization: `Bearer ${name}`, prefer: `code=${name}` },
            });
            await fetch(`${origin}/_mock/sandboxes/${name}`);
          }
          await fetch(`${origin}/v1/end`);
          await expect.poll(shown).toContain('/v1/end');
        },
      );
      expect(findRaw(printed)).toEqual([]);
    }
  },
);

test.for([undefined, 8, 10, 24])(
  'a hostile target is reported with every character escaped: by document %s',
  { timeout: 240_000 },
  async (index) => {
    const { server, baseUrl } = await startHostileTarget();
    const file = await writeDocument(hostileSubjects[index ?? 0] ?? '', index ?? 0, true);
    const reports = join(folder, `target-${index}`);
    const contract = index === undefined ? [] : ['--contract', file];
    const target = ['conform', '--base-url', baseUrl, ...contract];
    const limits = ['--requests', '60', '--timeout', '5'];
    const key = { PETSTORE_API_KEY: 'k' };
    const { printed } = await run([...target, ...limits, '--report', reports], key);
    expect(findRaw(printed)).toEqual([]);
    await expectCleanFiles(reports);
    const curls = printed.match(/(?<=^ {2}curl {7}|^ {13})(printf|curl) .*$/gm) ?? [];
    expect(curls.length).toBeGreaterThan(3);
    expect(await runStubbed(curls)).toBe('curl\n'.repeat(curls.length));
    const replay = /--replay '(\S+?)'\n/.exec(printed)?.[1] ?? '';
    const again = await run([...target, '--replay', replay], key);
    expect(again.printed).not.toBe('');
    expect(findRaw(again.printed)).toEqual([]);
    const har = await run(['judge', join(reports, 'exchanges.har'), ...contract]);
    expect(findRaw(har.printed)).toEqual([]);
    server.close();
  },
);

/** Answers each request otherwise, and with hostile texts wherever HTTP takes one. */
async function startHostileTarget() {
  const all = hostileTexts.join(' ');
  const field = all.replaceAll(/[^\x20-\x7E\x80-\xFF]/g, ' ');
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    const text = hostileTexts[count % hostileTexts.length] ?? '';
    response.writeHead([200, 201, 404, 500][count % 4] ?? 200, field, {
      'content-type': count % 3 === 0 ? `text/${field}` : 'application/json',
      location: `/v1/\u009B${field}`,
      'x-ratelimit-limit': field,
      'x-l': field,
    });
    const list = [{ id: text, [text]: all }];
    response.end(JSON.stringify(count % 2 === 0 ? list : { code: text, message: all }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return { server, baseUrl: `http://127.0.0.1:${port}/v1` };
}

/** Runs lines in bash with a curl that prints its name alone. No file comes of it. */
async function runStubbed(lines: readonly string[]): Promise<string> {
  const stub = `curl() { case "$*" in *'--data-binary @-') cat >/dev/null;; esac; echo curl; }`;
  const before = await readdir(folder);
  const script = [stub, ...lines].join('\n');
  const env = { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: 'k', SHLVL: '2' };
  const ran = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: folder, env });
  expect(ran.stderr).toBe('');
  expect(await readdir(folder)).toEqual(before);
  return ran.stdout;
}

test(
  'a target that does not speak HTTP is reported with every character escaped',
  { timeout: 60_000 },
  async () => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`HTTP/1.1 200 ${hostileTexts.join('')}\r\n${hostileTexts.join('')}\r\n\r\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
    const { printed } = await run(['conform', '--base-url', baseUrl, '--requests', '30']);
    expect(findRaw(printed)).toEqual([]);
    server.close();
  },
);

test.for(hostileTexts)(
  'arguments of %j are printed with every character escaped',
  { timeout: 60_000 },
  async (text) => {
    const commands: readonly (readonly string[])[] = [
      [text],
      ['help', text],
      ['lint', text],
      ['lint', join(folder, text)],
      [`--${text}`],
      ['conform', `--${text}`],
      ['conform', '--base-url', text],
      ['conform', '--base-url', 'http://127.0.0.1:1', '--seed', text],
      ['conform', '--contract', text],
      ['conform', '--replay', text],
      ['diff', text, text],
      ['mock', '--contract', text],
      ['mock', '--port', text],
      ['mock', '--choose', text],
      ['mock', '--stubs', text],
      ['verify', text],
      ['verify', join(folder, text), '--public-key', text],
      ['merge', text],
      ['judge', text],
      ['judge-journal', '--mock', text],
      ['proxy', '--target', text],
      ['resources', text],
      ['completion', text],
      ['init', text],
      ['keygen', '--out', join(folder, 'none', text)],
      ['certify-client', '--scenario', text, '--', text],
      ['certify-client', '--scenario', 'all', '--', text, text],
    ];
    for (const argv of commands) {
      const { printed, code } = await run(argv, { PETSTORE_BASE_URL: text });
      expect([argv, findRaw(printed)]).toEqual([argv, []]);
      expect([argv, code]).toEqual([argv, argv[1] === text && argv[0] === 'help' ? code : 2]);
    }
  },
);
