import type { Contract } from '../contract/index.ts';
import {
  commonChoices,
  type Failure,
  type Observation,
  type Report,
  type Verdict,
  type Waiver,
  mergeFacts,
  reason,
  renderExchange,
  shardFacts,
} from '../conformance/index.ts';
import { showJson } from '../page/view/visible.ts';
import { renderPieces } from './pieces.ts';
import { causeFact } from './cause/fact.ts';
import { causesIn } from './cause/causes.ts';

/**
 * A report as JSON, indented; `docs/report.schema.json` describes it. Its members are chosen here
 * one by one, so that what the suite keeps for itself does not become part of the format. Holds no key.
 */
export function renderJsonReport(report: Report, contract?: Contract): string {
  return [...listJsonPieces(report, contract)].join('');
}

/** The text of `renderJsonReport` in pieces. */
export function listJsonPieces(report: Report, contract?: Contract): Iterable<string> {
  const entries = Iterator.from(report.exchanges).map(renderExchange);
  return renderPieces(describeReport(report, contract), 1, entries);
}

/** The document of `renderJsonReport`, with an empty list in the place of its exchanges. */
export function describeReport(report: Report, contract?: Contract): object {
  const { target, run, unserved, verdicts, waivers, leftBehind, merge } = report;
  return {
    ...pick(report, ['format', 'outcome']),
    ...(report.inconclusive === undefined ? {} : pick(report, ['inconclusive'])),
    ...pick(report, ['counts', 'contract']),
    unserved: unserved.map((each) => pick(each, ['operation', 'requirement', 'sentence'])),
    target: {
      ...pick(target, ['baseUrl', 'plan']),
      ...(target.isKeyless === undefined ? {} : pick(target, ['isKeyless'])),
    },
    ...pick(report, ['client']),
    ...(report.traffic === undefined ? {} : { traffic: report.traffic }),
    run: {
      ...pick(run, ['seed', 'tag', 'budget', 'requests', 'planned']),
      ...pick(run, ['startedAt', 'milliseconds', 'endedEarly']),
      ...(run.times === undefined ? {} : { times: run.times }),
      ...(run.tested === undefined ? {} : pick(run, ['tested', 'required'])),
      ...(run.omitted === undefined ? {} : pick(run, ['omitted'])),
      ...(run.shard === undefined ? {} : { shard: shardFacts.render(run.shard) }),
    },
    ...(merge === undefined ? {} : { merge: mergeFacts.render(merge) }),
    verdicts: verdicts.map(flatten),
    ...(contract === undefined ? {} : { causes: renderCauses(report, contract) }),
    waivers: waivers.map(({ waiver, state }) => ({ ...renderWaiver(waiver), state })),
    leftBehind,
    exchanges: [],
  };
}

/** The causes of the failures, the deepest first; failures are named by their exchange. */
function renderCauses(report: Report, contract: Contract): readonly object[] {
  return causesIn(report, contract).map((cause) => ({
    kind: cause.fact.kind,
    ...pick(cause, ['sentence', 'exchanges']),
    fact: causeFact.render(cause.fact),
    findings: cause.findings.map(({ requirement, failures }) => ({
      requirement: requirement.id,
      exchanges: failures.map(({ exchange }) => exchange),
    })),
  }));
}

/** Members of an object, in the order of their names; null for what is undefined. */
export function pick<T extends object>(value: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}

/** A document of JSON as a file has it: what cannot be seen stands as an escape. */
export function renderDocument(document: object): string {
  return `${showJson(document, 2)}\n`;
}

/** The requirement's facts and the verdict in one object. */
function flatten(verdict: Verdict): object {
  return {
    ...pick(verdict.requirement, ['id', 'family', 'operation', 'level']),
    ...pick(verdict.requirement, ['sentence', 'pointer', 'section']),
    verdict: verdict.kind,
    ...renderEvidence(verdict),
  };
}

function renderEvidence(verdict: Verdict): object {
  switch (verdict.kind) {
    case 'passed':
      return pick(verdict, ['exchanges']);
    case 'failed':
      return { failures: verdict.failures.map(renderFailure) };
    case 'waived':
      return {
        failures: verdict.failures.map(renderFailure),
        waiver: renderWaiver(verdict.waiver),
      };
    case 'not-tested':
      return {
        ...pick(verdict, ['reason']),
        ...(verdict.because === undefined ? {} : { because: reason.render(verdict.because) }),
      };
    case 'open':
      return {
        choices: commonChoices(verdict.observations),
        observations: verdict.observations.map((observation) => ({
          choice: soleChoice(observation),
          ...pick(observation, ['choices', 'exchange', 'evidence']),
        })),
      };
  }
}

/** The choice that an observation fits; null where that is none or several. */
export function soleChoice({ choices: [choice, ...others] }: Observation): string | null {
  return choice !== undefined && others.length === 0 ? choice : null;
}

function renderFailure(failure: Failure): object {
  const { shrunkFrom } = failure;
  return {
    ...pick(failure, ['exchange', 'others', 'expected', 'received', 'replay']),
    ...(shrunkFrom === undefined
      ? {}
      : { shrunkFrom: pick(shrunkFrom, ['exchange', 'others', 'expected', 'received']) }),
  };
}

function renderWaiver(waiver: Waiver): object {
  return pick(waiver, ['requirement', 'reason', 'owner', 'expires']);
}
