import { hash } from 'node:crypto';
import {
  type Recomputed,
  type Predicate,
  type Verification,
  type VerificationOptions,
  isAuthenticated,
  recomputeRun,
  recomputeShards,
  refuseSize,
  verifyCertificate,
} from '../../../certificate/index.ts';
import { certificateLimits } from '../../../limits/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { loadChosenContract, readInventoryFor } from '../../package/bundled.ts';
import { createCommand } from '../../io/command.ts';
import { readVerifyingKey } from '../../io/key-file.ts';
import { readSelftestRecord, readSuite } from '../../package/suite.ts';
import { layoutFor } from '../../io/terminal.ts';
import { type VerifyArguments, readVerifyArguments, verifyForm } from './options.ts';
import { verifyShards } from './shards.ts';
import { renderVerification } from './text.ts';
import { argumentError } from '../../io/command-failure.ts';
import { readUpTo } from '../../input/file.ts';

/** `petstore verify`: verifies a certificate and tells what was checked and found. */
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
  if (twice !== undefined)
    throw argumentError(`The key ${twice.keyid} is given twice: one signer is not two.`);
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
  const { recomputeClient } = await import('../certify-client/certificate.ts');
  return await recomputeClient(contract, predicate, await readInventoryFor(contract));
}
