import { PetstoreError } from '../../../contract/index.ts';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Sides } from '../../../conformance/index.ts';
import { createParseFailure } from '../../io/argument.ts';
import { RUN_OPTIONS, type RunArguments, parseRunValues } from '../../io/run-arguments.ts';

/** The command line of `petstore diff`, with the environment, read and in range. */
export interface DiffArguments extends RunArguments {
  readonly targets: Sides<DiffTarget>;
  /** Prints JSON in the place of text. */
  readonly isJson: boolean;
}

/** One of the two servers. */
export interface DiffTarget {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly plan: string | undefined;
}

export const diffHelp = `Usage: petstore diff <url A> <url B> [options]

Sends the same requests to two servers, one after the other, and tells only what differs: requirements that one breaks or
both break otherwise, and other choices in what the contract leaves open. Addresses end in the version segment.

  --api-key <key>      API key of both. Default: PETSTORE_API_KEY.
  --api-key-a <key>, --api-key-b <key>
                       API key of one side.
  --plan <name>        Plan of both keys: its limits are then held against the headers. Default: not told.
  --plan-a <name>, --plan-b <name>
                       Plan of the key of one side.
  --requests <number>  Most requests that may be sent to each. Default: what the smaller plan allows in a minute, at
                       most 240; 60 where a plan is not told.
  --seed <number>      The same seed sends the same requests. Default: 1.
  --contract <file>    OpenAPI document to compare by. Default: the bundled openapi.yaml.
  --exhaust            Ends each run with a drive to the rate limit; its requests come on top of --requests.
  --read-only          Sends no request that may add or change items.
  --only <name>        Compares only this requirement, family or operation. May be repeated.
  --skip <name>        Leaves this requirement, family or operation out. May be repeated.
  --category-id <id>   A category that exists on both. Default: one that each target's own list shows.
  --timeout <seconds>  Time until a request without a response counts as hung. Default: 10.
  --insecure           Does not verify the targets' certificates.
  --json               Prints the comparison as JSON (docs/diff.schema.json).
  --quiet              The differences only: no waits, and nothing of what only one side showed.
  --help               This text.

Exit codes: 0 nothing differs, 1 something differs, 2 is inconclusive.
`;

const OPTIONS = {
  ...RUN_OPTIONS,
  'api-key': { type: 'string' },
  'api-key-a': { type: 'string' },
  'api-key-b': { type: 'string' },
  plan: { type: 'string' },
  'plan-a': { type: 'string' },
  'plan-b': { type: 'string' },
  json: { type: 'boolean', default: false },
} satisfies ParseArgsOptionsConfig;

/**
 * Parses the command line; a key that it leaves out is taken from the environment. Throws
 * `PetstoreError`.
 */
export function parseDiffArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DiffArguments {
  const { values, positionals } = parseValues(argv);
  const [a = '', b = '', ...others] = positionals;
  if (!values.help && (b === '' || others.length > 0))
    throw new PetstoreError(
      'argument',
      `Two addresses are wanted, not ${positionals.length}: petstore diff http://127.0.0.1:4010/v1 http://127.0.0.1:4011/v1.`,
    );
  const apiKey = values['api-key'] ?? (env['PETSTORE_API_KEY'] || undefined);
  return {
    ...parseRunValues(values),
    targets: {
      a: {
        baseUrl: a,
        apiKey: values['api-key-a'] ?? apiKey,
        plan: values['plan-a'] ?? values.plan,
      },
      b: {
        baseUrl: b,
        apiKey: values['api-key-b'] ?? apiKey,
        plan: values['plan-b'] ?? values.plan,
      },
    },
    isJson: values.json,
  };
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw createParseFailure('diff', error);
  }
}
