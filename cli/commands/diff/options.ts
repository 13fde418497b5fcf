import type { Sides } from '../../../conformance/index.ts';
import type { CommandForm, CommandLine, FlagTable, FlagValues } from '../../io/flags.ts';
import { runFlags } from '../../io/run-flags.ts';
import { argumentError } from '../../io/command-failure.ts';

const flags = {
  apiKey: {
    value: '<key>',
    variable: 'PETSTORE_API_KEY',
    help: 'API key of both. Default: PETSTORE_API_KEY.',
  },
  apiKeyA: { value: '<key>' },
  apiKeyB: { value: '<key>', help: 'API key of one side.' },
  plan: {
    value: '<name>',
    help: 'Plan of both keys: its limits are then held against the headers. Default: not told.',
  },
  planA: { value: '<name>' },
  planB: { value: '<name>', help: 'Plan of the key of one side.' },
  ...runFlags,
  json: { help: 'Prints the comparison as JSON (docs/diff.schema.json).' },
  quiet: { help: 'The differences only: no waits, and nothing of what only one side showed.' },
} satisfies FlagTable;

export const diffForm = {
  name: 'diff',
  takes: '<url A> <url B> [options]',
  about: [
    'Sends the same requests to two servers, one after the other, and tells only what differs: requirements that one fails or both fail differently, and other choices in what the contract leaves open. Addresses end in the version segment.',
  ],
  flags,
  exits: '0 nothing differs, 1 something differs, 2 inconclusive',
} satisfies CommandForm;

export type DiffArguments = FlagValues<typeof flags> & { readonly targets: Sides<DiffTarget> };

export interface DiffTarget {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly plan: string | undefined;
}

/** The two sides, and what is given for both. Throws `PetstoreError`. */
export function readDiffArguments({ values, words }: CommandLine<typeof flags>): DiffArguments {
  const [a = '', b = '', ...others] = words;
  if (b === '' || others.length > 0)
    throw argumentError(
      `Two addresses are wanted, not ${words.length}: petstore diff http://127.0.0.1:4010/v1 http://127.0.0.1:4011/v1.`,
    );
  const { plan, planA = plan, planB = plan } = values;
  const { apiKey, apiKeyA = apiKey, apiKeyB = apiKey } = values;
  return {
    ...values,
    targets: {
      a: { baseUrl: a, apiKey: apiKeyA, plan: planA },
      b: { baseUrl: b, apiKey: apiKeyB, plan: planB },
    },
  };
}
