import type { Contract } from '../../contract/contract.ts';
import { add, begin, composeLog, get, list } from '../conformance/log.ts';
import { listRequirements, type Requirement } from '../../conformance/index.ts';
import type { Exchange } from '../../conformance/transport/exchange.ts';
import { countVerdicts, type RunReport } from '../../conformance/run/report.ts';
import { settleRun, type RunRecord } from '../../conformance/run/settings.ts';
import type { Verdict, Failure } from '../../conformance/judge/verdict.ts';

/** A text that tries to break out of every output. */
export const hostile = `</code></pre></style><script>alert("1")</script> & 'x' | \`\`\`\` [a](b) **c** ]]> %0A \n::error::no\r\n\u001B[31mred\u0000\u0007\u202Eltr\uFFFE\uD800 end`;

/** A report with every kind of verdict and hostile texts everywhere. Always the same. */
export function sampleReport(contract: Contract): RunReport {
  const verdicts = listRequirements(contract).map((requirement, index) =>
    sampleVerdict(requirement, index),
  );
  return {
    format: 'petstore-conformance-report/1',
    contract: {
      title: contract.title,
      version: contract.version,
      digest: contract.digest,
      source: contract.source,
    },
    target: { baseUrl: 'http://127.0.0.1:4010/v1', plan: 'Free' },
    client: undefined,
    unserved: [],
    run: {
      seed: 1,
      tag: 'pcps000001',
      budget: 60,
      requests: 5,
      planned: 5,
      startedAt: new Date(begin).toISOString(),
      milliseconds: 31_500,
      times: {
        waits: [{ before: 4, milliseconds: 30_965, reason: 'limit' }],
        waited: 30_965,
        clockMoved: 0,
      },
      endedEarly: 'all requests of the plan were sent',
    },
    outcome: 'failed',
    counts: countVerdicts(verdicts),
    verdicts,
    waivers: [{ waiver: sampleWaiver, state: 'used' }],
    leftBehind: [
      { resource: '/pets', id: '31' },
      { resource: '/pets', id: hostile },
    ],
    exchanges: sampleExchanges(contract),
    record: sampleRecord(contract),
  };
}

const sampleWaiver = {
  requirement: 'createPet/status.201',
  reason: `agreed ${hostile}`,
  owner: 'A. Person',
  expires: '2027-01-31',
};

const sampleFailure: Failure = {
  exchange: 1,
  others: [0],
  expected: '`name` "Rex"',
  received: `\`name\` "Max" ${hostile}`,
  replay: 'r1-abc_DEF',
};

function sampleVerdict(requirement: Requirement, index: number): Verdict {
  if (requirement.id === sampleWaiver.requirement)
    return { kind: 'waived', requirement, failures: [sampleFailure], waiver: sampleWaiver };
  if (requirement.level === 'open')
    return {
      kind: 'open',
      requirement,
      observations: [{ choices: [], exchange: 2, evidence: hostile }],
    };
  if (requirement.id === 'getPet/state.read.name')
    return { kind: 'failed', requirement, failures: [sampleFailure, sampleFailure] };
  if (requirement.id === 'listPets/auth.invalid')
    return {
      kind: 'failed',
      requirement,
      failures: [
        {
          exchange: 2,
          others: [],
          expected: '401, since the key is made up',
          received: `200 ${hostile}`,
        },
      ],
    };
  return index % 3 === 0
    ? { kind: 'not-tested', requirement, reason: 'the rate limit was not exhausted (--exhaust)' }
    : { kind: 'passed', requirement, exchanges: [0] };
}

/** Five exchanges: accepted, refused, over the limit, without a response. */
function sampleExchanges(contract: Contract): readonly Exchange[] {
  const remaining = (left: number) => ({
    answer: hostile,
    headers: { 'X-RateLimit-Remaining': String(left), 'X-Hostile': hostile },
    takes: 5,
  });
  return composeLog(contract, [
    add(`{"name":"it's ${hostile}"}`, hostile, { ...remaining(2), at: 0 }),
    get(31, hostile, { ...remaining(1), at: 10 }),
    list(hostile, { ...remaining(1), query: '?limit=1', credential: 'invalid', at: 20 }),
    list(hostile, { ...remaining(0), query: '?limit=1', status: 429, at: 30 }),
    list(hostile, { query: '?limit=1', lost: 'timeout', at: 31_000, takes: 5 }),
  ]);
}

function sampleRecord(contract: Contract): RunRecord {
  const target = { baseUrl: 'http://127.0.0.1:4010/v1', apiKey: 'demo-free' };
  const settings = settleRun(contract, target, { plan: 'Free', waivers: [sampleWaiver] });
  return {
    ...settings,
    nearMisses: ['cut', 'longer', 'other-case'],
    startedAt: begin,
    endedAt: begin + 31_500,
  };
}
