import { certificateLimits } from '../../contract/limits/index.ts';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from './base64.ts';
import { Refusal } from './finding.ts';
import { readEnvelope, renderEnvelope, renderPae, signPayload } from './envelope.ts';
import { createKeyPair, parseSigningKey, parseVerifyingKey } from './signing-key.ts';

/**
 * The test vector of DSSE 1.0.2, protocol.md: payload, type, PAE, envelope, and the key as the two
 * numbers of its point.
 */
const vector = {
  payload: 'hello world',
  payloadType: 'http://example.com/HelloWorld',
  pae: 'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  x: 46950820868899156662930047687818585632848591499744589407958293238635476079160n,
  y: 5640078356564379163099075877009565129882514886557779369047442380624545832820n,
  envelope:
    '{"payload": "aGVsbG8gd29ybGQ=",\n "payloadType": "http://example.com/HelloWorld",\n "signatures": [{"sig": "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="}]}',
};

const coordinate = (value: bigint): string =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64url');

const read = (text: string) => readEnvelope(Buffer.from(text));

describe('the envelope', () => {
  test('is that of the published test vector, whose signature is over our encoding', () => {
    const envelope = read(vector.envelope);
    const pae = renderPae(envelope.payloadType, envelope.payload);
    expect(pae.toString()).toBe(vector.pae);
    const key = createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: coordinate(vector.x), y: coordinate(vector.y) },
      format: 'jwk',
    });
    expect(
      verify(
        'sha256',
        pae,
        { key, dsaEncoding: 'ieee-p1363' },
        envelope.signatures[0]?.sig ?? Buffer.alloc(0),
      ),
    ).toBe(true);
  });

  test('counts bytes, not characters', () => {
    expect(renderPae('é', Buffer.from('日本')).toString()).toBe('DSSEv1 2 é 6 日本');
  });

  test('is signed so that bare node:crypto verifies it', () => {
    const { privateKey, publicKey, keyid } = createKeyPair();
    const payload = Buffer.from('{"a":1}');
    const text = renderEnvelope({
      payloadType: 'application/x',
      payload,
      signatures: [signPayload('application/x', payload, parseSigningKey(privateKey))],
    });
    const written: unknown = JSON.parse(text);
    expect(written).toEqual({
      payload: payload.toString('base64'),
      payloadType: 'application/x',
      signatures: [{ keyid, sig: expect.stringMatching(/^[\w+/]{86}==$/) }],
    });
    const sig = Buffer.from(/"sig": "([^"]+)"/.exec(text)?.[1] ?? '', 'base64');
    expect(
      verify(
        null,
        Buffer.from('DSSEv1 13 application/x 7 {"a":1}'),
        createPublicKey(publicKey),
        sig,
      ),
    ).toBe(true);
    expect(
      verify(
        null,
        Buffer.from('DSSEv1 13 application/x 7 {"a":2}'),
        createPublicKey(publicKey),
        sig,
      ),
    ).toBe(false);
  });

  test('accepts the maximum number of signatures, and not one more', () => {
    const most = certificateLimits.signatures;
    const withSignatures = (count: number): Buffer =>
      Buffer.from(
        JSON.stringify({
          payload: 'eA==',
          payloadType: 't',
          signatures: Array.from({ length: count }, () => ({ sig: 'eA==' })),
        }),
      );
    expect(readEnvelope(withSignatures(most)).signatures).toHaveLength(most);
    expect(() => readEnvelope(withSignatures(most + 1))).toThrow(Refusal);
  });

  test('ignores members that DSSE does not name', () => {
    const text =
      '{"payload":"eA==","payloadType":"t","note":1,"signatures":[{"sig":"eA==","cert":"c"}]}';
    expect(read(text)).toEqual({
      payload: Buffer.from('x'),
      payloadType: 't',
      signatures: [{ keyid: '', sig: Buffer.from('x') }],
    });
  });

  test.each([
    ['[]', 'envelope'],
    ['{"payload":"eA==","signatures":[]}', 'envelope'],
    ['{"payload":1,"payloadType":"t","signatures":[]}', 'envelope'],
    ['{"payload":"eA=","payloadType":"t","signatures":[]}', 'envelope'],
    ['{"payload":"eA==","payloadType":"t","signatures":{}}', 'envelope'],
    ['{"payload":"eA==","payloadType":"t","signatures":[{}]}', 'envelope'],
    ['{"payload":"eA==","payloadType":"t","signatures":[null]}', 'envelope'],
    ['{"payload":"eA==","payloadType":"t","signatures":[{"sig":"!"}]}', 'envelope'],
    ['{"payload":"eA==","payloadType":"t","signatures":[{"sig":"eA==","keyid":3}]}', 'envelope'],
    ['{"payload":"eA==","payload":"eQ==","payloadType":"t","signatures":[]}', 'json'],
    [
      '{"payload":"eA==","payloadType":"t","signatures":[{"sig":"eA==","\\u0073ig":"eA=="}]}',
      'json',
    ],
  ])('%s is refused', (text, kind) => {
    expect(() => readEnvelope(Buffer.from(text))).toThrow(
      expect.objectContaining({ finding: expect.objectContaining({ kind, weight: 'breaks' }) }),
    );
  });

  test.each(['', ' ', '{"payload":"eA==","payloadType":"t","signatures":[]', '\u{feff}{}'])(
    '%j is not JSON: whether it was an envelope is not known',
    (text) => {
      const finding = expect.objectContaining({ kind: 'json', weight: 'unclear' });
      expect(() => readEnvelope(Buffer.from(text))).toThrow(expect.objectContaining({ finding }));
    },
  );
});

describe('Base64', () => {
  test.each([
    ['', ''],
    ['eA==', 'x'],
    ['eA', 'x'],
    ['eHl6', 'xyz'],
    ['_-8=', 'ffef'],
    ['/+8=', 'ffef'],
    ['_-8', 'ffef'],
  ])('accepts %s', (text, found) => {
    const bytes = decodeBase64(text);
    expect(found === 'ffef' ? bytes?.toString('hex') : bytes?.toString()).toBe(found);
  });

  test.each(['eA=', 'eA===', 'e', 'eB==', 'eA==\n', 'e A=', '_+8=', 'eA==eA==', 'é'])(
    'refuses %j',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});

describe('a key', () => {
  const { privateKey, publicKey, keyid } = createKeyPair();

  test('has the same id from its private and its public half', () => {
    expect([parseSigningKey(privateKey).keyid, parseVerifyingKey(publicKey).keyid]).toEqual([
      keyid,
      keyid,
    ]);
    expect(keyid).toMatch(/^[0-9a-f]{64}$/);
  });

  test('verifies what it signed, and nothing else', () => {
    const [message, other] = [Buffer.from('a'), Buffer.from('b')];
    const sig = parseSigningKey(privateKey).sign(message);
    const key = parseVerifyingKey(publicKey);
    expect([
      key.verify(message, sig),
      key.verify(other, sig),
      key.verify(message, sig.subarray(1)),
      key.verify(message, Buffer.alloc(0)),
      key.verify(message, Buffer.alloc(1000)),
    ]).toEqual([true, false, false, false, false]);
  });

  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();

  test.each<[string, () => unknown, string]>([
    [
      'a public key to sign with',
      () => parseSigningKey(publicKey),
      'is not an Ed25519 private key in PEM',
    ],
    [
      'a private key to verify with',
      () => parseVerifyingKey(privateKey),
      'is not an Ed25519 public key in PEM',
    ],
    ['no PEM', () => parseVerifyingKey('key'), 'is not an Ed25519 public key in PEM'],
    [
      'a key of another kind',
      () => parseVerifyingKey(other),
      'is not an Ed25519 public key in PEM',
    ],
  ])('%s is refused', (_name, parse, reason) => {
    expect(parse).toThrow(expect.objectContaining({ code: 'key' }));
    expect(parse).toThrow(reason);
  });
});
