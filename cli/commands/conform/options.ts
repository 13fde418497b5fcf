import { type Clock, type RunOptions, parseShard } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { describeSuite } from '../../../certificate/index.ts';
import {
  type CertifyArguments,
  certifyFlags,
  readCertifyArguments,
} from '../../io/certify-flags.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  whole,
} from '../../io/flags.ts';
import { listRunOptions, reportFlags, runFlags } from '../../io/run-flags.ts';
import { argumentError } from '../../io/command-failure.ts';
import { readSuite } from '../../package/suite.ts';
import { readWaiverFile } from '../../conformance/waiver-file.ts';
import { readSaved } from './saved.ts';
import { embeddedOptions } from '../../conformance/embedded-mock.ts';

const flags = {
  baseUrl: {
    value: '<url>',
    variable: 'PETSTORE_BASE_URL',
    help: 'Base address, with its version segment. Default: PETSTORE_BASE_URL.',
  },
  apiKey: {
    value: '<key>',
    variable: 'PETSTORE_API_KEY',
    help: 'API key of the target. Default: PETSTORE_API_KEY.',
  },
  plan: {
    value: '<name>',
    help: 'Plan of the key: its limits are then held against the headers. Default: not told.',
  },
  ...runFlags,
  fuzz: {
    value: '<number>',
    read: whole(0, 1_000_000),
    default: '0',
    help: 'Sends so many more requests: generated values, and sequences against a model. Default: 0.',
  },
  shard: {
    value: '<i/n>',
    read: parseShard,
    help: 'Sends only the part of --fuzz that falls to shard i of n, and the run plan. petstore merge makes one report of all (docs/fuzzing.md).',
  },
  shrink: {
    value: '<number>',
    read: whole(0, 1_000_000),
    help: 'Of the requests, how many may go into smaller counterexamples. Default: a tenth, at least 5.',
  },
  save: {
    value: '<folder>',
    help: 'Looks first for the counterexamples in the folder, and adds those that are found.',
  },
  replay: {
    value: '<id>',
    help: 'Repeats one counterexample and nothing else: the id of a failure, or report.json#<id> of a report. 0 no longer there, 1 still there, 2 not shown.',
  },
  waivers: {
    value: '<file>',
    help: 'JSON file of failures that are known and agreed: requirement, reason, owner, expires. One that is out of date, or whose requirement passes, fails the run.',
  },
  ...reportFlags,
  ...certifyFlags,
} satisfies FlagTable;

export const conformForm = {
  name: 'conform',
  takes: '[options]',
  about: [
    'Judges a server against the contract. Without --base-url it starts the mock on a free port and judges that. With --certify it drives to the rate limit as with --exhaust, unless --read-only.',
  ],
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive',
} satisfies CommandForm;

/** What `petstore conform` is asked for; without a `baseUrl` the embedded mock is judged. */
export type ConformArguments = Omit<FlagValues<typeof flags>, 'certify'> & {
  readonly certify: CertifyArguments | undefined;
};

/** Checks what goes together. Throws `PetstoreError`. */
export function readConformArguments({
  values,
  typed,
}: CommandLine<typeof flags>): ConformArguments {
  if (values.baseUrl === undefined && typed.has('apiKey'))
    throw argumentError(
      '--api-key needs --base-url: without one the embedded mock is judged, with a key of its own.',
    );
  if (values.certify && values.replay !== undefined)
    throw argumentError('--replay repeats one counterexample: there is nothing to certify.');
  if (values.certify && values.save !== undefined)
    throw argumentError(
      '--certify takes no --save: saved requests say themselves what they are to prove.',
    );
  refuseShard(values);
  return {
    ...values,
    exhaust: values.exhaust || (values.certify && !values.readOnly),
    certify: readCertifyArguments(values, typed),
  };
}

/** A shard that could not be merged. Throws `PetstoreError`. */
function refuseShard({ shard, fuzz, replay, baseUrl, exclusive }: FlagValues<typeof flags>): void {
  if (shard === undefined) return;
  if (replay !== undefined)
    throw argumentError('--replay repeats one counterexample: there is nothing to split.');
  if (exclusive)
    throw argumentError('--exclusive takes no --shard: the shards of a run share their target.');
  if (fuzz === 0)
    throw argumentError(
      '--shard splits fuzzing: give the requests of all shards together with --fuzz.',
    );
  if (baseUrl === undefined)
    throw argumentError(
      '--shard needs --base-url: the embedded mock is another one in each run, and shards have one target.',
    );
}

/** The options of a run. Throws `PetstoreError`, or the system's error for a file. */
export async function readRunOptions(
  contract: Contract,
  wanted: ConformArguments,
  { clock, plan }: { readonly clock: Clock | undefined; readonly plan: string | undefined },
): Promise<RunOptions> {
  const { fuzz, shard, shrink, save, waivers } = wanted;
  return {
    ...listRunOptions(contract, wanted),
    fuzz,
    ...(shard === undefined
      ? {}
      : { shard: { ...shard, suite: describeSuite(await readSuite()) } }),
    shrink,
    plan,
    saved: save === undefined ? [] : await readSaved(save),
    waivers: waivers === undefined ? [] : await readWaiverFile(contract, waivers),
    ...(clock === undefined ? {} : embeddedOptions(clock)),
  };
}
