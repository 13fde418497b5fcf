import { requiredShare, type RunOptions } from '../../conformance/index.ts';
import { type Contract, type JsonValue, parseJson } from '../../contract/index.ts';
import { argumentError } from './command-failure.ts';
import { documentFlags } from './document-flags.ts';
import { type FlagTable, type FlagValues, seconds, whole } from './flags.ts';

export const runFlags = {
  requests: {
    value: '<number>',
    read: whole(1, 1_000_000),
    help: 'Most requests that may be sent to a target. Default: what its plan allows in a minute, at most 240; 60 where a plan is not told.',
  },
  seed: {
    value: '<number>',
    read: whole(0, 2_147_483_647),
    default: '1',
    help: 'The same seed sends the same requests. Default: 1.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document to judge by. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
  exhaust: {
    help: 'Ends with a drive to the rate limit; its requests come on top of --requests.',
  },
  readOnly: { help: 'Sends no request that may add or change items.' },
  only: {
    value: '<name>',
    many: true,
    help: 'Judges only this requirement, family or operation. May be repeated.',
  },
  skip: {
    value: '<name>',
    many: true,
    help: 'Leaves this requirement, family or operation out. May be repeated.',
  },
  categoryId: {
    value: '<id>',
    help: "A category that exists. Default: one that the target's own list shows.",
  },
  id: {
    value: '<name>=<value>',
    many: true,
    help: 'An identifier that exists, by the path parameter or the collection: --id petId=7. May be repeated.',
  },
  disposable: {
    help: 'The target holds nothing of value: items that the suite did not add may be changed and removed. So it is with the mock.',
  },
  exclusive: {
    help: 'Nobody else uses the target: items that no response accounts for were stored by a refused request. So it is with the mock.',
  },
  requireTested: {
    value: '<percent>',
    read: whole(requiredShare, 100),
    help: `Percent of the planned requests that have to be tested; a run below is inconclusive. Default: ${requiredShare}.`,
  },
  timeLimit: {
    value: '<seconds>',
    read: whole(1, 7 * 86_400),
    help: 'Time after which nothing more is sent; what is left is not tested. Default: what the plan takes with its waits, and some time to spare.',
  },
  timeout: {
    value: '<seconds>',
    read: seconds,
    default: '10',
    help: 'Time until a request without a response counts as hung. Default: 10.',
  },
  maxResponseBytes: {
    value: '<bytes>',
    read: whole(1024, 268_435_456),
    help: 'Most bytes of a response that is judged; with more than 8 MiB, more values and larger logs are judged too. Default: 8388608.',
  },
  insecure: { help: "Does not verify the target's certificate." },
} satisfies FlagTable;

/** Of the commands that judge traffic. */
export const trafficFlags = {
  waivers: {
    value: '<file>',
    help: 'JSON file of failures that are known and agreed: requirement, reason, owner, expires.',
  },
  requireTested: {
    ...runFlags.requireTested,
    help: `Percent of the exchanges, and of the successes among them, whose response has to be judged to its end; traffic with fewer is inconclusive. Default: ${requiredShare}.`,
  },
} satisfies FlagTable;

/** Options that mean the same to every command that has them. */
export const sharedFlags = {
  contract: { value: '<file>', help: 'OpenAPI document. Default: the bundled openapi.yaml.' },
  ...documentFlags,
} satisfies FlagTable;

export const reportFlags = {
  report: {
    value: '<folder>',
    help: 'Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A report of the same kind is replaced, and nothing else.',
  },
  force: { help: 'Replaces whatever has these names, also a certificate.' },
  quiet: { help: 'The verdict and the failures only.' },
} satisfies FlagTable;

/** The settings of a run that the flags give; a flag has the name of its setting. */
export function listRunOptions(
  contract: Contract,
  wanted: FlagValues<typeof runFlags>,
): RunOptions {
  const { requests, seed, exhaust, readOnly, only, skip, timeout, insecure, categoryId } = wanted;
  const { id, disposable, exclusive, requireTested, timeLimit, maxResponseBytes } = wanted;
  return {
    ...(id.length === 0 ? {} : { ids: readIds(id) }),
    ...(disposable ? { disposable } : {}),
    ...(exclusive ? { exclusive } : {}),
    requests,
    seed,
    exhaust,
    readOnly,
    only,
    skip,
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
    ...(requireTested === undefined ? {} : { requireTested }),
    ...(timeLimit === undefined ? {} : { timeLimit: 1000 * timeLimit }),
    timeout,
    verifyTls: !insecure,
    references: categoryId === undefined ? {} : readReferences(contract, categoryId),
  };
}

/** Identifiers by name. Throws `PetstoreError` for a text without `=`. */
function readIds(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1 || at === text.length - 1)
      throw argumentError(`--id has to be a name and a value, such as petId=7, not "${text}".`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

/** The record that is known to exist, for every member that refers to one. */
function readReferences(contract: Contract, id: string): Readonly<Record<string, JsonValue>> {
  const value: JsonValue = /^-?\d+$/.test(id) ? parseJson(id) : id;
  const members = contract.openQuestions
    .filter(({ kind }) => kind === 'reference')
    .map(({ at }) => at.split('/').at(-1) ?? '');
  return Object.fromEntries(members.map((member) => [member, value]));
}
