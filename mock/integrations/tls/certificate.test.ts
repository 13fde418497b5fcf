import { X509Certificate, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCertificate } from './certificate.ts';

const now = Date.UTC(2026, 5, 1, 12);
const identity = createCertificate(
  ['mock.example', '192.168.1.20', 'fe80::1%eth0', '2001:DB8::8:800:200C:417A', '::ffff:10.0.0.1'],
  now,
);
const certificate = new X509Certificate(identity.cert);

test('is signed by its own key', () => {
  expect(certificate.verify(createPublicKey(identity.key))).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect([certificate.subject, certificate.issuer]).toEqual([
    'CN=petstore mock',
    'CN=petstore mock',
  ]);
});

test.each(['localhost', 'mock.example'])('is good for %s', (host) => {
  expect(certificate.checkHost(host)).toBe(host);
});

test.each([
  '127.0.0.1',
  '::1',
  '192.168.1.20',
  'fe80::1',
  '2001:db8::8:800:200c:417a',
  '::ffff:10.0.0.1',
])('is good for %s', (address) => {
  expect(certificate.checkIP(address)).toBe(address);
});

test('is good for nothing else', () => {
  expect([certificate.checkHost('other.example'), certificate.checkIP('127.0.0.2')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('is for servers, may be trusted as a root, and is good for a year', () => {
  expect([certificate.ca, certificate.keyUsage]).toEqual([true, ['1.3.6.1.5.5.7.3.1']]);
  expect([certificate.validFromDate, certificate.validToDate]).toEqual([
    new Date(now - 86_400_000),
    new Date(now + 365 * 86_400_000),
  ]);
});

test('is good beyond 2049, where dates are written in another way', () => {
  const late = new X509Certificate(createCertificate([], Date.UTC(2049, 11, 31, 23)).cert);
  expect([late.validFromDate, late.validToDate]).toEqual([
    new Date('2049-12-30T23:00:00Z'),
    new Date('2050-12-31T23:00:00Z'),
  ]);
});

test('is never the same twice', () => {
  const other = new X509Certificate(createCertificate([], now).cert);
  expect(other.serialNumber).not.toBe(certificate.serialNumber);
  expect(other.verify(createPublicKey(identity.key))).toBe(false);
});
