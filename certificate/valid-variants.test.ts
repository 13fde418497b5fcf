import { expect, test } from 'vitest';
import { exitCodeOf } from '../cli/commands/verify.ts';
import { certifyMock, createParty, verifyWith } from '../test/cli/certificates.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { payloadType } from './certificate.ts';
import {
  closePayload,
  list,
  type Loose,
  loose,
  openPayload,
  signaturesOf,
} from '../test/certificate/forge.ts';

/** What DSSE 1.0.2 and RFC 8259 leave free changes nothing. */
const [party, stranger] = [createParty(), createParty()];

const good = (await certifyMock(contract, party)).text;

/** The file after a change of its envelope. */
const enveloped = (change: (envelope: Loose, signature: Loose) => void): string => {
  const envelope = loose(JSON.parse(good));
  change(envelope, loose(list(envelope['signatures'])[0]));
  return JSON.stringify(envelope);
};
const urlSafe = (text: unknown): string => String(text).replaceAll('+', '-').replaceAll('/', '_');
const unpadded = (text: unknown): string => String(text).replaceAll('=', '');

/** A value with the members of every object in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
};
const signed = (payload: string): string => closePayload(payload, [party.secret]);
const strange = signaturesOf(closePayload(openPayload(good), [stranger.secret]));

test.each<[string, string]>([
  ['as it is', good],
  ['in one line', JSON.stringify(JSON.parse(good))],
  ['laid out with tabs', JSON.stringify(JSON.parse(good), undefined, '\t')],
  ['with the line ends of Windows', good.replaceAll('\n', '\r\n')],
  ['with white space around it', `\n\t ${good}\n\n`],
  ['with its members in another order', JSON.stringify(reversed(JSON.parse(good)))],
  ['with escapes in its texts', good.replace('"payload"', String.raw`"\u0070ayload"`)],
  [
    'in URL-safe Base64',
    enveloped((envelope, signature) => {
      envelope['payload'] = urlSafe(envelope['payload']);
      signature['sig'] = urlSafe(signature['sig']);
    }),
  ],
  [
    'in URL-safe Base64 without padding',
    enveloped((envelope, signature) => {
      envelope['payload'] = unpadded(urlSafe(envelope['payload']));
      signature['sig'] = unpadded(urlSafe(signature['sig']));
    }),
  ],
  [
    'in Base64 without padding',
    enveloped((envelope, signature) => {
      envelope['payload'] = unpadded(envelope['payload']);
      signature['sig'] = unpadded(signature['sig']);
    }),
  ],
  ['without a keyid', enveloped((_, signature) => void delete signature['keyid'])],
  ['with an empty keyid', enveloped((_, signature) => void (signature['keyid'] = ''))],
  [
    'with a keyid that does not fit',
    enveloped((_, signature) => void (signature['keyid'] = stranger.open.keyid)),
  ],
  [
    'with members that DSSE does not name',
    enveloped((envelope, signature) => {
      envelope['note'] = 'gold';
      signature['cert'] = '-----BEGIN CERTIFICATE-----';
    }),
  ],
  [
    'beside a signature of somebody else',
    closePayload(openPayload(good), [...signaturesOf(good), ...strange]),
  ],
  [
    'behind one of somebody else in its name',
    closePayload(openPayload(good), [
      ...strange.map(({ sig }) => ({ keyid: party.open.keyid, sig })),
      ...signaturesOf(good),
    ]),
  ],
  [
    'after one that is not a signature',
    closePayload(openPayload(good), [
      { keyid: party.open.keyid, sig: Buffer.from('x') },
      ...signaturesOf(good),
    ]),
  ],
  ['signed twice', closePayload(openPayload(good), [...signaturesOf(good), ...signaturesOf(good)])],
  ['with a payload that is laid out', signed(JSON.stringify(openPayload(good), undefined, 2))],
  ['with a payload in another order', signed(JSON.stringify(reversed(openPayload(good))))],
])('a certificate verifies %s', async (_name, text) => {
  const verification = await verifyWith(contract, text, { keys: [party.open] });
  expect(verification.findings).toEqual([]);
  expect(exitCodeOf(verification)).toBe(0);
  expect(exitCodeOf(await verifyWith(contract, text))).toBe(2);
});

test.each([
  ['with a byte order mark', `\u{feff}${good}`],
  ['with something behind it', `${good}{}`],
  ['with a NUL behind it', `${good}\u0000`],
  ['with a comment', good.replace('{', '{ // shop\n')],
  ['with a comma too many', good.replace(/\}\s*$/, ',}')],
  ['that is another kind of file', 'id,name\n1,Rex\n'],
])('a file %s is rejected as not JSON', async (_name, text) => {
  const verification = await verifyWith(contract, text, { keys: [party.open] });
  const [first] = verification.findings;
  expect([exitCodeOf(verification), first?.kind, first?.weight]).toEqual([2, 'json', 'unclear']);
});

test.each<[string, string, string]>([
  ['with a member twice', good.replace('{', '{"payloadType":"x",'), 'json'],
  ['in a list', `[${good}]`, 'envelope'],
  [
    'with line breaks in Base64',
    good.replace('"payload": "', String.raw`"payload": "\n`),
    'envelope',
  ],
  [
    'with both alphabets in one text',
    enveloped((envelope) => void (envelope['payload'] = `-+${String(envelope['payload'])}`)),
    'envelope',
  ],
  [
    'with another type of payload',
    enveloped((envelope) => void (envelope['payloadType'] = payloadType.toUpperCase())),
    'signature',
  ],
  [
    'with a parameter of its type',
    closePayload(openPayload(good), [party.secret], `${payloadType}; v=1`),
    'payload-type',
  ],
  [
    'with a payload that starts with a byte order mark',
    signed(`\u{feff}${JSON.stringify(openPayload(good))}`),
    'json',
  ],
  ['with something behind its payload', signed(`${JSON.stringify(openPayload(good))} {}`), 'json'],
])('a certificate is refused %s', async (_name, text, kind) => {
  const verification = await verifyWith(contract, text, { keys: [party.open] });
  const [first] = verification.findings;
  expect([exitCodeOf(verification), first?.kind, first?.weight]).toEqual([1, kind, 'breaks']);
});
