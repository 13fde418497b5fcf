import { randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import {
  addSignature,
  readEnvelope,
  signPayload,
  type Verification,
} from '../../../certificate/index.ts';
import { ArgumentError } from '../../io/argument.ts';
import { guardCommand } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readSigningKey } from '../../io/key-file.ts';
import { layoutFor } from '../../io/terminal.ts';
import { verifyFile } from '../verify/run.ts';
import { parseVerifyArguments } from '../verify/options.ts';
import { renderVerification } from '../verify/text.ts';

const help = `Usage: petstore countersign <certificate.json> --sign <key.pem> [options]

Verifies a certificate as petstore verify does and, where it holds, adds a signature to it. Sign what you watched, or
what you have run again: your signature says that the logged answers are what the target answered.

  --sign <file>        Your private key (PEM, Ed25519). petstore keygen makes one.
  --public-key <file>  A public key that must have signed before. May be repeated.
  --contract <file>    The OpenAPI document that it must have been made against. Default: the bundled openapi.yaml.
  --help               This text.

Exit codes: 0 signed, 1 not signed since it does not hold, 2 not signed since that could not be told, or since this version
words it otherwise.
`;

/** `petstore countersign`: adds a signature to a certificate that holds, whatever its level. */
export function runCountersign(argv: readonly string[], io: CommandIo): Promise<number> {
  return guardCommand('countersign', io, async () => {
    const wanted = parseVerifyArguments('countersign', argv);
    if (wanted.wantsHelp) {
      io.stdout.write(help);
      return 0;
    }
    const key = await readSigningKey(wanted.sign ?? '');
    const { verification, bytes } = await verifyFile(wanted);
    if (verification.outcome !== 'holds') return refuse(wanted.file, verification, io);
    // A signature covers the words as well, also those that nothing but this version vouches for.
    if (verification.findings.some(({ kind }) => kind === 'words'))
      throw new ArgumentError(
        `${wanted.file} was not signed: it holds, but this version words it otherwise, and a signature would cover its words.`,
      );
    const envelope = readEnvelope(bytes.toString());
    if (envelope.kind === 'refused') throw new ArgumentError(envelope.finding.sentence);
    const signature = signPayload(envelope.value, key);
    const isThere = envelope.value.signatures.some(
      (each) => each.keyid === key.keyid || each.sig.equals(signature.sig),
    );
    if (isThere)
      throw new ArgumentError(
        `${wanted.file} has a signature in the name of this key already (${key.keyid}).`,
      );
    await replaceFile(wanted.file, addSignature(bytes.toString(), signature));
    const count = envelope.value.signatures.length + 1;
    io.stdout.write(
      `${wanted.file} holds, says ${verification.predicate?.level ?? ''}, and now has ${count === 1 ? '1 signature' : `${count} signatures`}; yours is of the key ${key.keyid}.\n`,
    );
    return 0;
  });
}

function refuse(file: string, verification: Verification, io: CommandIo): number {
  io.stdout.write(renderVerification(file, verification, layoutFor(io.stdout, io.env)));
  io.stderr.write(
    `petstore countersign: ${file} was not signed: ${verification.outcome === 'broken' ? 'it does not hold' : 'whether it holds could not be told'}.\n`,
  );
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
