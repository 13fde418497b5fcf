import { hash } from 'node:crypto';
import { codec, hasCode, type TypeOf } from '../../contract/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { listWithin, textWithin } from '../envelope/bounded.ts';
import { digest } from '../envelope/digest.ts';
import type { Predicate } from '../predicate/predicate.ts';

const { object, oneOf, whole } = codec;

/** An entry of the log of a merged certificate: the certificate of one shard. */
export type Citation = TypeOf<typeof citation>;

export const citation = object({
  shard: whole(1),
  /** SHA-256 of the payload that was signed. */
  digest,
  /** The head of its log. */
  head: digest,
  level: oneOf(['conforms', 'failed', 'incomplete']),
  /** Exchanges in its log. */
  exchanges: whole(0),
  /** The keys in whose names it was signed when it was cited. */
  keyids: listWithin(textWithin(certificateLimits.keyid), certificateLimits.signatures),
});

/** What decided all shards of a merged certificate. */
export const mergedConfiguration = object({
  /** Shards of the whole run. */
  shards: whole(1, 1000),
  seed: whole(Number.MIN_SAFE_INTEGER),
  /** Requests of fuzzing of all shards. */
  fuzz: whole(0),
  /** SHA-256 of all else that decided each shard and is the same in all. */
  settings: digest,
});

/** The digest by which a certificate is cited: SHA-256 of its payload, in hexadecimal. */
export function digestPayload(payload: Buffer): string {
  return hash('sha256', payload);
}

/**
 * The shards that a merged certificate cites no certificate of; none for others, and where its
 * configuration or an entry is of another form, which is found elsewhere.
 */
export function listMissing({
  kind,
  configuration,
  log,
}: Pick<Predicate, 'kind' | 'configuration' | 'log'>): readonly number[] {
  if (kind !== 'shards') return [];
  try {
    const { shards } = mergedConfiguration.read(configuration, '');
    const cited = new Set(log.entries.map(({ entry }) => citation.read(entry, '').shard));
    return Array.from({ length: shards }, (_, at) => at + 1).filter((at) => !cited.has(at));
  } catch (error) {
    if (hasCode(error, 'shape')) return [];
    throw error;
  }
}
