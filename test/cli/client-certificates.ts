import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPair, parseSigningKey } from '../../certificate/index.ts';
import {
  type Loose,
  closePayload,
  digestAnew,
  factsOf,
  list,
  loose,
  openPayload,
} from '../certificate/forge.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { startCommand } from './command.ts';

/** A client of the self-test, as a command. */
export function clientCommand(name: string): readonly string[] {
  return [process.execPath, packageFile(`selftest/clients/${name}-client.ts`)];
}

/** Parts of a certificate, to change in place. */
export interface Parts {
  readonly document: Loose;
  readonly settings: Loose;
  readonly exchanges: Loose[];
}

/** Creates, verifies and forges certificates of clients, all with one key. */
export interface ClientCertifier extends AsyncDisposable {
  /** The text of a certificate, or stderr if there is none. */
  readonly certify: (command: readonly string[], ...flags: readonly string[]) => Promise<string>;
  /** Exit code and output of `petstore verify`, with white space collapsed. */
  readonly verify: (certificate: string) => Promise<readonly [code: number, text: string]>;
  /** The certificate after a change, numbered, with a new digest and signed again. */
  readonly forge: (certificate: string, change: (parts: Parts) => void) => string;
}

export async function openClientCertifier(): Promise<ClientCertifier> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  const { privateKey, publicKey } = createKeyPair();
  const [key, publicFile] = [join(folder, 'key.pem'), join(folder, 'key.pub.pem')];
  await writeFile(key, privateKey);
  await writeFile(publicFile, publicKey);
  const signing = ['--target-name', 'client', '--target-version', '1', '--sign', key];
  return {
    async certify(command, ...flags) {
      const report = await mkdtemp(join(folder, 'report-'));
      const all = ['--certify', ...signing, '--report', report, ...flags];
      const { ended, stderr } = startCommand('certify-client', ...all, '--', ...command);
      await ended;
      return await readFile(join(report, 'certificate.json'), 'utf8').catch(stderr);
    },
    async verify(certificate) {
      const file = join(await mkdtemp(join(folder, 'verify-')), 'certificate.json');
      await writeFile(file, certificate);
      const { ended, stdout } = startCommand('verify', file, '--public-key', publicFile);
      return [await ended, stdout().replaceAll(/\s+/g, ' ')];
    },
    forge(certificate, change) {
      const document = openPayload(certificate);
      const exchanges = list(document['exchanges']).map(loose);
      change({ document, settings: loose(factsOf(document)['settings']), exchanges });
      document['exchanges'] = exchanges.map((each, index) => ({ ...each, index }));
      digestAnew(document);
      return closePayload(document, [parseSigningKey(privateKey)]);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
