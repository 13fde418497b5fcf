import { type Envelope, type Signature, renderPae } from './envelope.ts';
import { type CertificateFinding, breaks, notice } from './finding.ts';
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
 * Checks signatures against keys. Each of the keys must have signed. A keyid decides nothing: every
 * signature is tried with every key (DSSE protocol.md, "KEYID").
 */
export function checkSignatures(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly VerifyingKey[],
): SignatureCheck {
  const message = renderPae(payloadType, payload);
  const states = signatures.map(({ keyid, sig }) => ({
    keyid,
    signer: keys.find((key) => key.verify(message, sig))?.keyid,
  }));
  return {
    states,
    findings: [
      ...findRepetition(signatures),
      ...keys.flatMap(({ keyid }) => judgeKey(keyid, states)),
      ...states.flatMap((state, index) => judgeState(state, index, keys)),
    ],
  };
}

/** One signer that stands there twice looks like two. */
function findRepetition(signatures: readonly Signature[]): readonly CertificateFinding[] {
  return signatures.flatMap(({ keyid, sig }, index) => {
    const before = signatures.slice(0, index);
    const where = `signatures[${index}]`;
    const named = `The key ${keyid} is named by two signatures: one signer must not count twice.`;
    if (keyid !== '' && before.some((other) => other.keyid === keyid))
      return [breaks('signatures', where, named)];
    return before.some((other) => other.sig.equals(sig))
      ? [breaks('signatures', where, 'One signature stands there twice, under two names.')]
      : [];
  });
}

/** A key that was given must have signed, and once. */
function judgeKey(keyid: string, states: readonly SignatureState[]): readonly CertificateFinding[] {
  const made = states.filter(({ signer }) => signer === keyid);
  if (made.length === 1) return [];
  const [kind, sentence] = explainKey(keyid, made.length, states);
  return [breaks(kind, 'signatures', sentence)];
}

function explainKey(
  keyid: string,
  made: number,
  states: readonly SignatureState[],
): readonly ['signatures' | 'signer' | 'signature', string] {
  const key = `the key ${keyid}`;
  if (made > 1)
    return [
      'signatures',
      `The key ${keyid} signed ${made} times: one signer must not count twice.`,
    ];
  if (states.length === 0) return ['signer', `It is unsigned, and ${key} was to have signed it.`];
  if (states.some((state) => state.keyid === keyid))
    return [
      'signature',
      `What stands as the signature of ${key} is not its signature of this payload: the payload was edited after it was signed, or the signature is another's.`,
    ];
  const names = states.map((state) => (state.keyid === '' ? 'a key without a name' : state.keyid));
  return ['signer', `The key ${keyid} did not sign it; it names ${names.join(' and ')}.`];
}

function judgeState(
  { keyid, signer }: SignatureState,
  index: number,
  keys: readonly VerifyingKey[],
): readonly CertificateFinding[] {
  const where = `signatures[${index}]`;
  if (signer !== undefined)
    return keyid === signer || keyid === ''
      ? []
      : [notice('signature', where, `A signature of the key ${signer} names the key ${keyid}.`)];
  if (keys.length === 0 || keys.some((key) => key.keyid === keyid)) return [];
  const sentence = `A signature in the name of the key ${keyid === '' ? '(none)' : keyid} is of no key that was given.`;
  return [notice('signature', where, sentence)];
}
