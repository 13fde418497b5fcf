import { PetstoreError } from '../../../contract/index.ts';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { createParseFailure } from '../../io/argument.ts';

/** What a certificate is to be verified with, from the command line. */
export interface VerifyArguments {
  /** The certificate. */
  readonly file: string;
  /** Files of keys, each of which must have signed. */
  readonly publicKeys: readonly string[];
  /** Undefined: the bundled document. */
  readonly contract: string | undefined;
  /** File of the key to sign with, for `petstore countersign`. */
  readonly sign: string | undefined;
  readonly wantsHelp: boolean;
}

const OPTIONS = {
  'public-key': { type: 'string', multiple: true, default: [] },
  contract: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig;

/**
 * Parses the command line of `verify` or `countersign`; the second wants `--sign`. Throws
 * `PetstoreError`.
 */
export function parseVerifyArguments(
  command: 'verify' | 'countersign',
  argv: readonly string[],
): VerifyArguments {
  const { values, positionals } = parseValues(command, argv);
  const [file, ...others] = positionals;
  const sign = 'sign' in values && typeof values.sign === 'string' ? values.sign : undefined;
  const wanted = {
    file: file ?? '',
    publicKeys: values['public-key'],
    contract: values.contract,
    sign,
    wantsHelp: values.help,
  };
  if (wanted.wantsHelp) return wanted;
  if (file === undefined || others.length > 0)
    throw new PetstoreError(
      'argument',
      `One certificate is wanted: petstore ${command} certificate.json.`,
    );
  if (command === 'countersign' && sign === undefined)
    throw new PetstoreError('argument', '--sign is wanted: the private key to sign with.');
  return wanted;
}

function parseValues(command: 'verify' | 'countersign', argv: readonly string[]) {
  const args = [...argv];
  try {
    if (command === 'verify') return parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return parseArgs({
      args,
      options: { ...OPTIONS, sign: { type: 'string' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw createParseFailure(command, error);
  }
}
