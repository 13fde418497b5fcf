import { isJsonObject, type JsonValue, parseJson, renderJson } from '../../contract/index.ts';
import {
  readEnvelope,
  renderEnvelope,
  type Signature,
} from '../../certificate/envelope/envelope.ts';
import { signPayload } from '../../certificate/predicate/compose-certificate.ts';
import { chainLog } from '../../certificate/envelope/log-chain.ts';
import type { SigningKey } from '../../certificate/envelope/signing-key.ts';
import { payloadType } from '../../certificate/predicate/statement.ts';

/** Anything that JSON can be, to be changed in place. */
export interface Loose {
  [name: string]: unknown;
}

/** The statement of a certificate, to be changed in place. */
export function openStatement(text: string): Loose {
  const read = readEnvelope(text);
  if (read.kind === 'refused') throw new Error(read.finding.sentence);
  return loose(JSON.parse(read.value.payload.toString()));
}

export function signaturesOf(text: string): readonly Signature[] {
  const read = readEnvelope(text);
  return read.kind === 'read' ? read.value.signatures : [];
}

/** A certificate of a statement or a text, signed by the keys, or with another's signatures. */
export function closeStatement(
  statement: Loose | string,
  signers: readonly (SigningKey | Signature)[],
  type = payloadType,
): string {
  const payload = Buffer.from(
    typeof statement === 'string' ? statement : JSON.stringify(statement),
  );
  return renderEnvelope({
    payloadType: type,
    payload,
    signatures: signers.map((each) =>
      'sig' in each ? each : signPayload({ payloadType: type, payload }, each),
    ),
  });
}

/** Chains the log of a statement anew, as someone does who would have it look untouched. */
export function chainAnew(statement: Loose): void {
  const predicate = loose(statement['predicate']);
  const log = loose(predicate['log']);
  const entries = list(log['entries']).map((each) => loose(each)['entry']);
  const data: JsonValue = parseJson(JSON.stringify(entries));
  const chained = chainLog(Array.isArray(data) ? data.filter(isJsonObject) : []);
  predicate['log'] = JSON.parse(renderJson(parseJson(JSON.stringify(chained))));
  statement['subject'] = [
    { ...loose(list(statement['subject'])[0]), digest: { sha256: chained.head } },
  ];
}

/** A value as an object; throws for any other. */
export function loose(value: unknown): Loose {
  if (isLoose(value)) return value;
  throw new Error('That is no object.');
}

/** A value as an array to be changed in place; throws for any other. */
export function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error('That is no array.');
}

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
