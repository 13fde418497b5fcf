import { afterAll, beforeAll, expect, test } from 'vitest';
import { factsOf, list, loose, openPayload, type Loose } from '../../../test/certificate/forge.ts';
import {
  type ClientCertifier,
  type Parts,
  clientCommand,
  openClientCertifier,
} from '../../../test/cli/client-certificates.ts';

/**
 * Forgeries of a client's certificate by the holder of the key that take away or add what no count
 * of the mock shows.
 */
const careful = clientCommand('careful');

/**
 * Asks without the key, with a wrong one, without HTTP, and sends its key where it does not belong,
 * and bytes that are not text.
 */
const odd: readonly string[] = [
  process.execPath,
  '-e',
  `
  const { connect } = require('node:net');
  const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
  const ask = async (path, init) => { await (await fetch(base + path, init)).text(); };
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const tell = (text) => new Promise((done) => { const socket = connect(new URL(base).port, '127.0.0.1', () => socket.write(text)); socket.on('data', () => socket.destroy()).on('close', done); });
  (async () => {
    await ask('/pets');
    for (const authorization of ['Bearer wrong-key', 'Bearer', 'Basic abc', 'Token abcdef', key, 'Bearer ' + key + 'x', 'Bearer free_alice', 'Bearer undefined']) await ask('/pets?limit=2', { headers: { authorization } });
    await tell('rubbish\\r\\n\\r\\n');
    await tell('GET /v1/pets HTTP/1.1\\r\\n\\r\\n');
    await ask('/pets', { method: 'POST', headers, body: JSON.stringify({ name: 'Rex', categoryId: key }) });
    await ask('/pets', { method: 'POST', headers, body: Buffer.from([123, 255, 125]) });
    await ask('/pets', { method: 'POST', headers, body: '{"name":"\\ufffd","categoryId":1}' });
    await ask('/pets', { method: 'POST', headers, body: JSON.stringify({ name: 'x'.repeat(2e6) }) });
    await ask('/pets?limit=1', { headers });
  })();
`,
];

let certifier: ClientCertifier;
let [whole, strange] = ['', ''];
beforeAll(async () => {
  certifier = await openClientCertifier();
  const { certify } = certifier;
  [whole, strange] = await Promise.all([certify(careful), certify(odd, '--scenario', 'plain')]);
}, 120_000);
afterAll(async () => {
  await certifier[Symbol.asyncDispose]();
});

const verify: ClientCertifier['verify'] = (certificate) => certifier.verify(certificate);
const forge: ClientCertifier['forge'] = (...change) => certifier.forge(...change);

const of = ({ exchanges }: Parts, scenario: string): readonly Loose[] =>
  exchanges.filter(({ probe }) => probe === scenario);
const scenariosOf = ({ settings }: Parts): readonly Loose[] =>
  list(settings['scenarios']).map(loose);

test('both unchanged certificates are valid, whatever the client sent', async () => {
  expect(await verify(whole)).toEqual([0, expect.stringContaining('is valid. Level: conforms.')]);
  expect(await verify(strange)).toEqual([
    1,
    expect.stringContaining('is valid, but its level is failed'),
  ]);
});

test('a certificate contains no key, even if the mock quoted it in a refusal', () => {
  expect(JSON.stringify(openPayload(strange))).toContain(
    'must be an integer, not the string \\\\\\"[redacted]\\\\\\"',
  );
  expect(JSON.stringify(openPayload(strange))).not.toContain('free_plain');
  expect(JSON.stringify(openPayload(whole))).not.toMatch(/free_[a-z]+/);
});

test.each<[string, (parts: Parts) => void]>([
  [
    'a request recorded as not HTTP',
    (parts) => void (loose(of(parts, 'plain')[0]?.['request'])['method'] = ''),
  ],
  [
    'an exchange added as one that was no HTTP',
    ({ exchanges }) => {
      const [first] = structuredClone(exchanges);
      if (first !== undefined)
        exchanges.unshift({ ...first, request: { ...loose(first['request']), method: '' } });
    },
  ],
  [
    'a request recorded as not read to its end',
    (parts) => {
      for (const { intent } of of(parts, 'plain')) loose(intent)['isWhole'] = false;
    },
  ],
  [
    'an earlier end of the response to a request that was not read to its end',
    (parts) => {
      const [refused] = of(parts, 'retry-after-seconds');
      if (refused !== undefined)
        [refused['endedAt'], loose(refused['intent'])['isWhole']] = [
          Number(refused['endedAt']) - 1900,
          false,
        ];
    },
  ],
  [
    'a request recorded as sent before the response that asks for a wait',
    (parts) => {
      const [first, second] = of(parts, 'repeated-429');
      if (first !== undefined && second !== undefined)
        [second['sentAt'], second['endedAt']] = [
          Number(first['sentAt']) - 1,
          Number(first['endedAt']) - 1,
        ];
    },
  ],
  [
    'the client recorded as observed at another time',
    ({ document, settings }) => {
      [settings['from'], settings['to']] = [0, 4e12];
      Object.assign(loose(document['run']), {
        startedAt: '1970-01-01T00:00:00.000Z',
        milliseconds: 4e12,
      });
    },
  ],
  [
    'the client recorded as observed after its requests',
    (parts) => {
      const later = Number(parts.settings['to']) + 1;
      for (const scenario of scenariosOf(parts)) scenario['openedAt'] = later;
      [parts.settings['from'], parts.settings['to']] = [later, later];
      Object.assign(loose(parts.document['run']), {
        startedAt: new Date(later).toISOString(),
        milliseconds: 0,
      });
    },
  ],
  [
    'a request recorded before its connection was opened',
    (parts) => {
      const times = loose(loose(of(parts, 'plain')[0]?.['intent'])['times']);
      times['opened'] = Number(times['arrived']) + 5;
    },
  ],
  [
    'a request recorded after its connection was closed',
    (parts) => {
      const times = loose(loose(of(parts, 'plain')[0]?.['intent'])['times']);
      times['closed'] = Number(times['arrived']) - 0.5;
    },
  ],
  [
    'a rule recorded as not applicable',
    ({ document }) => {
      const [verdict] = list(document['verdicts']).map(loose);
      delete verdict?.['exchanges'];
      Object.assign(Object(verdict), { verdict: 'not-tested', reason: 'it does not apply' });
    },
  ],
  [
    'an address in the words of none',
    ({ document }) => void (loose(document['target'])['baseUrl'] = 'null'),
  ],
])('is detected: %s', async (_, change) => {
  expect(await verify(forge(whole, change))).toEqual([1, expect.stringContaining('is INVALID')]);
});

test.each<[string, (parts: Parts) => void]>([
  [
    'a request without the key recorded as outside of all operations',
    ({ exchanges }) => void (loose(exchanges[0]?.['request'])['operation'] = ''),
  ],
  [
    'a request with a wrong key recorded as outside of all operations',
    ({ exchanges }) => void (loose(exchanges[1]?.['request'])['operation'] = ''),
  ],
  [
    'a request with a wrong key recorded with the right key',
    ({ exchanges }) => void (loose(exchanges[1]?.['request'])['credential'] = 'valid'),
  ],
  [
    'bytes that are not HTTP recorded as answered with an item',
    ({ exchanges }) => {
      const rubbish = exchanges.find(({ request }) => loose(request)['method'] === '');
      if (rubbish !== undefined) loose(loose(rubbish['outcome'])['response'])['status'] = 200;
    },
  ],
])('is detected for a client that sends odd requests: %s', async (_, change) => {
  expect(await verify(forge(strange, change))).toEqual([
    1,
    expect.stringMatching(/is INVALID.*In a replay/),
  ]);
});

test(
  'a certificate needs every scenario: without one it is neither created nor verified',
  { timeout: 60_000 },
  async () => {
    const left = 'banned-key';
    const forged = forge(whole, (parts) => {
      parts.settings['scenarios'] = scenariosOf(parts).filter(({ id }) => id !== left);
      parts.exchanges.splice(
        0,
        parts.exchanges.length,
        ...parts.exchanges.filter(({ probe }) => probe !== left),
      );
    });
    expect(await verify(forged)).toEqual([
      1,
      expect.stringContaining(`but not every scenario was run: ${left}.`),
    ]);
    const others = scenariosOf({
      document: {},
      exchanges: [],
      settings: loose(factsOf(openPayload(whole))['settings']),
    }).flatMap(({ id }) => (id === left ? [] : ['--scenario', String(id)]));
    expect(await certifier.certify(careful, ...others)).toContain(
      `but not every scenario was run: ${left}.`,
    );
  },
);
