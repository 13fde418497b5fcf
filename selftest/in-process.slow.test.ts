import { expect, test } from 'vitest';
import type { Exchange, ReceivedResponse } from '../conformance/index.ts';
import { mutants, variants, type Mutant, type Variant } from './index.ts';
import { petstore } from '../test/contract/petstore.ts';
import { judgeSubject } from './trial.ts';

/** One of this many mutants and variants is tried both ways, in addition to the named ones. */
const share = 60;
const named = [
  'auth-once-per-connection',
  'cut-many',
  'delivery-chunked',
  'delivery-early-hints',
  'delivery-until-close',
  'hang-no-body',
  'header-close',
  'header-padded',
  'list-bytes-gzip',
];
const subjects: readonly (Mutant | Variant)[] = [...mutants, ...variants];
const sample = subjects.filter(({ id }, index) => index % share === 0 || named.includes(id));

/**
 * The parts of a log that have to be equal: everything except times, dates, header fields of connection and
 * framing, and the message about a broken connection. The network decides the order of concurrent requests.
 */
function readLog(exchanges: readonly Exchange[]): unknown {
  const alone = exchanges.filter(({ group }) => group === undefined);
  const together = exchanges.filter(({ group }) => group !== undefined);
  return {
    alone: alone.map(({ index, probe, intent, request, outcome }) =>
      outcome.kind === 'no-response'
        ? { index, probe, intent, request, reason: outcome.error.reason }
        : { index, probe, intent, request, response: withoutFraming(outcome.response) },
    ),
    together: together
      .map(({ group, request, outcome }) =>
        [
          group,
          request.method,
          request.target,
          outcome.kind === 'answered' ? outcome.response.status : outcome.error.reason,
        ].join(' '),
      )
      .toSorted(),
  };
}

const framing = /^(connection|content-length|date|keep-alive|transfer-encoding)$/i;

function withoutFraming(response: ReceivedResponse): ReceivedResponse {
  const headers = response.headers.filter(([name]) => !framing.test(name));
  return { ...response, headers };
}

async function judge(subject: Mutant | Variant, isOverNetwork: boolean) {
  const { verdicts, exchanges } = await judgeSubject(petstore, subject, {
    seed: 1,
    requests: 60,
    // Over the network it runs by the machine's clock, on which a busy machine may be late.
    timeout: /^hang-|-silence$/.test(subject.id) ? 500 : 10_000,
    exhaust: 'needs' in subject && subject.needs === 'exhaust',
    isOverNetwork,
  });
  const failed = verdicts.flatMap(({ kind, requirement }) =>
    kind === 'failed' ? [requirement.id] : [],
  );
  const kinds = verdicts.map(({ kind }) => kind);
  // What these store depends on the order in which requests arrive, and so does what is read later.
  return subject.id.startsWith('together-')
    ? { failed, kinds }
    : { failed, kinds, log: readLog(exchanges) };
}

test.for(sample.map((subject) => ({ id: subject.id, subject })))(
  '$id is judged alike over the network and in process',
  async ({ subject }) => {
    expect(await judge(subject, false)).toEqual(await judge(subject, true));
  },
);

test('every named subject is tried', () => {
  expect(named.filter((id) => !sample.some((subject) => subject.id === id))).toEqual([]);
});
