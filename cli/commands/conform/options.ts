import { PetstoreError } from '../../../contract/index.ts';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import {
  CERTIFY_OPTIONS,
  type CertifyArguments,
  parseCertifyValues,
} from '../../io/certify-arguments.ts';
import { createParseFailure, parseWhole } from '../../io/argument.ts';
import { RUN_OPTIONS, type RunArguments, parseRunValues } from '../../io/run-arguments.ts';

/** The command line of `petstore conform`, with the environment, read and in range. */
export interface ConformArguments extends RunArguments {
  /** Undefined: the embedded mock is judged. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly plan: string | undefined;
  /** Folder for the report's files. */
  readonly report: string | undefined;
  /** Requests of fuzzing; 0 for none. */
  readonly fuzz: number;
  /** Requests for smaller counterexamples. */
  readonly shrink: number | undefined;
  /** Id of the one counterexample to repeat. */
  readonly replay: string | undefined;
  /** Folder of counterexamples. */
  readonly save: string | undefined;
  /** File of waivers. */
  readonly waivers: string | undefined;
  /** A certificate that is to be written; undefined for none. */
  readonly certify: CertifyArguments | undefined;
}

export const conformHelp = `Usage: petstore conform [options]

Judges a server against the contract. Without --base-url it starts the mock on a free port and judges that.

  --base-url <url>     Base address, with its version segment. Default: PETSTORE_BASE_URL.
  --api-key <key>      API key of the target. Default: PETSTORE_API_KEY.
  --plan <name>        Plan of the key: its limits are then held against the headers. Default: not told.
  --requests <number>  Most requests that may be sent. Default: what the plan allows in a minute, at most 240; else 60.
  --seed <number>      The same seed sends the same requests. Default: 1.
  --contract <file>    OpenAPI document to judge by. Default: the bundled openapi.yaml.
  --report <folder>    Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder.
  --exhaust            Ends with a drive to the rate limit; its requests come on top of --requests.
  --fuzz <number>      Sends so many more requests: generated values, and sequences against a model. Default: 0.
  --shrink <number>    Of the requests, how many may go into smaller counterexamples. Default: a tenth, at least 5.
  --save <folder>      Looks first for the counterexamples in the folder, and adds those that are found.
  --replay <id>        Repeats one counterexample and nothing else: 0 no longer there, 1 still there, 2 not shown.
  --read-only          Sends no request that may add or change items.
  --only <name>        Judges only this requirement, family or operation. May be repeated.
  --skip <name>        Leaves this requirement, family or operation out. May be repeated.
  --waivers <file>     JSON file of failures that are known and agreed: requirement, reason, owner, expires.
                       One that is out of date, or whose requirement holds, fails the run.
  --category-id <id>   A category that exists. Default: one that the target's own list shows.
  --timeout <seconds>  Time until a request without a response counts as hung. Default: 10.
  --certify            Writes certificate.json, certificate.html and badge.svg into the folder of --report, else into
                       this one. Drives to the rate limit as --exhaust does, unless --read-only. Exit code 0 then
                       means that the certificate says "conforms".
  --target-name <name>, --target-version <version>
                       What the certificate calls the target. Needed for --certify.
  --sign <file>        Private key to sign the certificate with (petstore keygen). Default: it is unsigned.
  --insecure           Does not verify the target's certificate.
  --quiet              The verdict and the failures only.
  --help               This text.

Exit codes: 0 conforms, 1 failed, 2 is inconclusive.
`;

const OPTIONS = {
  ...RUN_OPTIONS,
  ...CERTIFY_OPTIONS,
  'base-url': { type: 'string' },
  'api-key': { type: 'string' },
  plan: { type: 'string' },
  report: { type: 'string' },
  fuzz: { type: 'string', default: '0' },
  shrink: { type: 'string' },
  save: { type: 'string' },
  replay: { type: 'string' },
  waivers: { type: 'string' },
} satisfies ParseArgsOptionsConfig;

/**
 * Parses the command line; what it leaves out is taken from the environment. Throws
 * `PetstoreError`.
 */
export function parseConformArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ConformArguments {
  const values = parseValues(argv);
  const baseUrl = values['base-url'] ?? (env['PETSTORE_BASE_URL'] || undefined);
  const apiKey = values['api-key'] ?? (env['PETSTORE_API_KEY'] || undefined);
  if (baseUrl === undefined && values['api-key'] !== undefined)
    throw new PetstoreError(
      'argument',
      '--api-key needs --base-url: without one the embedded mock is judged, with a key of its own.',
    );
  if (values.certify && values.replay !== undefined && !values.help)
    throw new PetstoreError(
      'argument',
      '--replay repeats one counterexample: there is nothing to certify.',
    );
  if (values.certify && values.save !== undefined && !values.help)
    throw new PetstoreError(
      'argument',
      '--certify takes no --save: saved requests say themselves what they are to prove.',
    );
  return {
    ...parseRunValues(values),
    baseUrl,
    apiKey,
    plan: values.plan,
    report: values.report,
    isExhausting: values.exhaust || (values.certify && !values['read-only']),
    fuzz: parseWhole('--fuzz', values.fuzz, 0, 1_000_000),
    shrink:
      values.shrink === undefined ? undefined : parseWhole('--shrink', values.shrink, 0, 1_000_000),
    save: values.save,
    replay: values.replay,
    waivers: values.waivers,
    certify: values.help ? undefined : parseCertifyValues(values),
  };
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    throw createParseFailure('conform', error);
  }
}
