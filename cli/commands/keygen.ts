import { rm, writeFile } from 'node:fs/promises';
import { createKeyPair } from '../../certificate/index.ts';
import { quoteWord } from '../../page/view/quote/shell.ts';
import { show, showLine } from '../../page/view/visible.ts';
import { argumentError } from '../io/command-failure.ts';
import { createCommand } from '../options/command.ts';

export const runKeygen = createCommand(
  {
    name: 'keygen',
    takes: '[options]',
    about: ['Makes a key pair to sign certificates with (Ed25519, PEM).'],
    examples: [['--out acme', 'Write acme.pem and acme.pub.pem.']],
    page: 'certificates.md',
    flags: {
      out: {
        value: '<name>',
        default: 'certificate-key',
        help: 'Write <name>.pem, the private key (mode 0600), and <name>.pub.pem, the public key for whoever verifies. Existing files are not overwritten.',
      },
    },
    exits: ['written'],
  },
  async ({ values: { out: name } }, { stdout }) => {
    if (name === '' || name.endsWith('/'))
      throw argumentError(`--out must be the beginning of a file name, not "${name}".`);
    const { privateKey, publicKey, keyid } = createKeyPair();
    const [secret, open] = [`${name}.pem`, `${name}.pub.pem`];
    await writeNew(secret, privateKey, 0o600);
    try {
      await writeNew(open, publicKey, 0o644);
    } catch (error) {
      // Half a pair is useless, and would block the next attempt.
      await rm(secret);
      throw error;
    }
    stdout.write(
      show`${showLine(secret)}      sign with it: npx petstore-contract conform --certify --sign ${quoteWord(secret)}. Keep it to yourself.\n${showLine(open)}  give it to whoever is to verify: npx petstore-contract verify certificate.json --public-key ${quoteWord(open)}\nThe key's id is ${showLine(keyid)}.\n`,
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
