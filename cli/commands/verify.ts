import {
  isAuthenticated,
  type Predicate,
  type Recomputed,
  recomputeRun,
  recomputeShards,
  refuseSize,
  type ShardCertificate,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
  verifyShard,
} from '../../certificate/index.ts';
import type { Contract } from '../../contract/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { argumentError } from '../io/command-failure.ts';
import { createCommand } from '../options/command.ts';
import { findInputs, readBytes, readUpTo } from '../io/file.ts';
import {
  type CommandForm,
  type FlagTable,
  type FlagValues,
  documentFlags,
} from '../options/flags.ts';
import { readVerifyingKey } from '../io/key-file.ts';
import { layoutFor } from '../io/terminal.ts';
import { loadChosenContract, readInventoryFor } from '../package/bundled.ts';
import { readSelftestRecord, readSuite } from '../package/suite.ts';
import { renderVerification } from './verify/verification-text.ts';

const verifyFlags = {
  publicKey: {
    value: '<file>',
    many: true,
    help: 'A public key (PEM) that must have signed. Can be repeated. Without one, the certificate is not authenticated: nothing shows who made it.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document that the certificate must be about. Default: the bundled openapi.yaml.',
  },
  overlay: documentFlags.overlay,
  shard: {
    value: '<path>',
    many: true,
    help: 'Certificates that a merged certificate cites: files, folders that contain one, or folders of such folders. Can be repeated. Without them, what they show is not checked.',
  },
} satisfies FlagTable;

const verifyForm = {
  name: 'verify',
  takes: '<certificate.json> [options]',
  about: [
    'Verifies a certificate offline. It checks the signatures, the hash chain of the log and the digests, then runs the suite again over the recorded responses and compares every request, verdict, count and waiver with the certificate. The log of a client is replayed to the mock.',
  ],
  examples: [
    ['certificate.json --public-key acme.pub.pem', 'Verify a certificate and who signed it.'],
  ],
  page: 'certificates.md',
  flags: verifyFlags,
  exits:
    '0 valid, and the target conforms; 1 not valid, or the target does not conform; 2 inconclusive, or not authenticated',
  readsForeignFiles: true,
} satisfies CommandForm;

/** `petstore verify`: verifies a certificate and prints what was checked and found. */
export const runVerify = createCommand(verifyForm, async ({ values, words: [file = ''] }, io) => {
  const verification = await verify(file, values);
  io.stdout.write(renderVerification(file, verification, layoutFor(io)));
  return exitCodeOf(verification);
});

/** The exit code of a verification: 0 it holds and says `conforms`, 1 not, 2 inconclusive. */
export function exitCodeOf(verification: Verification): number {
  const { outcome, predicate } = verification;
  if (outcome === 'unclear') return 2;
  if (outcome === 'holds' && !isAuthenticated(verification)) return 2;
  return outcome === 'holds' && predicate?.level === 'conforms' ? 0 : 1;
}

async function verify(
  file: string,
  { publicKey, contract: document, overlay, shard }: FlagValues<typeof verifyFlags>,
): Promise<Verification> {
  const keys = await Promise.all(publicKey.map(readVerifyingKey));
  const ids = keys.map(({ keyid }) => keyid);
  const twice = ids.find((keyid, index) => ids.indexOf(keyid) !== index);
  if (twice !== undefined) throw argumentError(`The key ${twice} was given twice.`);
  const contract = await loadChosenContract(document, { overlay });
  const server = await readSelftestRecord('server');
  const client = await readSelftestRecord('client');
  const options = await verifierOf(contract, keys, { server, client });
  const read = await readUpTo(file, certificateLimits.fileBytes);
  if (!(read instanceof Uint8Array)) return refuseSize(read.size, keys.length);
  return await verifyCertificate(read, {
    ...options,
    recompute: (predicate) => recompute(contract, predicate, shard, options),
  });
}

/** What a certificate is verified with here. */
export async function verifierOf(
  { title, version, digest }: Contract,
  keys: VerificationOptions['keys'],
  selftest: VerificationOptions['selftest'],
): Promise<Omit<VerificationOptions, 'recompute'>> {
  const contract = { title, version, digest };
  return { keys, suite: await readSuite(), contract, selftest, now: Date.now() };
}

async function recompute(
  contract: Contract,
  predicate: Predicate,
  shards: readonly string[],
  options: Omit<VerificationOptions, 'recompute'>,
): Promise<Recomputed> {
  if (predicate.kind === 'shards') {
    const given = await verifyShards(contract, shards, options);
    return recomputeShards(contract, predicate, given, options.keys.length > 0);
  }
  if (predicate.kind === 'server') return await recomputeRun(contract, predicate);
  const { recomputeClient } = await import('./certify-client/certificate.ts');
  return await recomputeClient(contract, predicate, await readInventoryFor(contract));
}

/**
 * Verifies the certificates of shards in these paths, one after the other. Throws
 * `PetstoreError` for a file that is too large, or the system's error.
 */
export async function verifyShards(
  contract: Contract,
  paths: readonly string[],
  options: Omit<VerificationOptions, 'recompute'>,
): Promise<readonly ShardCertificate[]> {
  const verified: ShardCertificate[] = [];
  const most = certificateLimits.shardBytes;
  let together = 0;
  for (const name of await findInputs(paths, 'certificate.json')) {
    const bytes = await readBytes(name, certificateLimits.fileBytes);
    together += bytes.length;
    if (together > most)
      throw argumentError(
        `The certificates of the shards are too large: up to ${name} they have ${together.toLocaleString('en')} bytes together, and at most ${most.toLocaleString('en')} are read.`,
      );
    verified.push(await verifyShard(contract, { name, bytes }, options));
  }
  return verified;
}
