import { argumentError } from '../../io/command-failure.ts';
import { documentFlags } from '../../io/document-flags.ts';
import { type CommandForm, type FlagTable, type FlagValues, whole } from '../../io/flags.ts';
import { reportFlags, runFlags, trafficFlags } from '../../io/run-flags.ts';

const flags = {
  target: {
    value: '<url>',
    help: 'Base address of the server, with its version segment. Needed.',
  },
  port: {
    value: '<number>',
    read: whole(0, 65_535),
    default: '4020',
    help: 'Port to listen on; 0 for a free one. Default: 4020.',
  },
  host: {
    value: '<address>',
    default: '127.0.0.1',
    help: 'Address to listen on. Default: 127.0.0.1.',
  },
  errors: {
    help: 'Answers 502 with the findings in the place of a response that breaks the contract. JSON is then held to its end.',
  },
  insecure: runFlags.insecure,
  ...trafficFlags,
  contract: runFlags.contract,
  ...documentFlags,
  ...reportFlags,
} satisfies FlagTable;

export const proxyForm = {
  name: 'proxy',
  takes: '--target <url> [options]',
  about: [
    'Passes requests on to a server as they are, and judges every exchange. Tells each requirement that fails when it fails first, and all that was found at its end (Ctrl-C).',
  ],
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive: nothing to judge, or a wrong argument',
} satisfies CommandForm;

export type ProxyArguments = FlagValues<typeof flags> & { readonly target: string };

/** Throws `PetstoreError` where no target is given. */
export function readProxyArguments(values: FlagValues<typeof flags>): ProxyArguments {
  const { target } = values;
  if (target === undefined)
    throw argumentError('Give the server: petstore proxy --target https://api.example/v1.');
  return { ...values, target };
}
