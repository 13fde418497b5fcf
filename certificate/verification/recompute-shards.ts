import type { Contract } from '../../contract/index.ts';
import { hasCode } from '../../contract/index.ts';
import { mergeReports, nameShards } from '../../conformance/index.ts';
import { type CertificateFinding, breaks, notice, unclear } from '../envelope/finding.ts';
import type { Predicate } from '../predicate/predicate.ts';
import { nameTarget } from '../predicate/summary.ts';
import { type Citation, citation, mergedConfiguration } from '../shards/citation.ts';
import { claimMerged } from '../shards/merged-certificate.ts';
import type { Recomputed } from './recomputation.ts';
import type { ShardCertificate } from './shard-certificate.ts';

type Holding = Extract<ShardCertificate, { readonly kind: 'holds' }>;

/**
 * Merges the certificates that a merged certificate cites again, as far as they are at hand. `hasKeys`:
 * whether signatures were compared with keys.
 */
export function recomputeShards(
  contract: Contract,
  { configuration, log, target }: Predicate,
  given: readonly ShardCertificate[],
  hasKeys: boolean,
): Recomputed {
  let cited: readonly Citation[];
  try {
    mergedConfiguration.read(configuration, '');
    cited = log.entries.map(({ entry }) => citation.read(entry, ''));
  } catch (error) {
    if (!hasCode(error, 'shape')) throw error;
    return { kind: 'unreadable', part: 'log', reason: `${error.message}.` };
  }
  const found = given.map((each) => judgeShard(each, cited, target, hasKeys));
  const shown = given
    .filter((each) => each.kind === 'holds')
    .filter((each) => isCited(each, cited));
  const there = new Set(shown.map((each) => each.citation.digest));
  const absent = cited.filter(({ digest }) => !there.has(digest)).map(({ shard }) => shard);
  const findings = [
    ...judgeOrder(cited),
    ...found.flat(),
    ...(absent.length === 0
      ? []
      : [
          unclear(
            'shard',
            'log',
            `The ${absent.length === 1 ? 'certificate' : 'certificates'} of ${nameShards(absent)} ${absent.length === 1 ? 'was' : 'were'} not given (--shard) or could not be verified: what follows from ${absent.length === 1 ? 'it' : 'them'} was not checked.`,
          ),
        ]),
  ];
  if (absent.length > 0 || findings.some(({ weight }) => weight === 'breaks'))
    return { kind: 'cited', findings, claims: undefined, baseUrl: target.baseUrl };
  return { kind: 'cited', ...mergeShown(contract, shown, findings, configuration) };
}

function isCited(shard: Holding, cited: readonly Citation[]): boolean {
  return cited.some(({ digest }) => digest === shard.citation.digest);
}

function judgeShard(
  shard: ShardCertificate,
  cited: readonly Citation[],
  target: Predicate['target'],
  hasKeys: boolean,
): readonly CertificateFinding[] {
  if (shard.kind !== 'holds') {
    const why = shard.kind === 'broken' ? 'is invalid' : 'cannot be verified here';
    return [unclear('shard', shard.name, `${shard.name} ${why}: ${shard.sentence}`)];
  }
  const place = cited.findIndex(({ digest }) => digest === shard.citation.digest);
  const entry = cited[place];
  if (entry === undefined)
    return [
      unclear(
        'shard',
        shard.name,
        `${shard.name}, of shard ${shard.citation.shard}, is not one of the certificates that it cites.`,
      ),
    ];
  const { shard: index, head, level, exchanges } = shard.citation;
  const isSame =
    entry.shard === index &&
    entry.head === head &&
    entry.level === level &&
    entry.exchanges === exchanges;
  const isOfIt = shard.target.name === target.name && shard.target.version === target.version;
  const other = `The certificate of shard ${index} is for the target ${nameTarget(shard.target)}, and this one for ${nameTarget(target)}.`;
  const unsigned = `The certificate of shard ${index} is signed by none of the given keys. Only the signer of this certificate vouches for it.`;
  return [
    ...(isSame
      ? []
      : [
          breaks(
            'shard',
            `log[${place}]`,
            `What it says about the certificate of shard ${index} does not match that certificate.`,
          ),
        ]),
    ...(isOfIt ? [] : [breaks('shard', 'target', other)]),
    ...(hasKeys && !shard.isSigned ? [notice('shard', `log[${place}]`, unsigned)] : []),
  ];
}

/** Each shard once, in order. */
function judgeOrder(cited: readonly Citation[]): readonly CertificateFinding[] {
  const odd = cited.findIndex(({ shard }, at) => shard <= (cited[at - 1]?.shard ?? 0));
  if (odd < 0) return [];
  const sentence = `It cites shard ${cited[odd]?.shard} twice, or out of order.`;
  return [breaks('shard', `log[${odd}]`, sentence)];
}

function mergeShown(
  contract: Contract,
  shown: readonly Holding[],
  findings: readonly CertificateFinding[],
  configuration: Predicate['configuration'],
): Omit<Extract<Recomputed, { readonly kind: 'cited' }>, 'kind'> {
  const merged = mergeReports(contract, shown);
  const [first] = shown;
  const shard = first?.report.run.shard;
  const { shards, seed, fuzz, settings } = mergedConfiguration.read(configuration, '');
  const isSame =
    shard?.count === shards &&
    shard.fuzz === fuzz &&
    shard.settings === settings &&
    first?.report.run.seed === seed;
  const other = 'Its configuration is not that of the shards.';
  return {
    findings: isSame ? findings : [...findings, breaks('configuration', 'configuration', other)],
    claims: merged.merge === undefined ? undefined : claimMerged(merged, merged.merge),
    baseUrl: merged.target.baseUrl,
  };
}
