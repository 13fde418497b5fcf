import { hash } from 'node:crypto';
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
import { documentFlags } from '../options/document-flags.ts';
import { findInputs, readBytes, readUpTo } from '../io/file.ts';
import type { CommandForm, CommandLine, FlagTable, FlagValues } from '../options/flags.ts';
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

export const countersignForm = {
  name: 'countersign',
  takes: '<certificate.json> [options]',
  about: [
    'Verifies a certificate as the verify command does. If it is valid and --public-key shows who made it, adds your signature. Sign only what you watched or have run again: your signature states that the target sent the recorded responses.',
  ],
  examples: [
    [
      'acme.json --sign me.pem --public-key a.pem',
      'Add your signature to a certificate of a partner.',
    ],
  ],
  page: 'certificates.md',
  flags: {
    sign: {
      value: '<file>',
      help: 'Your private key (PEM, Ed25519). Required. The keygen command makes one.',
    },
    ...verifyFlags,
  },
  exits:
    '0 signed; 1 not signed, because the certificate is not valid; 2 not signed, because verification was inconclusive, no --public-key was given, or this version renders the certificate differently',
  readsForeignFiles: true,
} satisfies CommandForm;

type VerifyArguments = FlagValues<typeof verifyFlags> & { readonly file: string };

/** The one file that is to be verified, and what with. Throws `PetstoreError`. */
export function readVerifyArguments(
  command: 'verify' | 'countersign',
  { values, words: [file, ...others] }: CommandLine<typeof verifyFlags>,
): VerifyArguments {
  if (file === undefined || others.length > 0)
    throw argumentError(`Name one certificate: npx petstore-contract ${command} certificate.json.`);
  return { ...values, file };
}

/** `petstore verify`: verifies a certificate and prints what was checked and found. */
export const runVerify = createCommand(verifyForm, async (line, io) => {
  const wanted = readVerifyArguments('verify', line);
  const { verification } = await verifyFile(wanted);
  io.stdout.write(renderVerification(wanted.file, verification, layoutFor(io)));
  return exitCodeOf(verification);
});

/** The exit code of a verification: 0 it holds and says `conforms`, 1 not, 2 inconclusive. */
export function exitCodeOf(verification: Verification): number {
  const { outcome, predicate } = verification;
  if (outcome === 'unclear') return 2;
  if (outcome === 'holds' && !isAuthenticated(verification)) return 2;
  return outcome === 'holds' && predicate?.level === 'conforms' ? 0 : 1;
}

/**
 * Verifies a file. `digest`: the SHA-256 of the bytes that were verified, which are not kept. Throws
 * `PetstoreError`, or the system's error.
 */
export async function verifyFile(
  wanted: VerifyArguments,
): Promise<{ readonly verification: Verification; readonly digest: string }> {
  const keys = await Promise.all(wanted.publicKey.map(readVerifyingKey));
  const twice = keys.find(
    ({ keyid }, index) => keys.findIndex((other) => other.keyid === keyid) !== index,
  );
  if (twice !== undefined) throw argumentError(`The key ${twice.keyid} was given twice.`);
  const contract = await loadChosenContract(wanted.contract, wanted);
  const { title, version, digest } = contract;
  const [server, client] = await Promise.all([
    readSelftestRecord('server'),
    readSelftestRecord('client'),
  ]);
  const options = {
    keys,
    suite: await readSuite(),
    contract: { title, version, digest },
    selftest: { server, client },
    now: Date.now(),
  };
  const begun = begin(await readUpTo(wanted.file, certificateLimits.fileBytes.most), {
    ...options,
    recompute: (predicate) => recompute(contract, predicate, wanted.shard, options),
  });
  return { digest: begun.digest, verification: await begun.verification };
}

function begin(
  read: Awaited<ReturnType<typeof readUpTo>>,
  options: VerificationOptions,
): { readonly verification: Promise<Verification>; readonly digest: string } {
  if (!(read instanceof Uint8Array))
    return {
      verification: Promise.resolve(refuseSize(read.size, options.keys.length)),
      digest: '',
    };
  return { verification: verifyCertificate(read, options), digest: hash('sha256', read) };
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
  const { most } = certificateLimits.shardBytes;
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
