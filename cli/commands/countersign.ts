import { hash, randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import {
  addSignature,
  isAuthenticated,
  readEnvelope,
  renderPae,
  signPayload,
  type Verification,
} from '../../certificate/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { countOf } from '../../view/count.ts';
import { show, showLine } from '../../view/visible.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { readBytes } from '../io/file.ts';
import { readSigningKey } from '../io/key-file.ts';
import { layoutFor, tellError } from '../io/terminal.ts';
import { countersignForm, readVerifyArguments, verifyFile } from './verify.ts';
import { renderVerification } from './verify/verification-text.ts';

/** `petstore countersign`: adds a signature to a certificate that holds, whatever its level. */
export const runCountersign = createCommand(countersignForm, async (line, io) => {
  const wanted = readVerifyArguments('countersign', line);
  const { sign } = line.values;
  if (sign === undefined) throw argumentError('--sign is required: the private key to sign with.');
  const key = await readSigningKey(sign);
  const { verification, digest } = await verifyFile(wanted);
  if (verification.outcome !== 'holds') return refuse(wanted.file, verification, io);
  if (!isAuthenticated(verification))
    throw argumentError(
      `${wanted.file} was not signed: it is not authenticated. Give the --public-key of its first signer.`,
    );
  // A signature covers the words and strange members as well, and nothing vouches for those.
  if (verification.findings.some(({ kind }) => kind === 'words'))
    throw argumentError(
      `${wanted.file} was not signed: it holds, but this version words it differently, and a signature would cover the words.`,
    );
  if (verification.findings.some(({ kind }) => kind === 'statement'))
    throw argumentError(
      `${wanted.file} was not signed: it holds, but its statement has members that in-toto does not define, and a signature would cover them.`,
    );
  const bytes = await readBytes(wanted.file, certificateLimits.fileBytes);
  if (hash('sha256', bytes) !== digest)
    throw argumentError(`${wanted.file} was not signed: it was changed while it was verified.`);
  const envelope = readEnvelope(bytes.toString());
  if (envelope.kind === 'refused') throw argumentError(envelope.finding.sentence);
  const signature = signPayload(envelope.value, key);
  const { payloadType, payload, signatures } = envelope.value;
  const message = renderPae(payloadType, payload);
  // A keyid is a hint that anybody can have written: what counts is who signed.
  if (signatures.some(({ sig }) => key.verify(message, sig)))
    throw argumentError(`${wanted.file} is already signed by this key (${key.keyid}).`);
  const next = addSignature(bytes.toString(), signature);
  refuseSize(wanted.file, signatures.length + 1, Buffer.byteLength(next));
  await replaceFile(wanted.file, next);
  const count = envelope.value.signatures.length + 1;
  const [file, level] = [showLine(wanted.file), showLine(verification.predicate?.level ?? '')];
  io.stdout.write(
    show`${file} holds, says ${level}, and now has ${countOf(count, 'signature')}; yours is of the key ${showLine(key.keyid)}.\n`,
  );
  return 0;
});

/** What would be written has to be taken by `petstore verify`. Throws `PetstoreError`. */
function refuseSize(file: string, signatures: number, size: number): void {
  const { signatures: count, fileBytes } = certificateLimits;
  if (signatures > count.most)
    throw argumentError(`${file} was not signed: it has ${count.most} signatures, the maximum.`);
  if (size > fileBytes.most)
    throw argumentError(
      `${file} was not signed: it would have ${size} bytes, and at most ${fileBytes.most} are read.`,
    );
}

function refuse(file: string, verification: Verification, io: CommandIo): number {
  io.stdout.write(renderVerification(file, verification, layoutFor(io)));
  const why =
    verification.outcome === 'broken' ? 'it does not hold' : 'whether it holds is inconclusive';
  tellError(io, 'countersign', `${file} was not signed: ${why}.`);
  return verification.outcome === 'broken' ? 1 : 2;
}

/** Puts a text in the place of a file at once: whoever reads it sees the old one or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  const { mode } = await stat(file);
  try {
    await writeFile(next, text, { flag: 'wx', mode });
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
