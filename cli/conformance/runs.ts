import {
  type Report,
  type RunReport,
  createRedaction,
  createSender,
  runConformance,
} from '../../conformance/index.ts';
import { type Contract, type JsonObject, hasCode } from '../../contract/index.ts';
import {
  type ConformanceRun,
  type ConformanceRuns,
  type Refusal,
  type ReportFormat,
  type RunComparison,
  type RunOrder,
  type RunPlanSummary,
  refuse,
} from '../../mock/index.ts';
import {
  readJsonReport,
  renderHtml,
  renderJsonReport,
  renderPlan,
  summarise,
} from '../../report/index.ts';
import { describeComparison } from './comparison.ts';
import { type OrderingMock, type SettledRun, settleOrder } from './order.ts';
import { estimateSeconds, trackRun } from './progress.ts';

/** Runs and opened reports that are kept. */
const mostRuns = 20;

/** Milliseconds between two words on how a run goes on. */
const pause = 100;

/** A report that is kept, with the document by which it is read. */
interface KeptReport {
  readonly report: Report;
  /** What its verdict calls the target; undefined for its base URL, or the client. */
  readonly name?: string | undefined;
  readonly contract: Contract;
}

interface KeptRun {
  run: ConformanceRun;
  report?: KeptReport;
  /** Stops it while it runs. */
  readonly stop: AbortController;
}

/** What a mock needs besides to judge from its page. */
export interface RunsOptions {
  readonly mock: OrderingMock;
  /** Told whenever a run moves on. */
  readonly onRun: (run: ConformanceRun) => void;
  /** Ends all of it. */
  readonly signal: AbortSignal;
}

/** Conformance runs of a mock, in memory. A key is kept as long as its run goes on, and told nowhere. */
export class SuiteRuns implements ConformanceRuns {
  readonly #options: RunsOptions;
  /** The last first. */
  #kept: readonly KeptRun[] = [];
  #count = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  plan(order: RunOrder): Promise<RunPlanSummary | Refusal> {
    const settled = this.#settle(order);
    if ('kind' in settled) return Promise.resolve(settled);
    const { plan, contract, planName, isMoved } = settled;
    const text = renderPlan(plan, contract, isMoved ? undefined : planName);
    return Promise.resolve({
      requests: plan.requests,
      needed: plan.needed,
      seconds: estimateSeconds(plan, settled),
      text: isMoved
        ? `${text}\nA copy of the mock is judged${settingsText(order)}. Its clock is moved instead of waiting for the rate limit.`
        : text,
    });
  }

  list(): readonly ConformanceRun[] {
    return this.#kept.map(({ run }) => run);
  }

  start(order: RunOrder): Promise<ConformanceRun | Refusal> {
    if (this.#kept.some(({ run }) => run.state === 'running'))
      return Promise.resolve(
        refuse('conflict', 'A run is under way: stop it first, or wait for its end.'),
      );
    const settled = this.#settle(order);
    if ('kind' in settled) return Promise.resolve(settled);
    const { plan, contract, target } = settled;
    const kept = this.#keep('run', {
      state: 'running',
      target,
      document: `${contract.title} ${contract.version}`,
      startedAt: new Date().toISOString(),
      progress: { sent: 0, planned: plan.requests },
    });
    void this.#execute(kept, settled, order.key);
    return Promise.resolve(kept.run);
  }

  read(id: string): ConformanceRun | Refusal {
    return this.#find(id)?.run ?? refuseUnknown(id);
  }

  drop(id: string): Refusal | undefined {
    const kept = this.#find(id);
    if (kept === undefined) return refuseUnknown(id);
    this.#kept = this.#kept.filter((one) => one !== kept);
    kept.stop.abort();
    return undefined;
  }

  report(id: string, format: ReportFormat): string | Refusal {
    const found = this.#reportOf(id);
    if ('kind' in found) return found;
    const { report, contract, name } = found;
    return format === 'json'
      ? renderJsonReport(report, contract)
      : renderHtml(report, contract, undefined, name);
  }

  open(file: JsonObject): ConformanceRun | Refusal {
    const { contract } = this.#options.mock;
    try {
      const report = readJsonReport(file, contract);
      const target =
        report.client === undefined ? report.target.baseUrl : `the client ${report.client}`;
      const kept = this.#keep('file', {
        state: 'done',
        target,
        document: `${report.contract.title} ${report.contract.version}`,
        startedAt: new Date(report.run.startedAt).toISOString(),
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

  #settle(order: RunOrder): SettledRun | Refusal {
    try {
      return settleOrder(order, this.#options.mock);
    } catch (error) {
      // The mock may have the class from a bundle of its own.
      if (!(error instanceof Error) || error.name !== 'PetstoreError') throw error;
      return refuse('invalid_body', explainFailure(error, order.key));
    }
  }

  #find(id: string): KeptRun | undefined {
    return this.#kept.find(({ run }) => run.id === id);
  }

  #reportOf(id: string): KeptReport | Refusal {
    const kept = this.#find(id);
    if (kept === undefined) return refuseUnknown(id);
    const { state } = kept.run;
    return (
      kept.report ??
      refuse(
        'invalid_body',
        state === 'running' ? `${id} is under way: it has no report yet.` : `${id} has no report.`,
      )
    );
  }

  #keep(kind: ConformanceRun['kind'], facts: Omit<ConformanceRun, 'id' | 'kind'>): KeptRun {
    this.#count += 1;
    const kept = {
      run: { id: `${kind}-${this.#count}`, kind, ...facts },
      stop: new AbortController(),
    };
    const running = this.#kept.filter(({ run }) => run.state === 'running');
    const ended = this.#kept.filter(({ run }) => run.state !== 'running');
    const chosen = new Set([...running, ...ended.slice(0, mostRuns - 1 - running.length)]);
    this.#kept = [kept, ...this.#kept.filter((one) => chosen.has(one))];
    this.#options.onRun(kept.run);
    return kept;
  }

  /** What was dropped moves on no more. */
  #move(kept: KeptRun, facts: Partial<ConformanceRun>): void {
    if (kept.stop.signal.aborted) return;
    kept.run = { ...kept.run, ...facts };
    this.#options.onRun(kept.run);
  }

  /** Never rejects. */
  async #execute(kept: KeptRun, settled: SettledRun, key: string | undefined): Promise<void> {
    try {
      const judged = await this.#judge(kept, settled);
      // What a copy was left with is gone with it.
      const report = settled.isMoved ? { ...judged, leftBehind: [] } : judged;
      const name = settled.isMoved ? 'A copy of this mock' : undefined;
      kept.report = { report, contract: settled.contract, name };
      const { requests } = report.run;
      this.#move(kept, {
        state: 'done',
        progress: { sent: requests, planned: requests },
        ...describeReport(report, name),
      });
    } catch (error) {
      this.#move(kept, { state: 'failed', sentence: explainFailure(error, key) });
    }
  }

  async #judge(
    kept: KeptRun,
    { contract, plan, options, ...settled }: SettledRun,
  ): Promise<RunReport> {
    await using place = await settled.open();
    const signal = AbortSignal.any([kept.stop.signal, this.#options.signal]);
    await using sender = createSender({ timeout: 10_000, verifyTls: options.verifyTls ?? true });
    // What is under way would keep the run, and the mock, from ending.
    signal.addEventListener('abort', () => void sender[Symbol.asyncDispose](), { once: true });
    let toldAt = Number.NEGATIVE_INFINITY;
    const times = { ...settled, now: () => performance.now() };
    const tracker = trackRun(plan, times, () => {
      if (performance.now() - toldAt < pause) return;
      toldAt = performance.now();
      this.#move(kept, { progress: tracker.progress() });
    });
    return await runConformance(contract, place.target, {
      ...options,
      plan: place.plan,
      sender,
      signal,
      watcher: tracker.watcher,
    });
  }
}

/** Which settings the copy has, where they are not those of the mock. */
function settingsText({ sandbox }: RunOrder): string {
  return sandbox === undefined ? '' : `, with the choices and limits of the sandbox ${sandbox}`;
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
  return createRedaction(key)(
    message.replace(
      'Pass the key of the server with --api-key',
      "Enter the server's key under API key",
    ),
  );
}
