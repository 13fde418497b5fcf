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
import {
  countResults,
  describeVerdict,
  readJsonReport,
  renderHtml,
  renderJsonReport,
} from '../../report/index.ts';
import { ProgressTracker } from '../io/run-progress.ts';
import { describeComparison } from './comparison.ts';
import { describePlan, estimateWaits, openTarget, type OpenTarget } from './open-target.ts';

/** Most runs and opened reports that are kept, besides one in progress. */
const maxRuns = 20;

/** Milliseconds between two progress events. */
const pause = 100;

/** Typical duration of a request in seconds. */
const usual = 0.01;

/** A stored run, or an opened report. */
interface KeptRun {
  run: ConformanceRun;
  /** The report, with the document for which it was read. */
  report?: { readonly report: Report; readonly contract: Contract };
  /** Name of the target in the verdict; undefined for its base URL, or the client. */
  readonly name: string | undefined;
  /** Stops the run. */
  readonly stop: AbortController;
}

/** The mock whose page starts the runs. */
export interface MockOfPage {
  readonly mock: Mock;
  /** The options that it was made with. */
  readonly options: MockOptions;
  /** Called after each change of a run. */
  readonly onRun: (run: ConformanceRun) => void;
  /** Stops all runs. */
  readonly signal: AbortSignal;
}

/**
 * Conformance runs of a mock, in memory. A key is stored only while its run lasts, and never shown.
 */
export class SuiteRuns implements ConformanceRuns {
  readonly #judging: MockOfPage;
  /** Newest first. */
  #kept: readonly KeptRun[] = [];
  #count = 0;

  constructor(judging: MockOfPage) {
    this.#judging = judging;
  }

  async plan(order: RunOrder): Promise<RunPlanSummary | Refusal> {
    const { contract } = this.#judging.mock;
    try {
      await using place = await this.#open(order);
      const plan = planConformance(contract, place.target, runOptionsOf(order, place));
      const { requests, needed } = plan;
      if (requests === 0)
        return refuse(
          'invalid_body',
          'Nothing to test: with this document and these settings, the suite sends no request.',
        );
      const seconds = Math.ceil((estimateWaits(contract, place)?.(plan) ?? 0) + requests * usual);
      const lines: string[] = [...describePlan(plan, contract, place)];
      const { sandbox } = order;
      const settings = sandbox && `, with the choices and limits of the sandbox ${sandbox}`;
      if (!serverOf(order)) lines.push(`Tests a copy of the mock${settings ?? ''}.`);
      return { requests, needed, seconds, text: lines.join('\n') };
    } catch (error) {
      // The mock may come from another bundle, with another class of the same name.
      if (!(error instanceof Error) || error.name !== 'PetstoreError') throw error;
      return refuse('invalid_body', explainFailure(error, order));
    }
  }

  list(): readonly ConformanceRun[] {
    return this.#kept.map(({ run }) => run);
  }

  async start(order: RunOrder): Promise<ConformanceRun | Refusal> {
    const plan = await this.plan(order);
    if ('kind' in plan) return plan;
    if (this.#kept.some(({ run }) => run.state === 'running'))
      return refuse('conflict', 'A run is in progress. Stop it first, or wait until it ends.');
    const server = serverOf(order);
    const { title, version } = this.#judging.mock.contract;
    const kept = this.#keep('run', server ? undefined : 'A copy of this mock', {
      state: 'running',
      target: server ? parseBaseUrl(server) : 'a copy of this mock',
      document: `${title} ${version}`,
      startedAt: new Date().toISOString(),
      progress: { sent: 0, planned: plan.requests },
    });
    void this.#execute(kept, order);
    return kept.run;
  }

  read(id: string): ConformanceRun | Refusal {
    const found = this.#find(id);
    return 'run' in found ? found.run : found;
  }

  drop(id: string): Refusal | undefined {
    const dropped = this.#find(id);
    if (!('run' in dropped)) return dropped;
    this.#kept = this.#kept.filter((kept) => kept !== dropped);
    dropped.stop.abort();
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

  /** Throws `PetstoreError` if the target cannot be tested. */
  async #open(order: RunOrder): Promise<OpenTarget> {
    const { contract } = this.#judging.mock;
    const { key, sandbox, plan } = order;
    const baseUrl = serverOf(order);
    if (!baseUrl && key)
      throw new PetstoreError(
        'target',
        'An API key needs a base URL: without one, the mock is tested with one of its own keys.',
      );
    if (baseUrl && sandbox !== undefined)
      throw new PetstoreError('target', 'A sandbox cannot be combined with a base URL.');
    return await openTarget({ baseUrl, apiKey: key || undefined, plan }, (clock) =>
      this.#copy(contract, clock, sandbox),
    );
  }

  /**
   * Copies the mock with its settings, and with the choices and limits of a sandbox, which is not
   * created. Seed items that no longer fit the document are left out. Throws `PetstoreError`.
   */
  async #copy(contract: Contract, clock: Clock, sandbox: string | undefined): Promise<Mock> {
    const { mock, options: own } = this.#judging;
    const { seed, ...others } = own;
    let options: MockOptions = { ...others, clock };
    if (sandbox !== undefined) {
      const { choices, quotas } = (await mock.control()).look(sandbox);
      const changed = quotas.map(({ plan, windows }) => [
        plan.toLowerCase(),
        Object.fromEntries(windows.map(({ name, limit }) => [name, limit])),
      ]);
      options = { ...options, choices, limits: { ...own.limits, ...Object.fromEntries(changed) } };
    }
    try {
      return createMock(contract, { ...options, ...(seed && { seed }) });
    } catch (error) {
      if (hasCode(error, 'seed')) return createMock(contract, options);
      throw error;
    }
  }

  #find(id: string): KeptRun | Refusal {
    return (
      this.#kept.find(({ run }) => run.id === id) ?? refuse('not_found', `There is no run "${id}".`)
    );
  }

  #reportOf(id: string) {
    const found = this.#find(id);
    if (!('run' in found)) return found;
    const { report, run, name } = found;
    const reason =
      run.state === 'running' ? 'is still running: it has no report yet' : 'has no report';
    return report ? { ...report, name } : refuse('invalid_body', `${id} ${reason}.`);
  }

  #keep(
    kind: ConformanceRun['kind'],
    name: string | undefined,
    facts: Omit<ConformanceRun, 'id' | 'kind'>,
  ): KeptRun {
    this.#count += 1;
    const run = { id: `${kind}-${this.#count}`, kind, ...facts };
    const kept: KeptRun = { run, name, stop: new AbortController() };
    const others = this.#kept.filter((one, at) => at < maxRuns - 1 || one.run.state === 'running');
    this.#kept = [kept, ...others];
    this.#judging.onRun(run);
    return kept;
  }

  /** Ignores runs that were dropped. */
  #move(kept: KeptRun, facts: Partial<ConformanceRun>): void {
    if (kept.stop.signal.aborted) return;
    kept.run = { ...kept.run, ...facts };
    this.#judging.onRun(kept.run);
  }

  /** Never rejects. */
  async #execute(kept: KeptRun, order: RunOrder): Promise<void> {
    const { contract } = this.#judging.mock;
    try {
      await using place = await this.#open(order);
      let movedAt = Number.NEGATIVE_INFINITY;
      const follower = new ProgressTracker(estimateWaits(contract, place), () => {
        if (performance.now() - movedAt < pause) return;
        movedAt = performance.now();
        this.#move(kept, { progress: follower.progress });
      });
      const judged = await runConformance(contract, place.target, {
        ...runOptionsOf(order, place),
        signal: AbortSignal.any([kept.stop.signal, this.#judging.signal]),
        watcher: follower.watcher,
      });
      // The copy is gone, and with it the items that the run left behind.
      const report = serverOf(order) ? judged : { ...judged, leftBehind: [] };
      kept.report = { report, contract };
      const { requests } = report.run;
      const progress = { sent: requests, planned: requests };
      this.#move(kept, { state: 'done', progress, ...describeReport(report, kept.name) });
    } catch (error) {
      this.#move(kept, { state: 'failed', sentence: explainFailure(error, order) });
    }
  }
}

/** The server to test; empty or undefined for a copy of the mock. */
function serverOf({ baseUrl }: RunOrder): string | undefined {
  return baseUrl?.trim() || undefined;
}

function runOptionsOf(order: RunOrder, place: OpenTarget): RunOptions {
  const { requests, seed, fuzz, exhaust, exclusive, readOnly, insecure } = order;
  const wanted = { requests, seed, fuzz, exhaust, exclusive, readOnly, verifyTls: !insecure };
  return { ...wanted, ...place.options, plan: place.plan };
}

/** What the list of runs shows of a report. `name`: the target's name in the verdict. */
function describeReport(
  report: Report,
  name?: string,
): Pick<ConformanceRun, 'verdict' | 'sentence' | 'counts'> {
  const sentence = `${describeVerdict(report, name)}.`;
  return { verdict: report.outcome, sentence, counts: countResults(report) };
}

/** Why a run has no report. Removes the key, and names the field of the page instead of a flag. */
function explainFailure(error: unknown, { key }: RunOrder): string {
  const message = error instanceof Error ? error.message : String(error);
  const field = "Enter the server's key under API key";
  return createRedaction(key)(message.replace('Pass the key of the server with --api-key', field));
}
