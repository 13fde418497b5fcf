import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate with its private key, both as PEM. */
export interface TlsIdentity {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
}

const dayMilliseconds = 86_400_000;

/** ecdsa-with-SHA256 (RFC 5758 section 3.2). */
const signatureAlgorithm = der(0x30, hex('06082a8648ce3d040302'));

/** commonName (RFC 5280 section 4.1.2.4). */
const name = der(
  0x30,
  der(0x31, der(0x30, hex('0603550403'), der(0x0c, Buffer.from('petstore mock')))),
);

/** A CA that signs itself and nothing below, with digitalSignature, keyCertSign and serverAuth (section 4.2.1). */
const purposes = hex(
  '30120603551d130101ff040830060101ff020100300e0603551d0f0101ff04040302028430130603551d25040c300a06082b06010505070301',
);

/**
 * A self-signed certificate (RFC 5280) with a new key (P-256), for `localhost`, `127.0.0.1`, `::1`
 * and the hosts given, for a year. May be trusted as a root, since its key goes with the process.
 */
export function createCertificate(
  hosts: readonly string[] = [],
  now = Date.now(),
): TlsIdentity & { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = new Set(['localhost', '127.0.0.1', '::1', ...hosts]);
  const alternatives = der(0x30, ...[...names].map(encodeHost));
  // TBSCertificate (section 4.1), version 3.
  const content = der(
    0x30,
    hex('a003020102'),
    der(0x02, Buffer.from([1]), randomBytes(15)),
    signatureAlgorithm,
    name,
    der(0x30, encodeInstant(now - dayMilliseconds), encodeInstant(now + 365 * dayMilliseconds)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, purposes, der(0x30, hex('0603551d11'), der(0x04, alternatives)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: renderPem(der(0x30, content, signatureAlgorithm, signature)),
  };
}

/** GeneralName: an address as bytes, any other host as a DNS name. */
function encodeHost(host: string): Buffer {
  switch (isIP(host)) {
    case 4:
      return der(0x87, Buffer.from(host.split('.').map(Number)));
    case 6:
      return der(0x87, bytesOfIpv6(host));
    default:
      return der(0x82, Buffer.from(host));
  }
}

function bytesOfIpv6(host: string): Buffer {
  // As URLs write it: lower case, without a zone and without an IPv4 tail.
  const { hostname } = new URL(`http://[${host.replace(/%.*/, '')}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return hex([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''));
}

/** UTCTime before 2050, GeneralizedTime from then on (RFC 5280 section 4.1.2.5). */
function encodeInstant(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\.\d+|[-:T]/g, '');
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

/** A value with its tag and length (ITU-T X.690), of less than 64 KiB. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function renderPem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
