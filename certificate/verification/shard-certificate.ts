import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import type { CertificateFinding } from '../envelope/finding.ts';
import type { CertifiedTarget } from '../predicate/predicate.ts';
import type { Citation } from '../shards/citation.ts';
import { rerunLog } from './run-certificate.ts';
import { describeSigned } from './opening.ts';
import { type VerificationOptions, verifyCertificate } from './verification.ts';

/** The certificate of a shard as a file. */
export interface ShardFile {
  /** For messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A certificate of a shard that was verified. */
export type ShardCertificate =
  | {
      readonly kind: 'holds';
      readonly name: string;
      readonly citation: Citation;
      /** Whom its signer says that it is of. */
      readonly target: Pick<CertifiedTarget, 'name' | 'version'>;
      /** What its log comes to. */
      readonly report: Report;
      /** Whether one of the keys that were given signed it. */
      readonly isSigned: boolean;
    }
  | {
      /** `broken`: it does not hold. `unclear`: that is inconclusive here, or it is of no shard. */
      readonly kind: 'broken' | 'unclear';
      readonly name: string;
      readonly sentence: string;
    };

/** Verifies the certificate of a shard: all but whose keys signed it. Never throws for what it says. */
export async function verifyShard(
  contract: Contract,
  { name, bytes }: ShardFile,
  options: Omit<VerificationOptions, 'recompute'>,
): Promise<ShardCertificate> {
  let report: Report | undefined;
  const verification = await verifyCertificate(bytes, {
    ...options,
    keys: [],
    recompute: async (predicate) => {
      const again = await rerunLog(contract, predicate);
      report = again.report;
      return again.recomputed;
    },
  });
  const { outcome, predicate, findings } = verification;
  const weight = outcome === 'broken' ? 'breaks' : 'unclear';
  const [finding] = findings.filter((each) => each.weight === weight);
  if (outcome === 'broken' || outcome === 'unclear' || predicate === undefined)
    return { kind: outcome === 'broken' ? 'broken' : 'unclear', name, sentence: explain(finding) };
  const shard = report?.run.shard;
  if (predicate.kind !== 'server' || report === undefined || shard === undefined)
    return { kind: 'unclear', name, sentence: 'It is not a certificate of a shard.' };
  const { digest, signatures } = describeSigned(bytes, options.keys);
  return {
    kind: 'holds',
    name,
    report,
    target: predicate.target,
    isSigned: signatures.some(({ signer }) => signer !== undefined),
    citation: {
      shard: shard.index,
      digest,
      head: predicate.log.head,
      level: predicate.level,
      exchanges: predicate.log.length,
      keyids: signatures.map(({ keyid }) => keyid),
    },
  };
}

function explain(finding: CertificateFinding | undefined): string {
  return finding?.sentence ?? 'It could not be verified.';
}
