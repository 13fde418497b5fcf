import {
  type Clock,
  createRedaction,
  parseBaseUrl,
  planConformance,
  type Report,
  runConformance,
  type RunOptions,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { hasCode, PetstoreError } from '../../contract/error/petstore-error.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import {
  type ConformanceRun,
  type ConformanceRuns,
  createMock,
  type Mock,
  type MockOptions,
  type Refusal,
  type ReportFormat,
  refuse,
  type RunComparison,
  type RunOrder,
  type RunPlanSummary,
} from '../../mock/index.ts';
import { readJsonReport, renderHtml, renderJsonReport, summarise } from '../../report/index.ts';
import { RunFollower } from '../io/run-progress.ts';
import { describeComparison } from './comparison.ts';
import { describePlan, foreseeWaits, openTarget, type OpenTarget } from './open-target.ts';

/** Runs and opened reports that are kept. */
const mostRuns = 20;

/** Milliseconds between two events on how a run goes on. */
const pause = 100;

/** Seconds that a request usually takes. */
const usual = 0.01;

/** A run or an opened report that is kept. */
interface KeptRun {
  run: ConformanceRun;
  /** With the document by which it is read. */
  report?: { readonly report: Report; readonly contract: Contract };
  /** What its verdict calls the target; undefined for its base URL, or the client. */
  readonly name: string | undefined;
  /** Stops it while it runs. */
  readonly stop: AbortController;
}

/** The mock from whose page servers are judged. */
export interface JudgingMock {
  readonly mock: Mock;
  /** What it was made with. */
  readonly options: MockOptions;
  /** Called after each change of a run. */
  readonly onRun: (run: ConformanceRun) => void;
  /** Ends all of it. */
  readonly signal: AbortSignal;
}

/** Conformance runs of a mock, in memory. A key is kept as long as its run goes on, and shown nowhere. */
export class SuiteRuns implements ConformanceRuns {
  readonly #judging: JudgingMock;
  /** The last first. */
  #kept: readonly KeptRun[] = [];
  #count = 0;

  constructor(judging: JudgingMock) {
    this.#judging = judging;
  }

  async plan(order: RunOrder): Promise<RunPlanSummary | Refusal> {
    const { contract } = this.#judging.mock;
    try {
      await using place = await this.#open(contract, order);
      const plan = planConformance(contract, place.target, runOptionsOf(order, place));
      const { requests, needed } = plan;
      if (requests === 0)
        return refuse(
          'invalid_body',
          'There is nothing to test: with this document and these settings no request is sent.',
        );
      const seconds = Math.ceil((foreseeWaits(contract, place)?.(plan) ?? 0) + requests * usual);
      const lines: string[] = [...describePlan(plan, contract, place)];
      if (isCopy(order)) lines.push(describeCopy(order));
      return { requests, needed, seconds, text: lines.join('\n') };
    } catch (error) {
      // The mock may have the class from a bundle of its own.
      if (!(error instanceof Error) || error.name !== 'PetstoreError') throw error;
      return refuse('invalid_body', explainFailure(error, order.key));
    }
  }

  list(): readonly ConformanceRun[] {
    return this.#kept.map(({ run }) => run);
  }

  async start(order: RunOrder): Promise<ConformanceRun | Refusal> {
    const { contract } = this.#judging.mock;
    const plan = await this.plan(order);
    if ('kind' in plan) return plan;
    if (this.#kept.some(({ run }) => run.state === 'running'))
      return refuse('conflict', 'A run is under way: stop it first, or wait for its end.');
    const kept = this.#keep('run', isCopy(order) ? 'A copy of this mock' : undefined, {
      state: 'running',
      target: isCopy(order) ? 'a copy of this mock' : parseBaseUrl(baseUrlOf(order)),
      document: `${contract.title} ${contract.version}`,
      startedAt: new Date().toISOString(),
      progress: { sent: 0, planned: plan.requests },
    });
    void this.#execute(kept, contract, order);
    return kept.run;
  }

  read(id: string): ConformanceRun | Refusal {
    return this.#find(id)?.run ?? refuseUnknown(id);
  }

  drop(id: string): Refusal | undefined {
    const dropped = this.#find(id);
    if (dropped === undefined) return refuseUnknown(id);
    this.#kept = this.#kept.filter((kept) => kept !== dropped);
    dropped.stop.abort();
    return undefined;
  }

  report(id: string, format: ReportFormat): string | Refusal {
    const found = this.#reportOf(id);
    if ('kind' in found) return found;
    const { report, contract } = found;
    return format === 'json'
      ? renderJsonReport(report, contract)
      : renderHtml(report, contract, undefined, this.#find(id)?.name);
  }

  open(file: JsonObject): ConformanceRun | Refusal {
    const { contract } = this.#judging.mock;
    try {
      const report = readJsonReport(file, contract);
      const { client, target, run } = report;
      const kept = this.#keep('file', undefined, {
        state: 'done',
        target: client === undefined ? target.baseUrl : `the client ${client}`,
        document: `${report.contract.title} ${report.contract.version}`,
        startedAt: new Date(run.startedAt).toISOString(),
        ...describeReport(report),
      });
      kept.report = { report, contract };
      return kept.run;
    } catch (error) {
      if (!hasCode(error, 'shape')) throw error;
      return refuse(
        'invalid_body',
        `This is not a report.json of conform --report: ${error.message}.`,
      );
    }
  }

  compare(one: string, other: string): RunComparison | Refusal {
    const [a, b] = [this.#reportOf(one), this.#reportOf(other)];
    if ('kind' in a) return a;
    return 'kind' in b ? b : describeComparison(b.contract, a.report, b.report);
  }

  /** Throws `PetstoreError` for what cannot be tested. */
  async #open(contract: Contract, order: RunOrder): Promise<OpenTarget> {
    const { key, sandbox, plan } = order;
    if (isCopy(order) && key)
      throw targetError('A key needs a base URL: this mock is tested with a key of its own.');
    if (!isCopy(order) && sandbox !== undefined)
      throw targetError('A sandbox cannot be combined with a base URL.');
    const wanted = { baseUrl: baseUrlOf(order) || undefined, apiKey: key || undefined, plan };
    return await openTarget(wanted, (clock) => this.#copy(contract, clock, sandbox));
  }

  /**
   * A mock of a document with the same settings, and with the choices and limits of a sandbox. Items
   * to start with that do not fit the document any more are left out. Throws `PetstoreError`.
   */
  async #copy(contract: Contract, clock: Clock, sandbox: string | undefined): Promise<Mock> {
    const { seed, ...others } = this.#judging.options;
    const options = { ...others, ...(await this.#settingsOf(sandbox)), clock };
    try {
      return createMock(contract, { ...options, ...(seed && { seed }) });
    } catch (error) {
      if (hasCode(error, 'seed')) return createMock(contract, options);
      throw error;
    }
  }

  /** The choices and limits of a sandbox, which is not created by it. */
  async #settingsOf(sandbox: string | undefined): Promise<Pick<MockOptions, 'choices' | 'limits'>> {
    if (sandbox === undefined) return {};
    const { mock, options } = this.#judging;
    const { choices, quotas } = (await mock.control()).look(sandbox);
    const changed = quotas.map(({ plan, windows }) => [
      plan.toLowerCase(),
      Object.fromEntries(windows.map(({ name, limit }) => [name, limit])),
    ]);
    return { choices, limits: { ...options.limits, ...Object.fromEntries(changed) } };
  }

  #find(id: string): KeptRun | undefined {
    return this.#kept.find(({ run }) => run.id === id);
  }

  #reportOf(id: string): NonNullable<KeptRun['report']> | Refusal {
    const kept = this.#find(id);
    if (kept === undefined) return refuseUnknown(id);
    const isRunning = kept.run.state === 'running';
    const reason = isRunning ? `${id} is under way: it has no report yet.` : `${id} has no report.`;
    return kept.report ?? refuse('invalid_body', reason);
  }

  #keep(
    kind: ConformanceRun['kind'],
    name: string | undefined,
    facts: Omit<ConformanceRun, 'id' | 'kind'>,
  ): KeptRun {
    this.#count += 1;
    const run = { id: `${kind}-${this.#count}`, kind, ...facts };
    const kept: KeptRun = { run, name, stop: new AbortController() };
    const last = this.#kept.findLast((one) => one.run.state !== 'running');
    const isFull = this.#kept.length === mostRuns;
    this.#kept = [kept, ...this.#kept.filter((one) => !isFull || one !== last)];
    this.#judging.onRun(run);
    return kept;
  }

  /** What was dropped moves on no more. */
  #move(kept: KeptRun, facts: Partial<ConformanceRun>): void {
    if (kept.stop.signal.aborted) return;
    kept.run = { ...kept.run, ...facts };
    this.#judging.onRun(kept.run);
  }

  /** Never rejects. */
  async #execute(kept: KeptRun, contract: Contract, order: RunOrder): Promise<void> {
    try {
      await using place = await this.#open(contract, order);
      let movedAt = Number.NEGATIVE_INFINITY;
      const follower = new RunFollower(foreseeWaits(contract, place), () => {
        if (performance.now() - movedAt < pause) return;
        movedAt = performance.now();
        this.#move(kept, { progress: follower.progress });
      });
      const judged = await runConformance(contract, place.target, {
        ...runOptionsOf(order, place),
        signal: AbortSignal.any([kept.stop.signal, this.#judging.signal]),
        watcher: follower.watcher,
      });
      // What a copy was left with is gone with it.
      const report = isCopy(order) ? { ...judged, leftBehind: [] } : judged;
      kept.report = { report, contract };
      const { requests } = report.run;
      const progress = { sent: requests, planned: requests };
      this.#move(kept, { state: 'done', progress, ...describeReport(report, kept.name) });
    } catch (error) {
      this.#move(kept, { state: 'failed', sentence: explainFailure(error, order.key) });
    }
  }
}

/** The server to test; empty for a copy of the mock. */
function baseUrlOf({ baseUrl = '' }: RunOrder): string {
  return baseUrl.trim();
}

function isCopy(order: RunOrder): boolean {
  return baseUrlOf(order) === '';
}

function describeCopy({ sandbox }: RunOrder): string {
  const settings =
    sandbox === undefined ? '' : `, with the choices and limits of the sandbox ${sandbox}`;
  return `A copy of the mock is judged${settings}.`;
}

function targetError(reason: string): PetstoreError {
  return new PetstoreError('target', reason);
}

function runOptionsOf(order: RunOrder, place: OpenTarget): RunOptions {
  const { requests, seed, fuzz, exhaust, exclusive, readOnly, insecure } = order;
  const wanted = { requests, seed, fuzz, exhaust, exclusive, readOnly, verifyTls: !insecure };
  return { ...wanted, ...place.options, plan: place.plan };
}

function refuseUnknown(id: string): Refusal {
  return refuse('not_found', `There is no run "${id}".`);
}

/** What the list of runs shows of a report; `name`: what its verdict calls the target. */
function describeReport(
  report: Report,
  name?: string,
): Pick<ConformanceRun, 'verdict' | 'sentence' | 'counts'> {
  const { sentence, passed, failed, advised, waived, notTested, open } = summarise(report, name);
  return {
    verdict: report.outcome,
    sentence: `${sentence}.`,
    counts: { passed, failed, advised, waived, 'not-tested': notTested, open },
  };
}

/** The reason why a run has no report, without its key, for a page that has no flags. */
function explainFailure(error: unknown, key: string | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  const [flag, field] = [
    'Pass the key of the server with --api-key',
    "Enter the server's key under API key",
  ];
  return createRedaction(key)(message.replace(flag, field));
}
