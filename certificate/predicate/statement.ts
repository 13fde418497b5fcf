import {
  codec,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  renderJson,
  type TypeOf,
} from '../../contract/index.ts';
import { breaks } from '../envelope/finding.ts';
import {
  decodeUtf8,
  type Read,
  readAs,
  readJson,
  readShape,
  refuse,
} from '../envelope/untrusted-json.ts';
import { predicate, type Predicate, predicateType } from './predicate.ts';

/** The media type of the payload (in-toto attestation v1, envelope.md). */
export const payloadType = 'application/vnd.in-toto+json';

/** The value of `_type` (in-toto attestation v1, statement.md). */
const statementType = 'https://in-toto.io/Statement/v1';

const { list, openObject, text } = codec;

const subject = openObject({ name: text, digest: openObject({ sha256: text }) });

const statement = openObject({
  _type: text,
  subject: list(subject),
  predicateType: text,
  predicate: codec.json,
});

export interface Statement {
  /** Name and version of the target; the digest is the head of the log. */
  readonly subject: { readonly name: string; readonly digest: string };
  readonly predicate: Predicate;
  /** Members that in-toto does not name, outside of the predicate. Readers ignore them. */
  readonly unknown: readonly string[];
}

export function nameSubject({ name, version }: Predicate['target']): string {
  return `${name}@${version}`;
}

/** The payload for a predicate: a statement as JSON, integers exact. */
export function renderStatement(said: Predicate): Buffer {
  const rendered = statement.render({
    _type: statementType,
    subject: [{ name: nameSubject(said.target), digest: { sha256: said.log.head } }],
    predicateType,
    predicate: predicate.render(said),
  });
  return Buffer.from(renderJson(rendered));
}

/** The predicate is read strictly: its type says that no other member belongs there. */
export function readStatement(payload: Buffer): Read<Statement> {
  const json = decodeUtf8(payload);
  if (json === undefined) return refuse(breaks('json', 'payload', 'The payload is not UTF-8.'));
  const value = readJson(json, 'payload');
  if (value.kind === 'refused') return value;
  const sentence = 'The payload is not an in-toto Statement';
  const read = readShape(statement, value.value, 'statement', sentence);
  return read.kind === 'refused' ? read : readMembers(read.value, listUnknown(value.value));
}

const named = {
  statement: ['_type', 'subject', 'predicateType', 'predicate'],
  subject: ['name', 'digest'],
  digest: ['sha256'],
};

/** By the parsing rules of in-toto (spec/v1/README.md) what they do not name is ignored. */
function listUnknown(value: JsonValue): readonly string[] {
  const found = isJsonObject(value) ? value : {};
  const subjects = isJsonArray(found['subject']) ? found['subject'] : [];
  const [first = null] = subjects;
  return [
    ...strangers(found, named.statement),
    ...strangers(first, named.subject, 'subject[0].'),
    ...strangers(
      isJsonObject(first) ? (first['digest'] ?? null) : null,
      named.digest,
      'subject[0].digest.',
    ),
  ];
}

function strangers(object: JsonValue, known: readonly string[], before = ''): readonly string[] {
  return Object.keys(isJsonObject(object) ? object : {})
    .filter((name) => !known.includes(name))
    .map((name) => `${before}${name}`);
}

function readMembers(
  {
    _type: type,
    predicateType: found,
    subject: [only, ...others],
    predicate: said,
  }: TypeOf<typeof statement>,
  unknown: readonly string[],
): Read<Statement> {
  const old = `The payload is not an in-toto Statement of version 1: its _type is not ${statementType}.`;
  if (type !== statementType) return refuse(breaks('statement', '_type', old));
  const other = `The predicate type of the statement is not ${predicateType}.`;
  if (found !== predicateType) return refuse(breaks('predicate-type', 'predicateType', other));
  if (only === undefined || others.length > 0)
    return refuse(breaks('statement', 'subject', 'The statement has no single subject.'));
  const sentence = 'The certificate does not have the form of its type';
  const read = readShape(predicate, said, 'predicate', sentence);
  return read.kind === 'refused'
    ? read
    : readAs({
        subject: { name: only.name, digest: only.digest.sha256 },
        predicate: read.value,
        unknown,
      });
}
