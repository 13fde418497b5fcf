import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyPair, parseSigningKey, parseVerifyingKey } from '../../certificate/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { readKey } from './certificate-files.ts';

const own = createKeyPair();
const second = createKeyPair();

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-key-'));
  file = join(folder, 'key.pem');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const publicOf = async (text: string) => {
  await writeFile(file, text);
  return (await readKey(file, parseVerifyingKey)).keyid;
};
const privateOf = async (text: string) => {
  await writeFile(file, text);
  return (await readKey(file, parseSigningKey)).keyid;
};

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const spki = { type: 'spki', format: 'pem' } as const;
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const locked = generateKeyPairSync('ed25519').privateKey.export({
  ...pkcs8,
  cipher: 'aes-256-cbc',
  passphrase: 'x',
});

describe('a key file', () => {
  test.each([
    ['as it is made', (pem: string) => pem],
    ['with explanation around the key', (pem: string) => `Key of the shop\n\n${pem}\nbye\n`],
    ['with the line ends of Windows', (pem: string) => pem.replaceAll('\n', '\r\n')],
    ['without a line end', (pem: string) => pem.trimEnd()],
  ])('is accepted %s', async (_name, change) => {
    expect(await publicOf(change(own.publicKey))).toBe(own.keyid);
    expect(await privateOf(change(own.privateKey))).toBe(own.keyid);
  });

  test.each<[string, string]>([
    ['two keys', own.publicKey + second.publicKey],
    ['one key twice', own.publicKey + own.publicKey],
    ['a pair', own.publicKey + own.privateKey],
    ['a private key', own.privateKey],
    ['an RSA key', rsa.publicKey.export(spki).toString()],
    ['a certificate of X.509', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'],
    ['no key', 'hello'],
    ['a key cut off', own.publicKey.slice(0, 60)],
    ['nothing', ''],
  ])('of %s is rejected as a public key', async (_name, text) => {
    await expect(publicOf(text)).rejects.toMatchObject({
      code: 'argument',
      message: expect.stringContaining('key.pem is not an Ed25519 public key in PEM'),
    });
  });

  test.each<[string, string]>([
    ['two keys', own.privateKey + second.privateKey],
    ['a public key', own.publicKey],
    ['an RSA key', rsa.privateKey.export(pkcs8).toString()],
    ['a key under a passphrase', locked.toString()],
    ['no key', 'hello'],
  ])('of %s is rejected as a private key', async (_name, text) => {
    await expect(privateOf(text)).rejects.toMatchObject({
      code: 'argument',
      message: expect.stringContaining('key.pem is not an Ed25519 private key in PEM'),
    });
  });

  test('is read up to its limit, and not beyond', async () => {
    const most = certificateLimits.keyFileBytes;
    const padded = (size: number): string => own.publicKey.padEnd(size, '\n');
    expect(await publicOf(padded(most))).toBe(own.keyid);
    await expect(publicOf(padded(most + 1))).rejects.toThrow(
      `key.pem is too large: it has ${(most + 1).toLocaleString('en')} bytes`,
    );
  });

  test.runIf(process.platform === 'linux')('that never ends is not read to its end', async () => {
    await expect(readKey('/dev/zero', parseVerifyingKey)).rejects.toThrow('/dev/zero is too large');
  });
});
