import type { RunOptions } from '../../conformance/index.ts';
import { type Contract, type JsonValue, parseJson } from '../../contract/index.ts';
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
  timeout: {
    value: '<seconds>',
    read: seconds,
    default: '10',
    help: 'Time until a request without a response counts as hung. Default: 10.',
  },
  insecure: { help: "Does not verify the target's certificate." },
} satisfies FlagTable;

export const reportFlags = {
  report: {
    value: '<folder>',
    help: 'Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder.',
  },
  quiet: { help: 'The verdict and the failures only.' },
} satisfies FlagTable;

/** The settings of a run that the flags give; a flag has the name of its setting. */
export function listRunOptions(
  contract: Contract,
  wanted: FlagValues<typeof runFlags>,
): RunOptions {
  const { requests, seed, exhaust, readOnly, only, skip, timeout, insecure, categoryId } = wanted;
  return {
    requests,
    seed,
    exhaust,
    readOnly,
    only,
    skip,
    timeout,
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
