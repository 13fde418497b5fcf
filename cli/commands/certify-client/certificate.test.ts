import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyPair, parseSigningKey } from '../../../certificate/index.ts';
import {
  type Loose,
  chainAnew,
  closeStatement,
  list,
  loose,
  openStatement,
} from '../../../certificate/testing/forge.ts';
import { packageFile } from '../../package/package-root.ts';
import { startCommand } from '../../testing/command.ts';

const pair = createKeyPair();
const scenarios = [
  'plain',
  'retry-after-seconds',
  'revoked-key',
  'lost-answer',
  'large-ids',
  'nothing-remaining',
  'refused-body',
  'before-sunset',
];
const client = (name: string): readonly string[] => [
  process.execPath,
  packageFile(`selftest/clients/${name}-client.ts`),
];

let folder: string;
let text: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  await writeFile(join(folder, 'key.pem'), pair.privateKey);
  await writeFile(join(folder, 'key.pub.pem'), pair.publicKey);
  text = await certify('careful', ...scenarios.flatMap((id) => ['--scenario', id]));
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Certifies a client; the text of its certificate. */
const certify = async (name: string, ...flags: readonly string[]): Promise<string> => {
  const report = await mkdtemp(join(folder, 'report-'));
  await startCommand(
    'certify-client',
    '--certify',
    '--target-name',
    name,
    '--target-version',
    '1',
    '--sign',
    join(folder, 'key.pem'),
    '--report',
    report,
    ...flags,
    '--',
    ...client(name),
  ).ended;
  return await readFile(join(report, 'certificate.json'), 'utf8');
};

const verify = async (certificate: string): Promise<readonly [code: number, text: string]> => {
  const file = join(await mkdtemp(join(folder, 'verify-')), 'certificate.json');
  await writeFile(file, certificate);
  const { ended, stdout } = startCommand(
    'verify',
    file,
    '--public-key',
    join(folder, 'key.pub.pem'),
  );
  return [await ended, stdout()];
};

interface Parts {
  readonly predicate: Loose;
  readonly entries: unknown[];
  readonly configuration: Loose;
}

/** The certificate after a change, chained and signed anew by the holder of the key. */
const forge = (change: (parts: Parts) => void, certificate = text): string => {
  const statement = openStatement(certificate);
  const predicate = loose(statement['predicate']);
  change({
    predicate,
    entries: list(loose(predicate['log'])['entries']),
    configuration: loose(predicate['configuration']),
  });
  renumber(list(loose(predicate['log'])['entries']));
  chainAnew(statement);
  return closeStatement(statement, [parseSigningKey(pair.privateKey)]);
};

const renumber = (entries: readonly unknown[]): void =>
  entries.forEach((each, index) => void (loose(loose(each)['entry'])['index'] = index));
const entryOf = ({ entries }: Parts, scenario: string, nth = 0): Loose =>
  loose(
    entries.map((each) => loose(loose(each)['entry'])).filter(({ probe }) => probe === scenario)[
      nth
    ],
  );
const responseOf = (entry: Loose): Loose => loose(loose(entry['outcome'])['response']);

describe('the certificate of a client', () => {
  test('is verified by playing its log again', async () => {
    const [code, told] = await verify(text);
    expect([code, told]).toEqual([
      1,
      expect.stringContaining('certificate.json holds, and says: incomplete,'),
    ]);
  });

  test('conforms with every scenario, and holds no key', { timeout: 120_000 }, async () => {
    const whole = await certify('careful');
    const [code, told] = await verify(whole);
    expect([code, told]).toEqual([
      0,
      expect.stringContaining('certificate.json holds, and says: conforms.'),
    ]);
    expect(JSON.stringify(openStatement(whole))).not.toMatch(/free_[a-z]+/);
  });

  test.each([
    [
      'a request left out',
      (parts: Parts) =>
        void parts.entries.splice(
          parts.entries.findIndex((each) => loose(loose(each)['entry'])['probe'] === 'plain'),
          1,
        ),
    ],
    [
      'the refused request left out',
      (parts: Parts) =>
        void parts.entries.splice(
          parts.entries.findIndex(
            (each) => loose(loose(each)['entry'])['probe'] === 'retry-after-seconds',
          ),
          1,
        ),
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
        for (const entry of parts.entries.map((each) => loose(loose(each)['entry']))) {
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
        const at = parts.entries.findIndex(
          (each) => loose(loose(each)['entry'])['probe'] === 'plain',
        );
        parts.entries.splice(at, 0, structuredClone(parts.entries[at]));
      },
    ],
    [
      'two scenarios in the names of each other',
      (parts: Parts) => {
        for (const entry of parts.entries.map((each) => loose(loose(each)['entry'])))
          if (entry['probe'] === 'plain') entry['probe'] = 'lost-answer';
      },
    ],
    [
      'the end of a command edited',
      (parts: Parts) =>
        void (loose(list(parts.configuration['scenarios'])[0])['end'] = {
          kind: 'exited',
          code: 3,
        }),
    ],
    [
      'a scenario that must succeed said to need not',
      (parts: Parts) =>
        void (loose(list(parts.configuration['scenarios'])[0])['mustSucceed'] = false),
    ],
    [
      'a scenario that does not exist',
      (parts: Parts) =>
        void list(parts.configuration['scenarios']).push({
          id: 'none',
          mustSucceed: true,
          end: { kind: 'exited', code: 0 },
          openedAt: 0,
        }),
    ],
    ['a configuration of no form', (parts: Parts) => void (parts.configuration['more'] = 1)],
    [
      'a verdict edited',
      (parts: Parts) =>
        void (loose(list(parts.predicate['verdicts'])[0])['verdict'] = 'not-tested'),
    ],
    ['the level edited', (parts: Parts) => void (parts.predicate['level'] = 'conforms')],
  ])('is found out: %s', async (_, change) => {
    const [code, told] = await verify(forge(change));
    expect([code, told]).toEqual([1, expect.stringMatching(/certificate\.json DOES NOT HOLD/)]);
  });

  test('holds with other words in the body of an error, and with other space in that of a success', async () => {
    const [code, told] = await verify(
      forge(({ entries }) => {
        for (const entry of entries.map((each) => loose(loose(each)['entry']))) {
          if (loose(entry['outcome'])['kind'] !== 'answered') continue;
          const response = responseOf(entry);
          response['body'] =
            Number(response['status']) >= 400
              ? '{"message":"No."}'
              : `${String(response['body'])} `;
        }
      }),
    );
    expect([code, told]).toEqual([
      1,
      expect.stringContaining('certificate.json holds, and says: incomplete,'),
    ]);
  });

  test('is not found out where the end of a command decides nothing: that rests on those who signed', async () => {
    const [code, told] = await verify(
      forge(({ configuration }) => {
        const revoked = list(configuration['scenarios'])
          .map(loose)
          .find(({ id }) => id === 'revoked-key');
        if (revoked !== undefined) revoked['end'] = { kind: 'exited', code: 0 };
      }),
    );
    expect([code, told]).toEqual([
      1,
      expect.stringContaining('certificate.json holds, and says: incomplete,'),
    ]);
  });

  test(
    'of a client that breaks a rule cannot be made to conform by leaving out what broke it',
    { timeout: 60_000 },
    async () => {
      const stubborn = await certify('stubborn', '--scenario', 'retry-after-seconds');
      expect(await verify(stubborn)).toEqual([
        1,
        expect.stringContaining('holds, and says: failed,'),
      ]);
      const mended = forge(({ entries }) => void entries.splice(1), stubborn);
      expect(await verify(mended)).toEqual([1, expect.stringMatching(/DOES NOT HOLD/)]);
    },
  );
});
