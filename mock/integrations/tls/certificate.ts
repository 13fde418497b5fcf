import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bits,
  boolean,
  encodeDer,
  instant,
  objectId,
  octets,
  sequence,
  setOf,
  unsigned,
  utf8,
} from './der.ts';

/** A certificate with its private key, both as PEM. */
export interface TlsIdentity {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
}

const dayMilliseconds = 86_400_000;

/** ecdsa-with-SHA256 (RFC 5758 section 3.2). */
const signatureAlgorithm = sequence(objectId('1.2.840.10045.4.3.2'));

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
  const content = encodeContent(publicKey, [...names], now);
  const signature = sign('sha256', content, privateKey);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: renderPem(sequence(content, signatureAlgorithm, bits(signature))),
  };
}

/** What is signed: TBSCertificate (RFC 5280 section 4.1). */
function encodeContent(publicKey: KeyObject, hosts: readonly string[], now: number): Buffer {
  const name = sequence(setOf(sequence(objectId('2.5.4.3'), utf8('petstore mock'))));
  return sequence(
    encodeDer(0xa0, unsigned(Buffer.from([2]))),
    unsigned(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    signatureAlgorithm,
    name,
    sequence(
      instant(new Date(now - dayMilliseconds)),
      instant(new Date(now + 365 * dayMilliseconds)),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, sequence(...encodeExtensions(hosts))),
  );
}

/** RFC 5280 section 4.2: constraints, key usage, extended usage (serverAuth), names. */
function encodeExtensions(hosts: readonly string[]): readonly Buffer[] {
  const isSigner = sequence(boolean(true), unsigned(Buffer.from([0])));
  const signsItself = bits(Buffer.from([0b1000_0100]), 2);
  return [
    sequence(objectId('2.5.29.19'), boolean(true), octets(isSigner)),
    sequence(objectId('2.5.29.15'), boolean(true), octets(signsItself)),
    sequence(objectId('2.5.29.37'), octets(sequence(objectId('1.3.6.1.5.5.7.3.1')))),
    sequence(objectId('2.5.29.17'), octets(sequence(...hosts.map(encodeHost)))),
  ];
}

/** GeneralName: an address as bytes, any other host as a DNS name. */
function encodeHost(host: string): Buffer {
  switch (isIP(host)) {
    case 4:
      return encodeDer(0x87, Buffer.from(host.split('.').map(Number)));
    case 6:
      return encodeDer(0x87, bytesOfIpv6(host));
    default:
      return encodeDer(0x82, Buffer.from(host));
  }
}

function bytesOfIpv6(host: string): Buffer {
  // As URLs write it: lower case, without a zone and without an IPv4 tail.
  const [head = '', tail] = new URL(`http://[${host.replace(/%.*/, '')}]`).hostname
    .slice(1, -1)
    .split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from(
    [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}

function renderPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
