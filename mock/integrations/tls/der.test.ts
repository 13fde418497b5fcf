import { expect, test } from 'vitest';
import {
  bits,
  boolean,
  encodeDer,
  instant,
  objectId,
  octets,
  sequence,
  unsigned,
  utf8,
} from './der.ts';

/** The values of each kind as ITU-T X.690 has them. */
test.each<[string, Buffer, string]>([
  ['a short length', octets(Buffer.from('ab')), '04026162'],
  ['a length of one byte', encodeDer(0x04, Buffer.alloc(200)).subarray(0, 3), '0481c8'],
  ['a length of two bytes', encodeDer(0x04, Buffer.alloc(500)).subarray(0, 4), '048201f4'],
  ['zero', unsigned(Buffer.from([0, 0])), '020100'],
  ['a number with a high bit', unsigned(Buffer.from([0x80])), '02020080'],
  ['a number without leading zeros', unsigned(Buffer.from([0, 0, 0x7f])), '02017f'],
  ['an object identifier', objectId('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
  ['true', boolean(true), '0101ff'],
  ['bits', bits(Buffer.from([0x84]), 2), '03020284'],
  ['text', utf8('é'), '0c02c3a9'],
  ['a sequence', sequence(boolean(false), utf8('')), '30050101000c00'],
  [
    'an instant',
    instant(new Date('2026-06-01T12:00:00Z')),
    `170d${Buffer.from('260601120000Z').toString('hex')}`,
  ],
  [
    'an instant from 2050 on',
    instant(new Date('2050-01-01T00:00:00.5Z')),
    `180f${Buffer.from('20500101000000Z').toString('hex')}`,
  ],
])('%s', (_name, bytes, hex) => {
  expect(bytes.toString('hex')).toBe(hex);
});
