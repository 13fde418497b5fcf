import { type JsonValue, isJsonArray, isJsonObject } from '../../contract/index.ts';
import { breaks, type FindingKind } from '../envelope/finding.ts';
import { type Predicate, predicateType } from './predicate.ts';
import { readPredicate } from './read-predicate.ts';
import { decodeUtf8, type Read, readAs, readJson, refuse } from '../envelope/untrusted-json.ts';

/** The media type of the payload (in-toto attestation v1, envelope.md). */
export const payloadType = 'application/vnd.in-toto+json';

/** The value of `_type` (in-toto attestation v1, statement.md). */
export const statementType = 'https://in-toto.io/Statement/v1';

/** What is signed: a Statement of in-toto, with one subject. */
export interface Statement {
  /**
   * Name and version of the target; the digest is the head of the log: what is attested is what was
   * seen.
   */
  readonly subject: { readonly name: string; readonly digest: string };
  readonly predicate: Predicate;
}

/** The subject's name: the target's, and its version. */
export function nameSubject({ name, version }: Predicate['target']): string {
  return `${name}@${version}`;
}

/** The payload for a predicate: a statement as JSON, integers exact. */
export function renderStatement(predicate: Predicate): Buffer {
  const statement = {
    _type: statementType,
    subject: [{ name: nameSubject(predicate.target), digest: { sha256: predicate.log.head } }],
    predicateType,
    predicate,
  };
  return Buffer.from(
    JSON.stringify(statement, (_name, value: unknown) =>
      typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
    ),
  );
}

/**
 * Reads the payload of an envelope. The predicate is read strictly: its type says that no other
 * member belongs there.
 */
export function readStatement(payload: Buffer): Read<Statement> {
  const text = decodeUtf8(payload);
  if (text === undefined) return refuse(breaks('json', 'payload', 'The payload is not UTF-8.'));
  const read = readJson(text, 'payload');
  return read.kind === 'refused' ? read : readMembers(read.value);
}

function readMembers(value: JsonValue): Read<Statement> {
  if (!isJsonObject(value))
    return wrong('statement', 'payload', 'The payload is no in-toto Statement: it is no object.');
  const unknown = Object.keys(value).find(
    (name) => !['_type', 'subject', 'predicateType', 'predicate'].includes(name),
  );
  if (unknown !== undefined)
    return wrong(
      'statement',
      'payload',
      `The statement has a member ${JSON.stringify(unknown)}, which is not known.`,
    );
  if (value['_type'] !== statementType)
    return wrong(
      'statement',
      '_type',
      `The payload is no in-toto Statement of version 1: its _type is not ${statementType}.`,
    );
  if (value['predicateType'] !== predicateType)
    return wrong(
      'predicate-type',
      'predicateType',
      `The statement is of another type than ${predicateType}.`,
    );
  const subject = readSubject(value['subject']);
  if (subject === undefined)
    return wrong(
      'statement',
      'subject',
      'The statement has no single subject with a name and a SHA-256.',
    );
  const predicate = readPredicate(value['predicate']);
  return predicate.kind === 'refused' ? predicate : readAs({ subject, predicate: predicate.value });
}

function readSubject(value: JsonValue | undefined): Statement['subject'] | undefined {
  const [only, ...others] = isJsonArray(value) ? value : [];
  if (!isJsonObject(only) || others.length > 0) return undefined;
  const { name, digest, ...rest } = only;
  const { sha256, ...algorithms } = isJsonObject(digest) ? digest : {};
  if (typeof name !== 'string' || typeof sha256 !== 'string') return undefined;
  return Object.keys(rest).length + Object.keys(algorithms).length === 0
    ? { name, digest: sha256 }
    : undefined;
}

function wrong(kind: FindingKind, where: string, sentence: string): Read<never> {
  return refuse(breaks(kind, where, sentence));
}
