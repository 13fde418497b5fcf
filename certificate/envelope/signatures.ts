import { type CertificateFinding, breaks } from './finding.ts';
import { type Envelope, renderPae } from './envelope.ts';
import type { VerifyingKey } from './signing-key.ts';

export interface SignatureState {
  /** As in the envelope: a hint, not covered by the signature. */
  readonly keyid: string;
  /** The key that made the signature; undefined if none of the given keys did. */
  readonly signer: string | undefined;
}

/**
 * Tries every signature with every key, whatever its keyid says (DSSE 1.0.2, protocol.md,
 * "Multi-signature Verification"). Signatures by other keys are ignored.
 */
export function trySignatures(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly VerifyingKey[],
): readonly SignatureState[] {
  const message = renderPae(payloadType, payload);
  return signatures.map(({ keyid, sig }) => ({
    keyid,
    signer: keys.find((key) => key.verify(message, sig))?.keyid,
  }));
}

/** A finding for each given key that has not signed: all must sign. */
export function listMissingSigners(
  states: readonly SignatureState[],
  keys: readonly VerifyingKey[],
): readonly CertificateFinding[] {
  return keys
    .filter(({ keyid }) => states.every(({ signer }) => signer !== keyid))
    .map(({ keyid }) => breaks('signature', '/signatures', explain(keyid, states)));
}

function explain(keyid: string, states: readonly SignatureState[]): string {
  if (states.length === 0) return `It is unsigned, but the key ${keyid} must have signed it.`;
  return states.some((state) => state.keyid === keyid)
    ? `The signature in the name of the key ${keyid} does not match: the payload was edited after it was signed, or another key made the signature.`
    : `The key ${keyid} did not sign it.`;
}
