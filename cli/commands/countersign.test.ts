import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSigningKey, parseVerifyingKey, type SigningKey } from '../../certificate/index.ts';
import {
  closeStatement,
  list,
  loose,
  openStatement,
  signaturesOf,
} from '../../certificate/testing/forge.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { runCommand } from '../testing/command.ts';

let folder: string;
let [text, ours, theirs]: [string, SigningKey | undefined, string] = ['', undefined, ''];
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-countersign-'));
  await runCommand('keygen', '--out', at('ours'));
  await runCommand('keygen', '--out', at('theirs'));
  const named = ['--target-name', 'shop', '--target-version', '1', '--sign', at('ours.pem')];
  await runCommand('conform', '--quiet', '--certify', ...named, '--report', folder);
  text = await readFile(at('certificate.json'), 'utf8');
  ours = parseSigningKey(await readFile(at('ours.pem'), 'utf8'));
  theirs = parseVerifyingKey(await readFile(at('theirs.pub.pem'), 'utf8')).keyid;
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Countersigns a file with their key, given our public one, and tells what stands there then. */
const countersign = async (file: string, ...keys: readonly string[]) => {
  await writeFile(at('file.json'), file);
  const signed = ['countersign', at('file.json'), '--sign', at('theirs.pem')];
  const { code, stderr } = await runCommand(...signed, ...keys);
  return { code, stderr, file: await readFile(at('file.json'), 'utf8') };
};
const key = (): readonly string[] => ['--public-key', at('ours.pub.pem')];
const noise = (keyid: string) => ({ keyid, sig: Buffer.alloc(64, 7) });

test('a signature that only bears its name keeps nobody from countersigning', async () => {
  const named = closeStatement(openStatement(text), [...signaturesOf(text), noise(theirs)]);
  const { code, stderr, file } = await countersign(named, ...key());
  expect([code, stderr]).toEqual([0, '']);
  await writeFile(at('both.json'), file);
  const keys = [...key(), '--public-key', at('theirs.pub.pem')];
  const { code: verified, stdout } = await runCommand('verify', at('both.json'), ...keys);
  expect([verified, stdout]).toEqual([0, expect.stringContaining('holds, and says: conforms.')]);
});

test('its own signature counts once, under whatever name it stands there', async () => {
  const { file } = await countersign(text, ...key());
  const [first, own] = signaturesOf(file);
  if (first === undefined || own === undefined) throw new Error('It was not signed.');
  const renamed = closeStatement(openStatement(text), [first, { ...own, keyid: 'somebody' }]);
  const again = await countersign(renamed, ...key());
  expect(again).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is already signed by this key'),
    file: renamed,
  });
});

test.each<[string, () => string]>([
  ['unsigned', () => closeStatement(openStatement(text), [])],
  [
    'signed by bytes that are no signature',
    () => closeStatement(openStatement(text), [noise('x')]),
  ],
  [
    'of another name under the same signature',
    () => {
      const statement = openStatement(text);
      loose(loose(statement['predicate'])['target'])['name'] = 'Other';
      loose(list(statement['subject'])[0])['name'] = 'Other@1';
      return closeStatement(statement, signaturesOf(text));
    },
  ],
])('a certificate that is %s is not countersigned, with a key or without', async (_name, make) => {
  const forged = make();
  const without = await countersign(forged);
  expect(without).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it is not authenticated. Give the --public-key'),
    file: forged,
  });
  const given = await countersign(forged, ...key());
  expect(given).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was not signed: it does not hold'),
    file: forged,
  });
});

test('a statement with members that nobody vouches for is not countersigned', async () => {
  if (ours === undefined) throw new Error('There is no key.');
  const strange = closeStatement({ ...openStatement(text), note: 'gold' }, [ours]);
  expect(await countersign(strange, ...key())).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('members that in-toto does not define'),
    file: strange,
  });
});

test('no more signatures are added than certificateLimits.signatures allows', async () => {
  const { most } = certificateLimits.signatures;
  const filled = (count: number): string =>
    closeStatement(openStatement(text), [
      ...signaturesOf(text),
      ...Array.from({ length: count - 1 }, (_, index) => noise(`k${index}`)),
    ]);
  expect((await countersign(filled(most - 1), ...key())).code).toBe(0);
  expect(await countersign(filled(most), ...key())).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`it has ${most} signatures, the maximum`),
  });
});
