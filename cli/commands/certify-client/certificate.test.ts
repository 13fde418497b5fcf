import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Loose, list, loose } from '../../../test/certificate/forge.ts';
import {
  type ClientCertifier,
  type Parts,
  clientCommand,
  openClientCertifier,
} from '../../../test/cli/client-certificates.ts';

const scenarios = [
  'plain',
  'retry-after-seconds',
  'revoked-key',
  'lost-response',
  'large-ids',
  'nothing-remaining',
  'refused-body',
  'before-sunset',
];
let certifier: ClientCertifier;
let text: string;
beforeAll(async () => {
  certifier = await openClientCertifier();
  const flags = scenarios.flatMap((id) => ['--scenario', id]);
  text = await certifier.certify(clientCommand('careful'), ...flags);
}, 120_000);
afterAll(async () => {
  await certifier[Symbol.asyncDispose]();
});

const verify: ClientCertifier['verify'] = (certificate) => certifier.verify(certificate);
const forge = (change: (parts: Parts) => void, certificate = text): string =>
  certifier.forge(certificate, change);

const entryOf = ({ exchanges }: Parts, scenario: string, nth = 0): Loose =>
  loose(exchanges.filter(({ probe }) => probe === scenario)[nth]);
const indexOf = ({ exchanges }: Parts, scenario: string): number =>
  exchanges.findIndex(({ probe }) => probe === scenario);
const responseOf = (entry: Loose): Loose => loose(loose(entry['outcome'])['response']);

describe('the certificate of a client', () => {
  test('is verified by replaying its log', async () => {
    const [code, output] = await verify(text);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('certificate.json is valid, but its level is incomplete'),
    ]);
  });

  test.each([
    [
      'a request left out',
      (parts: Parts) => void parts.exchanges.splice(indexOf(parts, 'plain'), 1),
    ],
    [
      'the refused request left out',
      (parts: Parts) => void parts.exchanges.splice(indexOf(parts, 'retry-after-seconds'), 1),
    ],
    [
      'a request sent later than it was',
      (parts: Parts) => {
        const entry = entryOf(parts, 'retry-after-seconds', 1);
        [entry['sentAt'], entry['endedAt']] = [
          Number(entry['sentAt']) + 70_000,
          Number(entry['endedAt']) + 70_000,
        ];
      },
    ],
    [
      'a body edited',
      (parts: Parts) => {
        for (const entry of parts.exchanges) {
          const request = loose(entry['request']);
          if (entry['probe'] === 'plain' && typeof request['body'] === 'string')
            request['body'] = request['body'].replace(/"name":"/, '"name":"Not ');
        }
      },
    ],
    [
      'a response edited',
      (parts: Parts) => {
        const response = responseOf(entryOf(parts, 'plain'));
        response['body'] = String(response['body']).replace(/"name":"/, '"name":"Not ');
      },
    ],
    [
      'a status edited',
      (parts: Parts) => void (responseOf(entryOf(parts, 'retry-after-seconds'))['status'] = 200),
    ],
    [
      'an exchange twice',
      (parts: Parts) => {
        const at = indexOf(parts, 'plain');
        parts.exchanges.splice(at, 0, structuredClone(loose(parts.exchanges[at])));
      },
    ],
    [
      'two scenarios in the names of each other',
      (parts: Parts) => {
        for (const entry of parts.exchanges)
          if (entry['probe'] === 'plain') entry['probe'] = 'lost-response';
      },
    ],
    [
      'the end of a command edited',
      (parts: Parts) =>
        void (loose(list(parts.settings['scenarios'])[0])['end'] = {
          kind: 'exited',
          code: 3,
        }),
    ],
    [
      'a scenario that must succeed said to need not',
      (parts: Parts) => void (loose(list(parts.settings['scenarios'])[0])['mustSucceed'] = false),
    ],
    [
      'a scenario that does not exist',
      (parts: Parts) =>
        void list(parts.settings['scenarios']).push({
          id: 'none',
          mustSucceed: true,
          end: { kind: 'exited', code: 0 },
          openedAt: 0,
        }),
    ],
    ['unknown settings', (parts: Parts) => void (parts.settings['more'] = 1)],
    [
      'a verdict edited',
      (parts: Parts) => void (loose(list(parts.document['verdicts'])[0])['verdict'] = 'not-tested'),
    ],
    ['the outcome edited', (parts: Parts) => void (parts.document['outcome'] = 'inconclusive')],
  ])('is detected: %s', async (_, change) => {
    const [code, output] = await verify(forge(change));
    expect([code, output]).toEqual([1, expect.stringMatching(/certificate\.json is INVALID/)]);
  });

  test('stays valid with other text in an error body, and other white space in a success', async () => {
    const [code, output] = await verify(
      forge(({ exchanges }) => {
        for (const entry of exchanges) {
          if (loose(entry['outcome'])['kind'] !== 'answered') continue;
          const response = responseOf(entry);
          response['body'] =
            Number(response['status']) >= 400
              ? '{"message":"No."}'
              : `${String(response['body'])} `;
        }
      }),
    );
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('certificate.json is valid, but its level is incomplete'),
    ]);
  });

  test('does not detect a changed end of a command that decides nothing: there the signature counts', async () => {
    const [code, output] = await verify(
      forge(({ settings }) => {
        const revoked = list(settings['scenarios'])
          .map(loose)
          .find(({ id }) => id === 'revoked-key');
        if (revoked !== undefined) revoked['end'] = { kind: 'exited', code: 0 };
      }),
    );
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('certificate.json is valid, but its level is incomplete'),
    ]);
  });

  test(
    'cannot be made to conform by leaving out the exchange that broke a rule',
    { timeout: 60_000 },
    async () => {
      const stubborn = await certifier.certify(
        clientCommand('stubborn'),
        '--scenario',
        'retry-after-seconds',
      );
      expect(await verify(stubborn)).toEqual([
        1,
        expect.stringContaining('is valid, but its level is failed'),
      ]);
      const mended = forge(({ exchanges }) => void exchanges.splice(1), stubborn);
      expect(await verify(mended)).toEqual([1, expect.stringMatching(/is INVALID/)]);
    },
  );
});
