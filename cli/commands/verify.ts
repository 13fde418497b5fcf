import {
  isAuthenticated,
  type JudgedAgain,
  parseVerifyingKey,
  refuseSize,
  settleLevel,
  type Verification,
  verifyCertificate,
} from '../../certificate/index.ts';
import type { Exchange } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { quoteWord } from '../../page/view/quote/shell.ts';
import { joinShown, show, showLine } from '../../page/view/visible.ts';
import { readUpTo } from '../io/file.ts';
import { layoutFor } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { sharedFlags } from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { readVersion } from '../package/package-root.ts';
import { readKey } from '../report/certificate-files.ts';
import { renderVerification } from './verify/verification-text.ts';

/** `petstore verify`: verifies a certificate and prints what was checked and found. */
export const runVerify = createCommand(
  {
    name: 'verify',
    takes: '<certificate.json> [options]',
    about: [
      'Verifies a certificate offline. It checks the signatures, judges the recorded log again, and compares the report with the one in the certificate. The first difference is shown. The log of a client is replayed to the mock.',
    ],
    examples: [
      ['certificate.json --public-key acme.pub.pem', 'Verify a certificate and who signed it.'],
    ],
    page: 'certificates.md',
    flags: {
      publicKey: {
        value: '<file>',
        many: true,
        help: 'Public key (PEM) of a required signer. Can be repeated. Without one, the certificate is not authenticated: nothing shows who made it, and the exit code is never 0.',
      },
      contract: {
        value: '<file>',
        help: 'OpenAPI document that the certificate must be about. Default: the bundled openapi.yaml.',
      },
      overlay: sharedFlags.overlay,
    },
    exits: ['valid, and the target conforms', 'not valid, or the target does not conform'],
    readsForeignFiles: true,
  },
  async ({ values: { publicKey, contract: document, overlay }, words: [file = ''] }, io) => {
    const keys = await Promise.all(publicKey.map((key) => readKey(key, parseVerifyingKey)));
    const contract = await loadChosenContract(document, { overlay });
    const version = await readVersion();
    const read = await readUpTo(file, certificateLimits.fileBytes);
    const options = { keys, contract, version, now: Date.now(), judgeClient };
    const verification =
      read instanceof Uint8Array
        ? await verifyCertificate(read, options)
        : refuseSize(read.size, keys.length);
    const { madeBy } = verification;
    // This command, of the version that made the certificate.
    const words = [
      show`npx petstore-contract@${showLine(madeBy ?? version)} verify ${quoteWord(file)}`,
      ...publicKey.map((key) => show`--public-key ${quoteWord(key)}`),
      ...(document === undefined ? [] : [show`--contract ${quoteWord(document)}`]),
      ...overlay.map((each) => show`--overlay ${quoteWord(each)}`),
    ];
    const command = madeBy === undefined ? undefined : joinShown(words, ' ');
    io.stdout.write(renderVerification(file, verification, command, layoutFor(io)));
    return exitCodeOf(verification);
  },
);

/** The exit code of a verification: 0 it holds and says `conforms`, 1 not, 2 inconclusive. */
export function exitCodeOf(verification: Verification): number {
  const { outcome, certified } = verification;
  if (outcome === 'unclear') return 2;
  if (outcome === 'holds' && !isAuthenticated(verification)) return 2;
  const isProof = outcome === 'holds' && certified !== undefined;
  return isProof && settleLevel(certified.report) === 'conforms' ? 0 : 1;
}

/** Plays the log of a client to the mock again, and judges it by the same rules. */
export async function judgeClient(
  contract: Contract,
  settings: JsonObject,
  exchanges: readonly Exchange[],
): Promise<JudgedAgain> {
  const { clientRecord, rejudge } = await import('../../client/index.ts');
  return await rejudge(contract, clientRecord.read(settings, ''), exchanges);
}
