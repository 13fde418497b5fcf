import {
  type Report,
  type Verdict,
  type Failure,
  type Waiver,
  renderExchanges,
} from '../conformance/index.ts';

/**
 * A report as JSON, indented; `docs/report.schema.json` describes it. Its members are chosen here
 * one by one, so that what the suite keeps for itself does not become part of the format. Holds no key.
 */
export function renderJsonReport(report: Report): string {
  const {
    format,
    contract,
    target,
    client,
    run,
    outcome,
    counts,
    verdicts,
    waivers,
    leftBehind,
    exchanges,
  } = report;
  const { seed, tag, budget, requests, planned, startedAt, milliseconds, endedEarly } = run;
  const document = {
    format,
    outcome,
    counts,
    contract,
    target: { baseUrl: target.baseUrl, plan: target.plan ?? null },
    client: client ?? null,
    run: {
      seed,
      tag,
      budget,
      requests,
      planned,
      startedAt,
      milliseconds,
      endedEarly: endedEarly ?? null,
    },
    verdicts: verdicts.map(flatten),
    waivers: waivers.map(({ waiver, state }) => ({ ...renderWaiver(waiver), state })),
    leftBehind,
    exchanges: renderExchanges(exchanges),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The requirement's facts and the verdict in one object. */
function flatten(verdict: Verdict): Record<string, unknown> {
  const { id, family, operation, level, sentence, pointer, section } = verdict.requirement;
  return {
    id,
    family,
    operation,
    level,
    sentence,
    pointer,
    section,
    verdict: verdict.kind,
    ...renderEvidence(verdict),
  };
}

function renderEvidence(verdict: Verdict): Record<string, unknown> {
  switch (verdict.kind) {
    case 'passed':
      return { exchanges: verdict.exchanges };
    case 'failed':
      return { failures: verdict.failures.map(renderFailure) };
    case 'waived':
      return {
        failures: verdict.failures.map(renderFailure),
        waiver: renderWaiver(verdict.waiver),
      };
    case 'not-tested':
      return { reason: verdict.reason };
    case 'open':
      return {
        observations: verdict.observations.map(({ choice, exchange, evidence }) => ({
          choice: choice ?? null,
          exchange,
          evidence,
        })),
      };
  }
}

function renderFailure(failure: Failure): Record<string, unknown> {
  const { exchange, others, expected, received, replay } = failure;
  return { exchange, others, expected, received, replay: replay ?? null };
}

function renderWaiver({ requirement, reason, owner, expires }: Waiver): Record<string, string> {
  return { requirement, reason, owner, expires };
}
