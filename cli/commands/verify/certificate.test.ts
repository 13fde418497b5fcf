import { requirementsOf } from '../../../conformance/index.ts';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  closePayload,
  factsOf,
  loose,
  openPayload,
  signaturesOf,
} from '../../../test/certificate/forge.ts';
import { petstore } from '../../../test/contract/petstore.ts';
import { packageFile, readVersion } from '../../package/package-root.ts';
import { runCommand } from '../../../test/cli/command.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
const named = ['--target-name', 'Pet mock', '--target-version', '0.1.0'];
const certify = (place: string, ...argv: readonly string[]) =>
  runCommand('conform', '--quiet', '--certify', ...named, '--report', at(place), ...argv);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-certificate-'));
  await runCommand('keygen', '--out', at('ours'));
  await runCommand('keygen', '--out', at('theirs'));
  await certify('signed', '--sign', at('ours.pem'));
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('petstore keygen', () => {
  test('writes two keys, the private one readable only by its owner, and overwrites nothing', async () => {
    const { code, stdout } = await runCommand('keygen', '--out', at('new'));
    expect([code, (await stat(at('new.pem'))).mode & 0o777]).toEqual([0, 0o600]);
    expect(stdout).toMatch(/Key id: [0-9a-f]{64}\n$/);
    const before = await readFile(at('new.pem'), 'utf8');
    const again = await runCommand('keygen', '--out', at('new'));
    expect([again.code, again.stderr]).toEqual([
      2,
      `petstore keygen: ${at('new.pem')} already exists.\n`,
    ]);
    expect(await readFile(at('new.pem'), 'utf8')).toBe(before);
  });

  test('never leaves half of a pair behind', async () => {
    await writeFile(at('half.pub.pem'), 'old');
    expect((await runCommand('keygen', '--out', at('half'))).code).toBe(2);
    expect([
      await readFile(at('half.pub.pem'), 'utf8'),
      (await readdir(folder)).includes('half.pem'),
    ]).toEqual(['old', false]);
  });

  test('rejects invalid input in one line', async () => {
    for (const argv of [['--out', ''], ['--name', 'x'], ['x'], ['--out', at('no/such/folder')]]) {
      const { code, stderr } = await runCommand('keygen', ...argv);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^petstore keygen: [^\n]+\n$/)]);
    }
  });
});

describe('petstore conform --certify', () => {
  test('writes the certificate, its page and its badge beside the report', async () => {
    expect(await readdir(at('signed'))).toEqual(
      expect.arrayContaining(['badge.svg', 'certificate.html', 'certificate.json', 'report.json']),
    );
    const { certificate, ...report } = openPayload(
      await readFile(at('signed/certificate.json'), 'utf8'),
    );
    expect(certificate).toMatchObject({
      version: await readVersion(),
      target: { name: 'Pet mock', version: '0.1.0' },
      log: expect.stringMatching(/^[0-9a-f]{64}$/),
      settings: { seed: 1, exhaust: true },
    });
    expect(report).toEqual(JSON.parse(await readFile(at('signed/report.json'), 'utf8')));
  });

  test('says if it is unsigned, and if it does not conform', async () => {
    const { code, stdout } = await certify('looked', '--read-only');
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /Certificate: incomplete\. .*\n(.*\n)* {2}- .* and \d+ more not tested: read-only run: .*\n(.*\n)*.*UNSIGNED/,
      ),
    ]);
    const verified = await runCommand('verify', at('looked/certificate.json'));
    expect([verified.code, verified.stdout]).toEqual([
      2,
      expect.stringMatching(
        /^\S+ is NOT AUTHENTICATED: its content is consistent \(level: incomplete/,
      ),
    ]);
    expect(verified.stdout).toContain('It is UNSIGNED: anyone could have made it.');
    const words = verified.stdout.split(/[\s,:]+/);
    const printed = words.filter((word) => requirementsOf(petstore).get(word) !== undefined);
    expect(printed).toContain('createPet/status.201');
    expect(printed).toEqual([...new Set(printed)]);
  });

  test.each<[readonly string[], string]>([
    [['--certify'], '--certify needs --target-name'],
    [['--certify', '--target-name', ' ', '--target-version', '1'], '--certify needs --target-name'],
    [['--certify', '--target-name', 'x'], '--certify needs --target-version'],
    [
      ['--certify', '--target-name', 'x'.repeat(201), '--target-version', '1'],
      'has 201 characters, and must have at most 200',
    ],
    [['--target-name', 'x'], '--target-name needs --certify.'],
    [['--sign', 'key.pem'], '--sign needs --certify.'],
    [['--certify', ...named, '--save', 'saved'], '--certify and --save cannot be used together'],
    [['--certify', ...named, '--replay', 'r1-x'], '--replay and --certify cannot be used together'],
    [['--certify', ...named, '--sign', 'no-such-key.pem'], 'no-such-key.pem'],
    [
      ['--certify', ...named, '--sign', packageFile('package.json')],
      'is not an Ed25519 private key in PEM',
    ],
  ])('%j is rejected', async (argv, reason) => {
    const { code, stderr, stdout } = await runCommand('conform', ...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^petstore conform: [^\n]+\n$/);
    expect(stderr).toContain(reason);
  });
});

describe('petstore verify', () => {
  test('shows an auditor what was claimed, checked and found', async () => {
    const { code, stdout } = await runCommand(
      'verify',
      at('signed/certificate.json'),
      '--public-key',
      at('ours.pub.pem'),
      '--contract',
      packageFile('openapi.yaml'),
    );
    expect(code).toBe(0);
    for (const part of [
      'is valid. Level: conforms.',
      'server      Pet mock 0.1.0 at http://127.0.0.1:',
      'signed it.',
      'was judged again, and the report in the certificate is',
      'What a certificate cannot prove',
    ])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('NOT CHECKED');
  });

  test('does not call a certificate valid if no key shows who made it', async () => {
    const text = await readFile(at('signed/certificate.json'), 'utf8');
    await writeFile(at('unsigned.json'), closePayload(openPayload(text), []));
    const reasons = [
      [
        'signed/certificate.json',
        'its signature was not checked. Pass the key of the signer with --public-key.',
      ],
      ['unsigned.json', 'it is not signed: anyone could have made it.'],
    ] as const;
    for (const [name, reason] of reasons) {
      const file = at(name);
      const { code, stdout } = await runCommand('verify', file);
      const [headline = ''] = stdout.split('\n');
      expect([code, headline]).toEqual([
        2,
        `${file} is NOT AUTHENTICATED: its content is consistent (level: conforms), but ${reason}`,
      ]);
    }
  });

  test('reports what the given keys show about each signature', async () => {
    const text = await readFile(at('signed/certificate.json'), 'utf8');
    const statement = openPayload(text);
    loose(factsOf(statement)['target'])['name'] = 'Another';
    await writeFile(at('edited.json'), closePayload(statement, signaturesOf(text)));
    for (const [file, key] of [
      [at('edited.json'), at('ours.pub.pem')],
      [at('signed/certificate.json'), at('theirs.pub.pem')],
    ] as const) {
      const { code, stdout } = await runCommand('verify', file, '--public-key', key);
      expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
        1,
        expect.stringMatching(
          /It claims a signature by the key \w+: the signature matches NONE of/,
        ),
      ]);
      expect(stdout).not.toMatch(/not checked, because no/i);
    }
    await writeFile(at('no-envelope.json'), '{}');
    const { stdout } = await runCommand('verify', at('no-envelope.json'));
    expect(stdout).toContain('signatures  Not checked, because they could not be read.');
    expect(stdout).not.toContain('UNSIGNED');
  });

  test('shows the first difference with both values, whatever is in the file', async () => {
    const document = openPayload(await readFile(at('signed/certificate.json'), 'utf8'));
    loose(document['run'])['tag'] = 'x\u001B[2Jy\nz';
    await writeFile(at('forged.json'), closePayload(document, []));
    const { code, stdout } = await runCommand('verify', at('forged.json'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('is INVALID.')]);
    expect(stdout).toMatch(
      /Found\n {2}\/run\/tag\n {4}The certificate differs from its log\.\n {4}certificate: "x\\u001b\[2Jy\\nz"\n {4}log: "\w+"\n/,
    );
    expect(stdout).not.toContain('\u001B');
    expect(stdout).not.toContain('Pet mock');
  });

  test('prints the command that verifies a certificate of another version', async () => {
    const document = openPayload(await readFile(at('signed/certificate.json'), 'utf8'));
    factsOf(document)['version'] = '0.9.1';
    const files = { other: at("other 'shop'.json"), old: at('old.json'), evil: at('evil.json') };
    await writeFile(files.other, closePayload(document, []));
    await writeFile(files.old, closePayload({}, [], 'application/vnd.in-toto+json'));
    factsOf(document)['version'] = '0.9.1; id';
    await writeFile(files.evil, closePayload(document, []));
    const other = await runCommand(
      'verify',
      files.other,
      '--contract',
      packageFile('openapi.yaml'),
    );
    expect([other.code, other.stdout]).toEqual([
      2,
      expect.stringContaining('INCONCLUSIVE, it cannot be verified here'),
    ]);
    expect(other.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'It was made by petstore-contract 0.9.1, and this is',
    );
    expect(other.stdout).toContain(
      `\n  npx petstore-contract@0.9.1 verify '${at(String.raw`other '\''shop'\''.json`)}' --contract ${packageFile('openapi.yaml')}\n`,
    );
    const old = await runCommand('verify', files.old);
    expect([old.code, old.stdout]).toEqual([
      2,
      expect.stringContaining('It was made before 0.2.0, in another format.'),
    ]);
    expect(old.stdout).toContain(`\n  npx petstore-contract@0.1.0 verify ${files.old}\n`);
    const evil = await runCommand('verify', files.evil);
    expect([evil.code, evil.stdout]).toEqual([1, expect.stringContaining('is INVALID.')]);
    expect(evil.stdout).not.toContain('npx');
    const unsigned = await runCommand('verify', files.other, '--public-key', at('ours.pub.pem'));
    expect([unsigned.code, unsigned.stdout]).toEqual([1, expect.not.stringContaining('npx')]);
  });

  test('needs the document that the certificate is about', async () => {
    const books = packageFile('fixtures/documents/books.yaml');
    const file = at('signed/certificate.json');
    const { code, stdout } = await runCommand('verify', file, '--contract', books);
    expect([code, stdout]).toEqual([2, expect.stringContaining('It is for another document')]);
  });

  test('a key may be given twice', async () => {
    const keys = ['--public-key', at('ours.pub.pem'), '--public-key', at('ours.pub.pem')];
    const { code } = await runCommand('verify', at('signed/certificate.json'), ...keys);
    expect(code).toBe(0);
  });

  test.each<[readonly string[], string]>([
    [[], 'Usage: npx petstore-contract verify <certificate.json> [options].'],
    [['a.json', 'b.json'], 'Wrong number of arguments.'],
    [['no-such-file.json'], 'no-such-file.json'],
    [['.'], 'petstore verify: '],
    [['signed', '--sign', 'x'], "Unknown option '--sign'"],
    [['signed', '--public-key', 'no-such-key.pem'], 'no-such-key.pem'],
    [['signed', '--public-key', 'private'], 'is not an Ed25519 public key in PEM'],
    [['signed', '--contract', 'no-such.yaml'], 'no-such.yaml'],
  ])('%j is rejected', async (argv, reason) => {
    const place: Readonly<Record<string, string>> = {
      signed: at('signed/certificate.json'),
      private: at('ours.pem'),
    };
    const { code, stderr, stdout } = await runCommand(
      'verify',
      ...argv.map((word) => place[word] ?? word),
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^petstore verify: [^\n]+\n$/);
    expect(stderr).toContain(reason);
  });
});
