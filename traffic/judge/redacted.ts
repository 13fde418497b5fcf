import {
  type Exchange,
  type Redact,
  type Verdict,
  notTested,
  redactOutcome,
} from '../../conformance/index.ts';
import type { Secrets } from '../request/secrets.ts';

/** A verdict without keys. */
export function redactVerdict(verdict: Verdict, redact: Redact): Verdict {
  if (verdict.kind === 'not-tested') {
    const { because, requirement } = verdict;
    const clean =
      because?.kind === 'unclear' ? { ...because, text: redact(because.text) } : because;
    return clean === undefined
      ? { ...verdict, reason: redact(verdict.reason) }
      : { ...verdict, ...notTested(requirement, clean) };
  }
  if (verdict.kind !== 'failed') return verdict;
  const failures = verdict.failures.map((failure) => ({
    ...failure,
    expected: redact(failure.expected),
    received: redact(failure.received),
  }));
  return { ...verdict, failures };
}

/** An exchange without keys. */
export function redactExchange(exchange: Exchange, secrets: Secrets): Exchange {
  const { request, outcome, intent } = exchange;
  const { redact, redactHeaders, redactTarget, redactMarked, isSecret } = secrets;
  return {
    ...exchange,
    intent: 'way' in intent ? { ...intent, way: redact(intent.way) } : intent,
    request: {
      ...request,
      target: redactTarget(request.target),
      headers: redactHeaders(request.headers),
      body: request.body === undefined ? undefined : redact(request.body),
    },
    outcome: redactOutcome(outcome, redactMarked, isSecret),
  };
}
