import { type Envelope, type Signature, renderPae } from './envelope.ts';
import { type Finding, breaks, notice } from './finding.ts';
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
  readonly findings: readonly Finding[];
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
function findRepetition(signatures: readonly Signature[]): readonly Finding[] {
  return signatures.flatMap(({ keyid, sig }, index) => {
    const before = signatures.slice(0, index);
    const isSameKey = keyid !== '' && before.some((other) => other.keyid === keyid);
    if (isSameKey)
      return [
        breaks(
          'signatures',
          `signatures[${index}]`,
          `The key ${keyid} is named by two signatures: one signer must not count twice.`,
        ),
      ];
    return before.some((other) => other.sig.equals(sig))
      ? [
          breaks(
            'signatures',
            `signatures[${index}]`,
            'One signature stands there twice, under two names.',
          ),
        ]
      : [];
  });
}

/** A key that was given must have signed, and once. */
function judgeKey(keyid: string, states: readonly SignatureState[]): readonly Finding[] {
  const made = states.filter(({ signer }) => signer === keyid);
  if (made.length === 1) return [];
  if (made.length > 1)
    return [
      breaks(
        'signatures',
        'signatures',
        `The key ${keyid} signed ${made.length} times: one signer must not count twice.`,
      ),
    ];
  if (states.length === 0)
    return [
      breaks('signer', 'signatures', `It is unsigned, and the key ${keyid} was to have signed it.`),
    ];
  if (states.some((state) => state.keyid === keyid))
    return [
      breaks(
        'signature',
        'signatures',
        `What stands as the signature of the key ${keyid} is not its signature of this payload: the payload was edited after it was signed, or the signature is another's.`,
      ),
    ];
  return [
    breaks('signer', 'signatures', `The key ${keyid} did not sign it; ${nameSigners(states)}.`),
  ];
}

function nameSigners(states: readonly SignatureState[]): string {
  const names = states.map(({ keyid }) => (keyid === '' ? 'a key without a name' : keyid));
  return `it names ${names.join(' and ')}`;
}

function judgeState(
  { keyid, signer }: SignatureState,
  index: number,
  keys: readonly VerifyingKey[],
): readonly Finding[] {
  const where = `signatures[${index}]`;
  if (signer !== undefined)
    return keyid === signer || keyid === ''
      ? []
      : [notice('signature', where, `A signature of the key ${signer} names the key ${keyid}.`)];
  if (keys.length === 0 || keys.some((key) => key.keyid === keyid)) return [];
  return [
    notice(
      'signature',
      where,
      `A signature in the name of the key ${keyid === '' ? '(none)' : keyid} was not compared: that key was not given.`,
    ),
  ];
}
