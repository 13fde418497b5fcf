import {
  type Report,
  type Verdict,
  type Waiver,
  applyWaivers,
  countVerdicts,
  describeContract,
  explainNothing,
  explainUndecided,
  settleOutcome,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ClientLog } from './log.ts';

export interface ClientSubject {
  /** For people: its command, or whose journal it was judged from. */
  readonly name: string;
  /** Base address of the mock; with several, one of them. */
  readonly baseUrl: string;
  /** Plan of its keys; undefined where they have several, or none. */
  readonly plan: string | undefined;
  /** When it was watched, milliseconds since 1970; the clocks of sandboxes may be years apart. */
  readonly watched: { readonly from: number; readonly to: number };
}

/** The verdicts on a client and its log as one report, in the form of those on servers. */
export function composeClientReport(
  contract: Contract,
  subject: ClientSubject,
  { exchanges }: ClientLog,
  judged: readonly Verdict[],
  waivers: readonly Waiver[] = [],
): Report {
  const { from, to } = subject.watched;
  const { verdicts, results } = applyWaivers(judged, waivers, from);
  const requests = exchanges.length;
  return {
    format: 'petstore-conformance-report/1',
    contract: describeContract(contract),
    target: { baseUrl: subject.baseUrl, plan: subject.plan },
    client: subject.name,
    run: {
      seed: 0,
      tag: '',
      budget: requests,
      requests,
      planned: requests,
      startedAt: new Date(from).toISOString(),
      milliseconds: to - from,
      endedEarly: undefined,
    },
    ...settleOutcome(verdicts, results, explainGap(judged, exchanges)),
    unserved: [],
    counts: countVerdicts(verdicts),
    verdicts,
    waivers: results,
    leftBehind: [],
    exchanges,
  };
}

/** Why the log shows nothing of how the client uses the service; undefined where it does. */
function explainGap(
  judged: readonly Verdict[],
  exchanges: ClientLog['exchanges'],
): string | undefined {
  const isOnService = exchanges.some(({ request }) => request.operation !== '');
  return isOnService
    ? (explainUndecided(judged) ?? explainNothing(judged))
    : 'the client sent no request to an operation of the document';
}
