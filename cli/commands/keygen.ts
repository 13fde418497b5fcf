import { rm, writeFile } from 'node:fs/promises';
import { createKeyPair } from '../../certificate/index.ts';
import { quoteWord } from '../../page/view/quote/shell.ts';
import { show, showLine } from '../../page/view/visible.ts';
import { argumentError } from '../io/command-failure.ts';
import { createCommand } from '../options/command.ts';

export const runKeygen = createCommand(
  {
    name: 'keygen',
    usage: '[options]',
    description: ['Makes a key pair to sign certificates with (Ed25519, PEM).'],
    examples: [['--out acme', 'Write acme.pem and acme.pub.pem.']],
    page: 'certificates.md',
    flags: {
      out: {
        value: '<name>',
        default: 'certificate-key',
        help: 'Write <name>.pem, the private key (mode 0600), and <name>.pub.pem, the public key for those who verify. Existing files are not overwritten.',
      },
    },
    exitCodes: ['written'],
  },
  async ({ values: { out: name } }, { stdout }) => {
    if (name === '' || name.endsWith('/'))
      throw argumentError(`--out must be the start of a file name, not "${name}".`);
    const { privateKey, publicKey, keyid } = createKeyPair();
    const [secret, open] = [`${name}.pem`, `${name}.pub.pem`];
    await writeNew(secret, privateKey, 0o600);
    try {
      await writeNew(open, publicKey, 0o644);
    } catch (error) {
      // Without its other half a key is useless, and the file would block the next attempt.
      await rm(secret);
      throw error;
    }
    stdout.write(
      show`${showLine(secret)}      the private key: keep it secret. Sign with npx petstore-contract conform --certify --sign ${quoteWord(secret)}\n${showLine(open)}  the public key: give it to those who verify. They run npx petstore-contract verify certificate.json --public-key ${quoteWord(open)}\nKey id: ${showLine(keyid)}\n`,
    );
    return 0;
  },
);

async function writeNew(file: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(file, text, { mode, flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isThere ? argumentError(`${file} already exists.`, error) : error;
  }
}
