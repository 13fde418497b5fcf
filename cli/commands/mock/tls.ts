import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { ListenOptions } from '../../../mock/index.ts';
import { type MockArguments } from './options.ts';
import { inputLimits } from '../../../limits/index.ts';
import { readBytes } from '../../input/file.ts';
import { argumentError } from '../../io/command-failure.ts';

/** Throws `PetstoreError` for a key or certificate that cannot be used, or the system's error. */
export async function openTls({ tls }: MockArguments): Promise<Pick<ListenOptions, 'tls'>> {
  if (tls === undefined) return {};
  if (tls === 'generated') return { tls };
  const [key, cert] = await Promise.all([
    readBytes(tls.key, inputLimits.settingBytes),
    readBytes(tls.cert, inputLimits.settingBytes),
  ]);
  const noKey = `${tls.key} (--tls-key) is no private key in PEM, or asks for a passphrase.`;
  const noCertificate = `${tls.cert} (--tls-cert) is no certificate in PEM.`;
  const privateKey = parsePem(noKey, () => createPrivateKey(key));
  const certificate = parsePem(noCertificate, () => new X509Certificate(cert));
  if (!certificate.checkPrivateKey(privateKey))
    throw argumentError(`${tls.key} is not the private key of the certificate ${tls.cert}.`);
  return { tls: { key, cert } };
}

function parsePem<Value>(reason: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw argumentError(reason, cause);
  }
}
