import * as codec from '../../contract/json/codec.ts';
import { renderJson } from '../../contract/json/value.ts';
import type { Codec } from '../../contract/json/codec.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { showJsonText } from '../../page/view/visible.ts';
import { decodeBase64 } from './base64.ts';
import { readJson, readShape } from './json.ts';
import type { SigningKey } from './signing-key.ts';

/**
 * A signed message: the JSON envelope of DSSE 1.0.2 (github.com/secure-systems-lab/dsse,
 * envelope.md). The payload stays as bytes, so that exactly the verified bytes are read. Other
 * members are ignored, because no signature covers them.
 */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signatures: readonly Signature[];
}

export interface Signature {
  /** A hint at the key, not covered by the signature; may be empty. */
  readonly keyid: string;
  readonly sig: Buffer;
}

const base64: Codec<Buffer> = {
  read(value, at) {
    const bytes = decodeBase64(codec.text.read(value, at));
    if (bytes === undefined) throw codec.shapeError(at, 'must be Base64');
    return bytes;
  },
  render: (bytes) => bytes.toString('base64'),
};

const keyid = codec.refine(
  codec.text,
  ({ length }) => length <= certificateLimits.keyid,
  `a text of at most ${certificateLimits.keyid} characters`,
);

const envelope = codec.openObject({
  payload: base64,
  payloadType: codec.text,
  signatures: codec.list(
    codec.openObject({ keyid: codec.optional(keyid), sig: base64 }),
    certificateLimits.signatures,
  ),
});

/**
 * The bytes that are signed: the pre-authentication encoding (protocol.md, "Signature Definition").
 */
export function renderPae(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function signPayload(payloadType: string, payload: Buffer, key: SigningKey): Signature {
  return { keyid: key.keyid, sig: key.sign(renderPae(payloadType, payload)) };
}

/** An envelope as a file. Uses the standard Base64 alphabet. */
export function renderEnvelope(parts: Envelope): string {
  return `${showJsonText(renderJson(envelope.render(parts), 2))}\n`;
}

/** Throws `Refusal` if it is not an envelope. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  const value = readJson(bytes, 'file');
  const read = readShape(envelope, value, 'envelope', 'This is not a DSSE envelope');
  const signatures = read.signatures.map(({ keyid: name = '', sig }) => ({ keyid: name, sig }));
  return { ...read, signatures };
}
