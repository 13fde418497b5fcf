import type { Contract } from '../../contract/contract.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import {
  requirementsOf,
  type Requirement,
  type Exchange,
  type Finding,
  type Intent,
  judgeAlone,
  type Outcome,
  type TransportError,
} from '../../conformance/index.ts';
import type { RecordedExchange, RecordedResponse } from '../recorded/recorded.ts';
import { listCredentialFields } from '../request/credential.ts';
import { createSecrets } from '../request/secrets.ts';
import { CleanResponses } from './clean.ts';
import { Notes, type TakeNote, type TrafficNote } from './notes.ts';
import { createReader, type TrafficReading } from './reading.ts';
import { redactExchange, redactVerdict } from './redacted.ts';
import { Series } from './series.ts';
import { Tally, type Failed, type Settled } from './tally.ts';
import { requiredShare, UnreadResponses } from './unread.ts';

export interface TrafficJudgeOptions {
  /** Base address of the service, with its version segment and no slash at its end. */
  readonly baseUrl: string;
  /**
   * A credential that is not there was not sent: the traffic was seen on its way, or its recording
   * shows others. Recordings are often cleaned of them.
   */
  readonly showsCredentials: boolean;
  /** Percent of the exchanges, and of the successes, that have to be judged to their end. Default 90. */
  readonly requireTested?: number | undefined;
  /** Called with the first failure of each requirement, without keys. */
  readonly onFailure?: ((failure: TrafficFailure) => void) | undefined;
}

/** A requirement that an exchange breaks. Holds no key. */
export interface TrafficFailure {
  readonly requirement: Requirement;
  readonly expected: string;
  readonly received: string;
  /** `GET /pets?limit=5`; undefined where several exchanges show it together. */
  readonly request: string | undefined;
  /** Undefined where no response came. */
  readonly status: number | undefined;
}

/** Judges the exchanges of any clients with a service, one after the other. */
export interface TrafficJudge {
  /** @returns the requirements of level `must` that the exchange breaks by itself */
  readonly take: (recorded: RecordedExchange) => readonly TrafficFailure[];
  /**
   * What a request breaks before it is sent on, and the status to refuse it with; undefined for
   * nothing. Takes note of it, as then nothing else is judged.
   */
  readonly refuse: (
    recorded: RecordedExchange,
  ) => { readonly status: number; readonly findings: readonly string[] } | undefined;
  /** The request reached for the target, and no response came to its end. */
  readonly takeLoss: (recorded: RecordedExchange, error: TransportError) => void;
  /** All that was found. Holds no key. */
  readonly sum: () => TrafficSum;
}

export interface TrafficSum extends Settled {
  /** Exchanges in all, and those that were judged. */
  readonly seen: number;
  readonly judged: number;
  readonly notes: readonly TrafficNote[];
  /** Why too few responses could be read, without a full stop; undefined where enough were. */
  readonly unread: string | undefined;
  /** When the first was sent and the last ended, milliseconds since the Unix epoch; 0 for none. */
  readonly from: number;
  readonly to: number;
}

/** Creates the judge of some traffic. What it remembers is bounded (`tally.ts`). */
export function createTrafficJudge(contract: Contract, options: TrafficJudgeOptions): TrafficJudge {
  const secrets = createSecrets(contract);
  const [tally, series, notes] = [new Tally(), new Series(contract), new Notes()];
  const clean = new CleanResponses();
  const own = listOwnFields(contract);
  const note: TakeNote = (kind, sentence, example) => {
    notes.add(kind, secrets.redact(sentence), secrets.redactTarget(example));
  };
  const unread = new UnreadResponses(options.requireTested ?? requiredShare);
  const noteUnread = (isSuccess: boolean, sentence: string, example: string): void =>
    unread.add(isSuccess, `${secrets.redactTarget(example)}: ${secrets.redact(sentence)}`);
  const noteLoss = (sentence: string, example: string): void =>
    noteUnread(false, sentence, example);
  const reader = createReader(contract, options, note, noteLoss);
  const span = { seen: 0, judged: 0, from: 0, to: 0 };

  const read = (recorded: RecordedExchange): TrafficReading | undefined => {
    const { sentAt, endedAt } = recorded;
    span.from = span.seen === 0 ? sentAt : Math.min(span.from, sentAt);
    span.to = Math.max(span.to, endedAt);
    span.seen += 1;
    secrets.note(recorded);
    return reader.read(recorded);
  };
  const compose = (reading: TrafficReading, intent: Intent, outcome: Outcome): Exchange => ({
    index: span.seen - 1,
    probe: 'traffic',
    intent,
    ...composeRequest(reading, own),
    outcome,
    group: undefined,
  });
  const describe = (failure: Failed, exchange?: Exchange): readonly TrafficFailure[] => {
    const requirement = requirementsOf(contract).get(failure.requirement);
    if (requirement === undefined) return [];
    const { request, outcome } = exchange ?? {};
    return [
      {
        requirement,
        expected: secrets.redact(failure.expected),
        received: secrets.redact(failure.received),
        request: request && secrets.redactTarget(`${request.method} ${request.target}`),
        status: outcome?.kind === 'answered' ? outcome.response.status : undefined,
      },
    ];
  };
  const tell = (failed: readonly Failed[], exchange?: Exchange): void => {
    if (options.onFailure === undefined) return;
    for (const failure of failed) describe(failure, exchange).forEach(options.onFailure);
  };
  const settle = (exchange: Exchange, found: readonly Finding[]): readonly TrafficFailure[] => {
    span.judged += 1;
    tell(tally.add(exchange, found), exchange);
    return found.flatMap((finding) =>
      finding.kind === 'failed' &&
      requirementsOf(contract).get(finding.requirement)?.level === 'must'
        ? describe(finding, exchange)
        : [],
    );
  };
  const countResponse = (
    reading: TrafficReading,
    { status, body }: RecordedResponse,
    findings: readonly Finding[],
  ): void => {
    const { operation, recorded, target } = reading;
    const isSuccess = status >= 200 && status < 300;
    const example = `${recorded.request.method} ${target}`;
    const doubt = findings.find((each) => each.kind === 'unclear' && each.isUndecided);
    const described = documentedResponse(operation, status)?.content ?? [];
    const isDescribed = described.length > 0;
    // Of a part nothing but its head is judged.
    if (body.kind === 'unknown' && status !== 206 && isDescribed)
      noteUnread(isSuccess, `the body of the response ${body.reason}`, example);
    else if (doubt !== undefined && 'reason' in doubt) {
      note('not-judged', doubt.reason, example);
      noteUnread(isSuccess, doubt.reason, example);
    } else unread.add(isSuccess);
  };
  const judgeResponse = (
    reading: TrafficReading,
    response: RecordedResponse,
  ): readonly TrafficFailure[] => {
    const known = clean.intentOf(reading, response);
    const exchange = compose(
      reading,
      known ?? reader.expect(reading, response),
      answered(response),
    );
    const isHead = known !== undefined || response.body.kind === 'unknown';
    const judged = isHead ? { ...exchange, outcome: answered(response, '') } : exchange;
    const extent = known !== undefined ? 'fields' : isHead ? 'head' : 'whole';
    const findings = judgeAlone(contract, judged, extent);
    if (!isHead) clean.note(reading, response, exchange.intent, findings);
    const failures = settle(exchange, findings);
    countResponse(reading, response, findings);
    if (reading.key !== '' && exchange.sentAt > 0)
      tell(tally.addLater(series.add(reading.key, exchange)));
    return failures;
  };
  return {
    take: (recorded) => {
      const reading = read(recorded);
      const { response } = recorded;
      if (reading === undefined || response === undefined) return [];
      try {
        return judgeResponse(reading, response);
      } catch (error) {
        // Traffic goes on, whatever is in it that nobody thought of.
        const reason = error instanceof Error ? error.message : String(error);
        const sentence = `it could not be judged because of a bug in petstore: ${reason}`;
        const example = `${recorded.request.method} ${reading.target}`;
        note('not-judged', sentence, example);
        noteLoss(sentence, example);
        return [];
      }
    },
    refuse: (recorded) => {
      secrets.note(recorded);
      const refusal = reader.refuse(recorded);
      if (refusal === undefined) return undefined;
      read({ ...recorded, foreign: 'it breaks the contract, so it was not forwarded' });
      return { ...refusal, findings: refusal.findings.map(secrets.redact) };
    },
    takeLoss: (recorded, error) => {
      const reading = read(recorded);
      if (reading === undefined) return;
      const intent = { kind: 'unspecified', way: 'a request of a client' } as const;
      const exchange = compose(reading, intent, { kind: 'no-response', error });
      const findings = judgeAlone(contract, exchange);
      if (findings.length > 0) {
        settle(exchange, findings);
        unread.add(false);
        return;
      }
      const sentence = `the target could not be reached (${error.reason})`;
      const example = `${recorded.request.method} ${reading.target}`;
      note('not-judged', sentence, example);
      noteLoss(sentence, example);
    },
    sum: () => {
      tell(tally.addLater(series.end()));
      const { verdicts, exchanges, failures } = tally.settle(contract);
      return {
        ...span,
        unread: unread.explain(),
        verdicts: verdicts.map((verdict) => redactVerdict(verdict, secrets.redact)),
        exchanges: exchanges.map((exchange) => redactExchange(exchange, secrets)),
        failures,
        notes: notes.list(),
      };
    },
  };
}

/** Fields in which the credential is: a log has none of them. */
function listOwnFields(contract: Contract): ReadonlySet<string> {
  const fields = listCredentialFields(contract).filter((field) => field.in === 'header');
  return new Set(['authorization', ...fields.map(({ name }) => name.toLowerCase())]);
}

function composeRequest(
  { recorded, operation, target, isKeyless }: TrafficReading,
  own: ReadonlySet<string>,
): Pick<Exchange, 'request' | 'sentAt' | 'endedAt'> {
  const { request, sentAt, endedAt } = recorded;
  const { method, headers, body } = request;
  return {
    request: {
      operation: operation.id,
      method,
      target,
      headers: headers.filter(([name]) => !own.has(name.toLowerCase())),
      credential: isKeyless ? 'missing' : 'valid',
      body: body.kind === 'whole' && body.text !== '' ? body.text : undefined,
    },
    sentAt,
    endedAt,
  };
}

/** @param text the body, in place of that of the response */
function answered({ status, headers, body }: RecordedResponse, text?: string): Outcome {
  const utf8 = text !== undefined || body.kind === 'unknown' || body.utf8;
  const whole = body.kind === 'whole' ? body.text : '';
  return { kind: 'answered', response: { status, headers, body: text ?? whole, utf8 } };
}
