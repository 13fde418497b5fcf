import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile } from '../../cli/package/package-root.ts';
import {
  listHostileDocuments,
  type HostileDocument,
} from '../../contract/testing/hostile/hostile-documents.ts';

/** What one command came to. */
interface Outcome {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** Seconds of processor time, and MB of memory; undefined where it was ended. */
  readonly seconds: number | undefined;
  readonly megabytes: number | undefined;
  readonly statuses: readonly string[];
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    commands: { type: 'string', default: 'lint,resources,mock,conform' },
    most: { type: 'string', default: '25' },
    all: { type: 'boolean', default: false },
    output: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const probe = join(folder, 'probe.cjs');
writeFileSync(
  probe,
  `process.on('exit', () => { const u = process.resourceUsage(); require('node:fs').writeFileSync(process.env.HOSTILE_FIGURES, JSON.stringify([(u.userCPUTime + u.systemCPUTime) / 1e6, u.maxRSS / 1024])); });`,
);

/** Answers everything alike; at `/b` with other values. */
const target = createServer((request, response) => {
  request.resume();
  const isOther = request.url?.startsWith('/b') === true;
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
  response.end(isOther ? '{"name":1,"a":[]}' : '{"name":"a","a":1,"id":1}');
}).listen(0, '127.0.0.1');
await once(target, 'listening');
const bound = target.address();
const origin = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;

const script = join(folder, 'client.mjs');
writeFileSync(
  script,
  `const base = process.env.PETSTORE_BASE_URL;
for (const path of ['/good', '/hostile', '/hostile/1', '/p1'])
  for (const init of [{}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }])
    await fetch(base + path, init).then((response) => response.text(), () => '');`,
);

const traffic = join(folder, 'traffic.har');
writeFileSync(traffic, JSON.stringify({ log: { version: '1.2', entries: composeTraffic() } }));

const reports = join(folder, 'reports');
const shards = join(folder, 'shards');
const suite = ['--contract', '@', '--requests', '20'];
const judged = ['conform', '--base-url', `${origin}/a`, '--force', ...suite];

/** `@` stands for the document. `merge` works on what `shard` left, `verify` on what `certify` did. */
const commands: Readonly<Record<string, readonly string[]>> = {
  lint: ['lint', '@'],
  resources: ['resources', '@'],
  mock: ['mock', '--port', '0', '--contract', '@'],
  conform: ['conform', ...suite],
  diff: ['diff', `${origin}/a`, `${origin}/b`, ...suite],
  proxy: ['proxy', '--target', `${origin}/a`, '--port', '0', '--contract', '@'],
  judge: ['judge', traffic, '--target', 'https://api.example/v1', '--contract', '@'],
  client: 'certify-client --contract @ --scenario plain --'
    .split(' ')
    .concat(process.execPath, script),
  certify: [
    ...judged,
    '--report',
    reports,
    ...'--certify --target-name a --target-version 1'.split(' '),
  ],
  shard: [...judged, '--report', shards, ...'--shard 1/2 --fuzz 400'.split(' ')],
  merge: ['merge', shards, '--contract', '@', '--allow-missing'],
  verify: ['verify', join(reports, 'certificate.json'), '--contract', '@'],
};
const servers = new Set(['mock', 'proxy']);

function composeTraffic(): readonly object[] {
  return ['/good', '/hostile', '/hostile/1', '/p1'].flatMap((path) =>
    ['GET', 'POST'].map((method) => ({
      startedDateTime: '2026-06-01T12:00:00.000Z',
      time: 1,
      request: {
        method,
        url: `https://api.example/v1${path}`,
        headers: [{ name: 'content-type', value: 'application/json' }],
        ...(method === 'POST'
          ? { postData: { mimeType: 'application/json', text: '{"a":1}' } }
          : {}),
      },
      response: {
        status: 200,
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { mimeType: 'application/json', text: '{"name":1,"a":[1]}' },
      },
    })),
  );
}

for (const document of listHostileDocuments(Number(values.seed))) {
  if (!new RegExp(values.only).test(document.name)) continue;
  for (const command of values.commands.split(',')) await tell(document, command);
}
rmSync(folder, { recursive: true });
target.closeAllConnections();
target.close();

async function tell(document: HostileDocument, command: string): Promise<void> {
  const outcome = await run(document, command);
  const wrong = listWrong(document, command, outcome);
  if (wrong.length === 0 && !values.all) return;
  const figures = `${outcome.seconds?.toFixed(1) ?? '?'} s ${outcome.megabytes?.toFixed(0) ?? '?'} MB`;
  console.log(
    [
      document.name,
      command,
      outcome.code ?? outcome.signal,
      figures,
      outcome.statuses.join(' '),
      ...wrong,
    ].join(' | '),
  );
  if (values.output) console.log(outcome.output.slice(0, 3000));
}

function listWrong(document: HostileDocument, command: string, outcome: Outcome): string[] {
  const { code, signal, seconds = 0, megabytes = 0, output, statuses } = outcome;
  const wrong: string[] = [];
  if (signal !== null || code === null) wrong.push(`ended by ${signal}`);
  else if (code > 2) wrong.push(`exit code ${code}`);
  if (/heap limit|out of memory/.test(output)) wrong.push('OUT OF MEMORY');
  if (/^\s+at .*[(:/]/m.test(output) || /RangeError|TypeError|internal/i.test(output))
    wrong.push('STACK TRACE');
  if (seconds > 5) wrong.push('SLOW');
  if (megabytes > 400) wrong.push('LARGE');
  if (command === 'lint' && document.isRefused !== true && code === 2) wrong.push('refused');
  if (command === 'lint' && document.told !== undefined && !output.includes(document.told))
    wrong.push('nothing told');
  if (output.length > 200_000) wrong.push(`${output.length} characters of output`);
  if (command === 'mock' && document.isRefused !== true && statuses[0] !== '200')
    wrong.push('the sound operation is not served');
  if (statuses.some((status) => status === 'no response'))
    wrong.push('a request without a response');
  return wrong;
}

async function run(document: HostileDocument, command: string): Promise<Outcome> {
  for (const [name, text] of Object.entries(document.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const file = join(folder, 'openapi.json' in document.files ? 'openapi.json' : 'openapi.yaml');
  const { overlay } = document;
  const found = overlay === undefined ? [file] : [file, `--overlay=${join(folder, overlay)}`];
  const argv = (commands[command] ?? []).flatMap((word) => (word === '@' ? found : [word]));
  const figures = join(folder, 'figures.json');
  rmSync(figures, { force: true });
  const node = [
    process.execPath,
    '--max-old-space-size=300',
    '--require',
    probe,
    packageFile('cli/petstore.ts'),
  ];
  const child = spawn(
    'bash',
    ['-c', `ulimit -t ${values.most}; exec "$@"`, 'bash', ...node, ...argv],
    { cwd: folder, env: { ...process.env, HOSTILE_FIGURES: figures } },
  );
  let output = '';
  const statuses: string[] = [];
  let asked = false;
  const collect = (chunk: Buffer): void => {
    if (output.length < 5_000_000) output += chunk.toString();
    const address = /http:\/\/127\.0\.0\.1:\d+(?:\/a\b)?/.exec(output)?.[0];
    if (!servers.has(command) || asked || address === undefined) return;
    asked = true;
    void ask(address, statuses).finally(() => child.kill());
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...ended) => resolve(ended)),
  );
  let measured: (number | undefined)[] = [];
  try {
    measured = JSON.parse(readFileSync(figures, 'utf8'));
  } catch {}
  const [seconds, megabytes] = measured;
  return { code, signal, output, seconds, megabytes, statuses };
}

async function ask(address: string, statuses: string[]): Promise<void> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
  const wishes: readonly (readonly [string, RequestInit?])[] = [
    ['/good'],
    ['/hostile'],
    ['/hostile', post],
    ['/hostile/1', { headers: { authorization: 'Bearer demo-free' } }],
    ['/p1'],
    ['/p1', post],
    ['/good'],
  ];
  for (const [path, init] of wishes) {
    try {
      const response = await fetch(address + path, {
        ...init,
        signal: AbortSignal.timeout(60_000),
      });
      const body = await response.text();
      statuses.push(`${response.status}${body.length > 100_000 ? `(${body.length})` : ''}`);
    } catch {
      statuses.push('no response');
      return;
    }
  }
}
