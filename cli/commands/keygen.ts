import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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
    for (const file of [secret, open])
      if (existsSync(file)) throw argumentError(`${file} already exists.`);
    await writeFile(secret, privateKey, { mode: 0o600, flag: 'wx' });
    await writeFile(open, publicKey, { mode: 0o644, flag: 'wx' });
    stdout.write(
      show`${showLine(secret)}      sign with it: npx petstore-contract conform --certify --sign ${quoteWord(secret)}. Keep it to yourself.\n${showLine(open)}  give it to whoever is to verify: npx petstore-contract verify certificate.json --public-key ${quoteWord(open)}\nThe key's id is ${showLine(keyid)}.\n`,
    );
    return 0;
  },
);
