import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFlags } from './options/flags.ts';
import { loadDefinitions } from './main.ts';
import { startCommand } from '../test/cli/command.ts';

/**
 * Every command with every option that names a file is given malformed files: each run
 * ends with an exit code of the three that there are, and with no stack trace.
 * `ROUNDS=50 npx vitest run cli/hostile-files` gives each of them more.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);

/** Further arguments that let commands end on their own: nothing listens on port 9. */
const besides: Readonly<Record<string, readonly string[]>> = {
  mock: ['--port=0'],
  conform: ['--base-url=http://127.0.0.1:9/v1', '--requests=60', '--quiet'],
  diff: ['http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v2', '--requests=60'],
  proxy: ['--target=http://127.0.0.1:9/v1', '--port=0'],
  'certify-client': ['--scenario=none', '--', 'true'],
  'judge-journal': ['--mock=http://127.0.0.1:9'],
  // It would write its keys into the folder that the tests run in.
  keygen: ['--out=@again'],
};

/** What an option has no meaning without. */
const companions: Readonly<Record<string, (file: string) => readonly string[]>> = {
  '--sign': () => ['--certify', '--report=@reports.d'],
  '--tls-key': (file) => [`--tls-cert=${file}`],
  '--tls-cert': (file) => [`--tls-key=${file}`],
};

/** A way of a file into a command. */
interface Way {
  readonly command: string;
  /** `--seed`, or the placeholder of the argument: `<report>`. */
  readonly place: string;
  readonly argv: (file: string) => readonly string[];
}

const ways: readonly Way[] = (await loadDefinitions()).flatMap((definition): readonly Way[] => {
  const command = definition.name;
  const more = besides[command] ?? [];
  const words = /^<[^>]*(?:file|report|document|har|json)[^>]*>/.exec(definition.usage)?.[0];
  const flags = Object.entries(listFlags(definition)).filter(([, { value }]) =>
    value?.includes('<file>'),
  );
  return [
    ...(words === undefined
      ? []
      : [{ command, place: words, argv: (file: string) => [command, file, ...more] }]),
    ...flags.map(([name]) => {
      const place = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const subject = words === undefined ? [] : [samplePath(words)];
      return {
        command,
        place,
        argv: (file: string) => [
          command,
          ...subject,
          `${place}=${file}`,
          ...(companions[place]?.(file) ?? []),
          ...(place === '--journal' ? [] : more),
        ],
      };
    }),
  ];
});

let folder: string;
const at = (...path: readonly string[]): string => join(folder, ...path);

/** A genuine file for the word of a command; its folder is known only when the tests run. */
function samplePath(word: string): string {
  if (word.includes('certificate')) return '@certificate.json';
  if (word.includes('report')) return '@report.json';
  return word.includes('har') ? '@traffic.har' : '@document.json';
}

const entry = {
  startedDateTime: '2026-06-01T12:00:00.000Z',
  time: 12.5,
  request: {
    method: 'GET',
    url: 'https://api.example/v1/pets',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'authorization', value: 'Bearer k' }],
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: 0,
  },
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'content-type', value: 'application/json' }],
    cookies: [],
    content: { size: 2, mimeType: 'application/json', text: '[]' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 2,
  },
  cache: {},
  timings: { send: 0, wait: 1, receive: 1 },
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things/{thingId}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'It.',
            headers: { ETag: { schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: { thingId: { type: 'integer' }, name: { type: 'string' } },
      },
    },
  },
};

/** Files as their writers make them: what hostile ones are made of. */
const genuine: Record<string, string> = {
  'document.json': JSON.stringify(document),
  'traffic.har': JSON.stringify({
    log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [entry, entry] },
  }),
  'overlay.json': JSON.stringify({
    overlay: '1.0.0',
    info: { title: 'x', version: '1' },
    actions: [{ target: '$.info', update: { title: 'Other' } }],
  }),
  'waivers.json': JSON.stringify([
    { requirement: 'getPet/status.404', reason: 'r', owner: 'o', expires: '2026-12-31' },
  ]),
  'stubs.json': JSON.stringify([
    { match: { method: 'GET', path: '/pets' }, response: { status: 200, body: [] } },
  ]),
  'config.json': JSON.stringify({ mock: { port: 0 }, conform: { requests: 60 } }),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-hostile-'));
  await mkdir(at('a-folder'));
  await startCommand('keygen', `--out=${at('key')}`).ended;
  await startCommand('conform', '--requests=60', '--quiet', `--report=${folder}`, '--certify')
    .ended;
  for (const name of ['report.json', 'certificate.json', 'report.har'])
    genuine[name] = await readFile(at(name), 'utf8').catch(() => '{}');
  for (const [name, text] of Object.entries(genuine)) await writeFile(at(name), text);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Values of unexpected types. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    2 ** 53,
    1e308,
    '',
    ' ',
    'x'.repeat(100_000),
    '\u0000\u001b[31m\u202e',
    '\ud800',
    '__proto__',
    '../../etc/passwd',
    'http://[::1',
    '%zz',
    '$[?(@.x',
    '(a+)+$',
    [],
    {},
    [[[]]],
    { $ref: '#' },
    { $ref: '#/components/schemas/Thing' },
    { ['__proto__']: 1 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A JSON text of which some values were replaced, left out, doubled or moved. */
const mutated = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.nat(), strange, fc.constantFrom('replace', 'remove', 'add', 'twice')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) => {
      const value: unknown = JSON.parse(text);
      for (const [pick, given, way] of changes) {
        const places = listPlaces(value);
        const place = places[pick % places.length];
        if (place === undefined) continue;
        const { parent, name } = place;
        if (way === 'remove') Reflect.deleteProperty(parent, name);
        else if (way === 'add') Reflect.set(parent, `${name}x`, given);
        else Reflect.set(parent, name, way === 'twice' ? structuredClone(parent) : given);
      }
      return JSON.stringify(value);
    });

interface Place {
  readonly parent: object;
  readonly name: string;
}

function listPlaces(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    { parent: value, name },
    ...listPlaces(member),
  ]);
}

const bytes = (text: string): fc.Arbitrary<Uint8Array> => fc.constant(Buffer.from(text, 'latin1'));

/** Files that are no JSON or YAML of the kind meant, whatever that is. */
const foreign = fc.oneof(
  fc.uint8Array({ maxLength: 4000 }),
  fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
  ...[
    '',
    ' \n',
    '\xef\xbb\xbf{}',
    '\xff\xfe{\x00}\x00',
    'PK\x03\x04',
    '\x1f\x8b\x08',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    '[1e400]',
    `[${'1'.repeat(5000)}]`,
    '['.repeat(5000),
    '{"a":'.repeat(5000),
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `{"a":"${'\\n'.repeat(200_000)}`,
    '- '.repeat(3000),
    '- ['.repeat(2000),
    'a: &a [*a]',
    'a: &a\n  <<: *a',
    `a: &a [x,x]\n${Array.from({ length: 30 }, (_, index) => `b${index}: &b${index} [*${index === 0 ? 'a' : `b${index - 1}`},*${index === 0 ? 'a' : `b${index - 1}`}]`).join('\n')}`,
    '%YAML 9.9\n---\n!!js/function x',
    '--- 1\n--- 2\n',
    'x: !!binary "*"\n? [a]\n: b\n',
    `openapi: 3.1.0\ninfo: ${'{a: '.repeat(900)}`,
    '\u0000'.repeat(1000),
  ].map(bytes),
);

const genuineFor: Readonly<Record<string, readonly string[]>> = {
  '<certificate.json>': ['certificate.json'],
  '<report>': ['report.json'],
  '<traffic.har>': ['traffic.har', 'report.har'],
  '<document>': ['document.json'],
  '<file>': ['document.json'],
  '--contract': ['document.json'],
  '--overlay': ['overlay.json'],
  '--waivers': ['waivers.json'],
  '--stubs': ['stubs.json'],
  '--like': ['report.json'],
  '--seed-from': ['traffic.har', 'report.json'],
  '--config': ['config.json'],
};

/** Ends a server as soon as it listens. */
async function run(argv: readonly string[]): Promise<{ code: unknown; printed: string }> {
  const command = startCommand(...argv.map((each) => each.replace(/@(?=[a-z.]+$)/, `${folder}/`)));
  const isServer = argv[0] === 'mock' || argv[0] === 'proxy';
  if (isServer) await Promise.race([command.ended, command.printed(/http:\/\/127\.0\.0\.1:\d+/)]);
  if (isServer) await command.stop();
  return { code: await command.ended, printed: `${command.stdout()}\n${command.stderr()}` };
}

const trace = /^\s+at .+[:(]\d+|This is a bug in petstore/m;

test('lists every command that reads a file', async () => {
  const without = new Set(['init', 'completion']);
  const here = new Set(ways.map(({ command }) => command));
  const all = (await loadDefinitions())
    .map(({ name }) => name)
    .filter((name) => !without.has(name));
  expect(all.filter((name) => !here.has(name))).toEqual([]);
});

test.each(ways.map((way) => [`${way.command} ${way.place}`, way] as const))(
  '%s reads any file without a stack trace',
  async (name, { place, argv }) => {
    const texts = (genuineFor[place] ?? []).map((each) => genuine[each] ?? '{}');
    const file = at(`given-${name.replaceAll(/[^a-z]+/g, '-')}.json`);
    const contents = fc.oneof(
      foreign,
      ...texts.map((text) => mutated(text).map((each) => Buffer.from(each))),
    );
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        await writeFile(file, content);
        const { code, printed } = await run(argv(file));
        expect(printed).not.toMatch(trace);
        expect([0, 1, 2]).toContain(code);
      }),
      { numRuns: rounds, seed: 14, endOnFailure: true },
    );
    for (const odd of [at('a-folder'), at('none'), '/dev/null', '/dev/zero', 'x\u0000y']) {
      const { code, printed } = await run(argv(odd));
      expect(printed).not.toMatch(trace);
      expect([0, 1, 2]).toContain(code);
    }
  },
  120_000,
);
