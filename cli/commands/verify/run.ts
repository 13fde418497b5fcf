import { readFile, stat } from 'node:fs/promises';
import {
  type Recomputed,
  type Predicate,
  type Verification,
  mostBytes,
  recomputeRun,
  verifyCertificate,
} from '../../../certificate/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { ArgumentError } from '../../io/argument.ts';
import { loadChosenContract } from '../../package/bundled-contract.ts';
import { guardCommand } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readVerifyingKey } from '../../io/key-file.ts';
import { readSelftestRecord, readSuite } from '../../package/suite.ts';
import { layoutFor } from '../../io/terminal.ts';
import { type VerifyArguments, parseVerifyArguments } from './options.ts';
import { renderVerification } from './text.ts';

const help = `Usage: petstore verify <certificate.json> [options]

Verifies a certificate, without a network: its signatures, the chain of its log, its digests; then runs the suite again
over the logged answers, and compares every request, verdict, count and waiver with what the certificate says. The log of
a client is played to the mock again, and judged by the same rules. Sentences and reasons are shown as this version
words them.

  --public-key <file>  A public key (PEM) that must have signed. May be repeated. Default: signatures are named only.
  --contract <file>    The OpenAPI document that it must have been made against. Default: the bundled openapi.yaml.
  --help               This text.

Exit codes: 0 it holds and says that the target conforms, 1 it does not hold or does not say so, 2 is inconclusive.
`;

/** `petstore verify`: verifies a certificate and tells what was checked and found. */
export function runVerify(argv: readonly string[], io: CommandIo): Promise<number> {
  return guardCommand('verify', io, async () => {
    const wanted = parseVerifyArguments('verify', argv);
    if (wanted.wantsHelp) {
      io.stdout.write(help);
      return 0;
    }
    const { verification } = await verifyFile(wanted);
    io.stdout.write(renderVerification(wanted.file, verification, layoutFor(io.stdout, io.env)));
    return exitCodeOf(verification);
  });
}

/** The exit code of a verification: 0 it holds and says `conforms`, 1 not, 2 is inconclusive. */
export function exitCodeOf({ outcome, predicate }: Verification): number {
  if (outcome === 'unclear') return 2;
  return outcome === 'holds' && predicate?.level === 'conforms' ? 0 : 1;
}

/**
 * Verifies a file; its bytes are those that were verified. Throws `ArgumentError`, `ContractError`,
 * or the system's error.
 */
export async function verifyFile(
  wanted: VerifyArguments,
): Promise<{ readonly verification: Verification; readonly bytes: Buffer }> {
  const { size } = await stat(wanted.file);
  if (size > mostBytes)
    throw new ArgumentError(
      `${wanted.file} has ${size} bytes; more than ${mostBytes} are not read.`,
    );
  const [bytes, keys] = await Promise.all([
    readFile(wanted.file),
    Promise.all(wanted.publicKeys.map(readVerifyingKey)),
  ]);
  const twice = keys.find(
    ({ keyid }, index) => keys.findIndex((other) => other.keyid === keyid) !== index,
  );
  if (twice !== undefined)
    throw new ArgumentError(`The key ${twice.keyid} is given twice: one signer is not two.`);
  const contract = await loadChosenContract(wanted.contract);
  const { title, version, digest } = contract;
  const verification = await verifyCertificate(bytes, {
    keys,
    suite: await readSuite(),
    contract: { title, version, digest },
    selftest: await readSelftestRecord(),
    now: Date.now(),
    recompute: (predicate) => recompute(contract, predicate),
  });
  return { verification, bytes };
}

async function recompute(contract: Contract, predicate: Predicate): Promise<Recomputed> {
  if (predicate.kind === 'server') return await recomputeRun(contract, predicate);
  const { recomputeClient } = await import('../certify-client/certificate.ts');
  return await recomputeClient(contract, predicate);
}
