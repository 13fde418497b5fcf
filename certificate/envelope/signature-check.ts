import { type Envelope, renderPae } from './envelope.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { type CertificateFinding, breaks, notice, unclear } from './finding.ts';
import type { VerifyingKey } from './signing-key.ts';

export interface SignatureState {
  /** As the envelope has it: a hint, covered by no signature. */
  readonly keyid: string;
  /** The key whose signature it was shown to be; undefined where none of the keys given made it. */
  readonly signer: string | undefined;
}

/** What is known of the signatures of an envelope, and what was found. */
export interface SignatureCheck {
  readonly states: readonly SignatureState[];
  readonly findings: readonly CertificateFinding[];
}

/**
 * Checks signatures against keys. Each of the keys must have signed, and counts once however often
 * it did. A keyid decides nothing: every signature is tried with every key, and one that is of none
 * of them takes nothing from the others (DSSE 1.0.2, protocol.md, "Multi-signature Verification").
 */
export function checkSignatures(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly VerifyingKey[],
): SignatureCheck {
  const message = renderPae(payloadType, payload);
  const states = signatures.map(({ keyid, sig }) => ({
    keyid,
    signer: keys
      .toSorted((one, other) => Number(other.keyid === keyid) - Number(one.keyid === keyid))
      .find((key) => key.verify(message, sig))?.keyid,
  }));
  return {
    states,
    findings: [
      ...keys.flatMap(({ keyid }) => judgeKey(keyid, states)),
      ...states.flatMap((state, index) => judgeState(state, index, states, keys)),
    ],
  };
}

/** Why an envelope has more signatures, for its size and so many keys, than are tried. */
export function findSignedExcess(
  { payload, signatures }: Pick<Envelope, 'payload' | 'signatures'>,
  keys: number,
): CertificateFinding | undefined {
  const tried = signatures.filter(({ sig }) => sig.length === signatureBytes).length;
  const [size, allowed] = [payload.length * tried * keys, certificateLimits.signedBytes];
  const sentence = `It is too large: checking ${tried} signatures over ${payload.length.toLocaleString('en')} bytes with ${keys} keys means ${size.toLocaleString('en')} bytes, and at most ${allowed.toLocaleString('en')} are allowed.`;
  return size > allowed ? unclear('size', 'signatures', sentence) : undefined;
}

/** A signature of Ed25519 (RFC 8032, section 5.1.6); another one is of no key. */
const signatureBytes = 64;

/** A key that was given must have signed. */
function judgeKey(keyid: string, states: readonly SignatureState[]): readonly CertificateFinding[] {
  if (states.some(({ signer }) => signer === keyid)) return [];
  const [kind, sentence] = explainKey(keyid, states);
  return [breaks(kind, 'signatures', sentence)];
}

function explainKey(
  keyid: string,
  states: readonly SignatureState[],
): readonly ['signer' | 'signature', string] {
  const key = `the key ${keyid}`;
  if (states.length === 0) return ['signer', `It is unsigned, but ${key} should have signed it.`];
  if (states.some((state) => state.keyid === keyid))
    return [
      'signature',
      `The signature of ${key} does not match this payload: the payload was edited after it was signed, or the signature belongs to something else.`,
    ];
  const names = states.map((state) => (state.keyid === '' ? 'a key without a name' : state.keyid));
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return [
    'signer',
    `The key ${keyid} did not sign it; it names ${names.slice(0, most).join(' and ')}${more}.`,
  ];
}

/** Most names in one sentence. */
const most = 5;

function judgeState(
  { keyid, signer }: SignatureState,
  index: number,
  states: readonly SignatureState[],
  keys: readonly VerifyingKey[],
): readonly CertificateFinding[] {
  const where = `signatures[${index}]`;
  if (signer !== undefined && states.slice(0, index).some((other) => other.signer === signer))
    return [notice('signatures', where, `The key ${signer} signed it again: it counts once.`)];
  if (signer !== undefined)
    return keyid === signer || keyid === ''
      ? []
      : [notice('signature', where, `A signature of the key ${signer} names the key ${keyid}.`)];
  if (keys.length === 0) return [];
  const sentence = `A signature in the name of the key ${keyid === '' ? '(none)' : keyid} is not by any of the given keys: it is ignored.`;
  return [notice('signature', where, sentence)];
}
