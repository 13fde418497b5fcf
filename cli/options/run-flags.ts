import { requiredShare, type RunOptions } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { type FlagTable, type FlagValues, pairs, seconds, whole } from './flags.ts';

export const runFlags = {
  requests: {
    ...whole(1, 1_000_000),
    help: 'Send at most this many requests. Default: 60, or 2 for each operation if that is more; with --plan, what the plan allows in its shortest window, at most 240.',
  },
  seed: {
    group: 'Requests',
    ...whole(0, 2_147_483_647),
    default: '1',
    help: 'The same seed sends the same requests.',
  },
  exhaust: {
    help: 'Also send requests until the rate limit is reached, on top of --requests. Always on for the mock.',
  },
  readOnly: { help: 'Send no request that could add or change items.' },
  only: {
    group: 'Requests',
    value: '<name>',
    many: true,
    help: 'Test only this requirement, family or operation. Can be repeated.',
  },
  skip: {
    group: 'Requests',
    value: '<name>',
    many: true,
    help: 'Leave out this requirement, family or operation. Can be repeated.',
  },
  categoryId: {
    group: 'Target',
    value: '<id>',
    help: 'A category that exists. Default: one from the list of the target.',
  },
  id: {
    group: 'Target',
    ...pairs('<name>=<value>'),
    help: 'An id that exists, named by path parameter or collection: --id petId=7. Can be repeated.',
  },
  disposable: {
    group: 'Target',
    help: 'The target has no valuable data: items that the suite did not add can be changed and removed. Always on for the mock.',
  },
  exclusive: {
    group: 'Target',
    help: 'Nobody else uses the target during the run. If an item appears that the run did not create, the run fails. Always on for the mock.',
  },
  requireTested: {
    group: 'Verdict and report',
    ...whole(requiredShare, 100),
    value: '<percent>',
    help: `The run is inconclusive if less than this percentage of the planned requests leads to a verdict. Default: ${requiredShare}.`,
  },
  timeLimit: {
    group: 'Requests',
    ...whole(1, 7 * 86_400),
    value: '<seconds>',
    help: 'Stop sending after this time; the rest is not tested. Default: the time that the requests and waits need, plus a margin.',
  },
  timeout: {
    group: 'Requests',
    ...seconds,
    default: '10',
    help: 'Wait this long for a response.',
  },
  maxResponseBytes: {
    group: 'Requests',
    ...whole(1024, 268_435_456),
    value: '<bytes>',
    help: 'Read at most this many bytes of a response. Above 8 MiB, the bounds on values and on the log grow too. Default: 8388608.',
  },
  insecure: { group: 'Target', help: 'Do not verify the TLS certificate of the target.' },
} satisfies FlagTable;

/** Of the commands that judge traffic. */
export const trafficFlags = {
  waivers: {
    value: '<file>',
    help: 'JSON file of known failures, each with requirement, reason, owner and expiry date.',
  },
  requireTested: {
    ...runFlags.requireTested,
    help: `Traffic is inconclusive if less than this percentage of its exchanges, or of its successful ones, could be checked in full. Default: ${requiredShare}.`,
  },
} satisfies FlagTable;

/** The settings of a run that the flags give; a flag has the name of its setting. */
export function listRunOptions(
  contract: Contract,
  wanted: FlagValues<typeof runFlags>,
): RunOptions {
  const { requests, seed, exhaust, readOnly, only, skip, timeout, insecure, categoryId } = wanted;
  const { id, disposable, exclusive, requireTested, timeLimit, maxResponseBytes } = wanted;
  return {
    requests,
    seed,
    exhaust,
    readOnly,
    only,
    skip,
    timeout,
    requireTested,
    maxResponseBytes,
    ids: id.length === 0 ? undefined : Object.fromEntries(id),
    disposable: disposable || undefined,
    exclusive: exclusive || undefined,
    timeLimit: timeLimit && 1000 * timeLimit,
    verifyTls: !insecure,
    references: categoryId === undefined ? {} : readReferences(contract, categoryId),
  };
}

/** The record that is known to exist, for every member that refers to one. */
function readReferences(contract: Contract, id: string): Readonly<Record<string, JsonValue>> {
  const value: JsonValue = /^-?\d+$/.test(id) ? parseJson(id) : id;
  const members = contract.openQuestions
    .filter(({ kind }) => kind === 'reference')
    .map(({ at }) => at.split('/').at(-1) ?? '');
  return Object.fromEntries(members.map((member) => [member, value]));
}
