import type { CommandForm, CommandLine, FlagTable, FlagValues } from '../../io/flags.ts';
import { documentFlags } from '../../io/document-flags.ts';
import { argumentError } from '../../io/command-failure.ts';

const verifyFlags = {
  publicKey: {
    value: '<file>',
    many: true,
    help: 'A public key (PEM) that must have signed. May be repeated. Without one nothing says who made the certificate: it is not authenticated.',
  },
  contract: {
    value: '<file>',
    help: 'The OpenAPI document that it must have been made against. Default: the bundled openapi.yaml.',
  },
  overlay: documentFlags.overlay,
  shard: {
    value: '<path>',
    many: true,
    help: 'Certificates that a merged one cites: a file, a folder that holds one, or a folder of such folders. May be repeated. Without them what they show is not checked.',
  },
} satisfies FlagTable;

export const verifyForm = {
  name: 'verify',
  takes: '<certificate.json> [options]',
  about: [
    'Verifies a certificate, without a network: its signatures, the chain of its log, its digests; then runs the suite again over the logged responses, and compares every request, verdict, count and waiver with what the certificate says. The log of a client is played to the mock again, and judged by the same rules.',
  ],
  flags: verifyFlags,
  exits:
    '0 it holds and says that the target conforms, 1 it does not hold or does not say so, 2 inconclusive, or not authenticated',
  readsForeignFiles: true,
} satisfies CommandForm;

export const countersignForm = {
  name: 'countersign',
  takes: '<certificate.json> --sign <key.pem> [options]',
  about: [
    'Verifies a certificate as petstore verify does and, where it holds and a --public-key shows who made it, adds a signature to it. Sign what you watched, or what you have run again: your signature says that the logged responses are what the target sent.',
  ],
  flags: {
    sign: { value: '<file>', help: 'Your private key (PEM, Ed25519). petstore keygen makes one.' },
    ...verifyFlags,
  },
  exits:
    '0 signed, 1 not signed since it does not hold, 2 not signed since that is inconclusive, since no --public-key was given, or since this version words it otherwise',
  readsForeignFiles: true,
} satisfies CommandForm;

export type VerifyArguments = FlagValues<typeof verifyFlags> & { readonly file: string };

/** The one file that is to be verified, and what with. Throws `PetstoreError`. */
export function readVerifyArguments(
  command: 'verify' | 'countersign',
  { values, words: [file, ...others] }: CommandLine<typeof verifyFlags>,
): VerifyArguments {
  if (file === undefined || others.length > 0)
    throw argumentError(`One certificate is wanted: petstore ${command} certificate.json.`);
  return { ...values, file };
}
