import {
  codec,
  isJsonArray,
  isJsonObject,
  renderJson,
  type Codec,
  type JsonValue,
} from '../../contract/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { showJsonText } from '../../page/view/visible.ts';
import { decodeBase64 } from './base64.ts';
import { listWithin, textWithin } from './bounded.ts';
import { type Read, readAs, readJson, readShape } from './untrusted-json.ts';

/**
 * A signed message: the JSON envelope of DSSE 1.0.2 (github.com/secure-systems-lab/dsse,
 * envelope.md). The payload is kept as bytes, and what was verified is what is read.
 */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signatures: readonly Signature[];
  /** Members that neither a signature covers nor DSSE names, at any level. Readers ignore them. */
  readonly unknown: readonly string[];
}

export interface Signature {
  /** A hint at the key, covered by no signature; empty where there is none. */
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

const signatureShape = codec.openObject({
  keyid: codec.optional(textWithin(certificateLimits.keyid)),
  sig: base64,
});

const envelope = codec.openObject({
  payload: base64,
  payloadType: codec.text,
  signatures: listWithin(signatureShape, certificateLimits.signatures),
});

/** What is signed: the pre-authentication encoding (protocol.md, "Signature Definition"). */
export function renderPae(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** An envelope as a file. Both Base64 texts are of the standard alphabet. */
export function renderEnvelope(parts: Omit<Envelope, 'unknown'>): string {
  return `${showJsonText(renderJson(envelope.render(parts), 2))}\n`;
}

export function readEnvelope(text: string): Read<Envelope> {
  const json = readJson(text, 'file');
  if (json.kind === 'refused') return json;
  const read = readShape(envelope, json.value, 'envelope', 'This is not a DSSE envelope');
  return read.kind === 'refused'
    ? read
    : readAs({
        ...read.value,
        signatures: read.value.signatures.map(({ keyid = '', sig }) => ({ keyid, sig })),
        unknown: listUnknown(json.value),
      });
}

function listUnknown(value: JsonValue): readonly string[] {
  const { signatures, ...rest } = isJsonObject(value) ? value : {};
  const others = Object.keys(rest).filter((name) => !['payload', 'payloadType'].includes(name));
  const each = isJsonArray(signatures) ? signatures : [];
  return [
    ...others,
    ...each.flatMap((signature, index) =>
      Object.keys(isJsonObject(signature) ? signature : {})
        .filter((name) => !['keyid', 'sig'].includes(name))
        .map((name) => `signatures[${index}].${name}`),
    ),
  ];
}
