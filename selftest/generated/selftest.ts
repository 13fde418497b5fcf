import type { Contract } from '../../contract/contract.ts';
import {
  type Requirement,
  bytesOf,
  type Clock,
  planConformance,
  type RunOptions,
  type RunReport,
  runConformance,
  type Sender,
} from '../../conformance/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { generateMutants } from './generate.ts';
import { type GeneratedMutant, type Layer, type Reply, Workshop } from './layer.ts';
import { generateVariants } from './variants.ts';

export interface MutantResult {
  readonly mutant: GeneratedMutant;
  /**
   * `named`: the requirement failed that it breaks; `noticed`: another one did, that a correct server
   * keeps; `missed`: none.
   */
  readonly kind: 'named' | 'noticed' | 'missed';
  /** Why it was missed. */
  readonly reason: string | undefined;
  readonly requests: number;
}

/** What the suite finds of the servers that break a contract. */
export interface Selftest {
  readonly results: readonly MutantResult[];
  /** Requirements that no mutant could be made from: they count as missed. */
  readonly missing: readonly { readonly requirement: Requirement; readonly reason: string }[];
  /** Requirements that a server without a fault fails in either of two runs, or with a valid habit. */
  readonly falseAlarms: readonly string[];
  /** Valid servers that were tried, with a habit each that no document forbids. */
  readonly variants: number;
  /** Most requests of each run, besides a drive to the limit. */
  readonly requests: number;
}

export interface SelftestOptions {
  readonly seed?: number | undefined;
  /** Default: those of a usual run, or as many as give every requirement that can be tested a probe. */
  readonly requests?: number | undefined;
  /** Only mutants of requirements whose id holds this text. */
  readonly only?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the mutants were tried. */
  readonly onProgress?: ((tried: number, all: number) => void) | undefined;
}

/** Runs the suite against every server that can be made by breaking one requirement of a contract. */
export async function selftestContract(
  contract: Contract,
  options: SelftestOptions = {},
): Promise<Selftest> {
  const { seed = 1, only = '', signal, onProgress } = options;
  const correct = await startServer(contract, undefined);
  const workshop = new Workshop(contract, correct.mock.keys[0]?.key ?? '');
  const target = targetOf(contract, correct.mock);
  const { needed, budget } = planConformance(contract, target, { seed });
  const requests = options.requests ?? Math.max(needed, budget);
  const settings = { seed, requests, signal };
  const baselines = {
    usual: await correct.judge(settings),
    again: await correct.judge(settings),
    exhaust: await (await startServer(contract, undefined)).judge({ ...settings, exhaust: true }),
  };
  const failing = new Set(Object.values(baselines).flatMap(listFailed));
  // A part of the mutants is asked for to look into them.
  const variants = only === '' ? generateVariants(workshop) : [];
  const alarms: string[] = [];
  for (const { habit, layer } of variants) {
    const server = await startServer(contract, workshop, layer);
    for (const id of listFailed(await server.judge(settings)))
      if (!failing.has(id)) alarms.push(`${id}, of a server that ${habit}`);
  }
  const { mutants, missing } = generateMutants(contract, workshop);
  const chosen = mutants.filter(({ requirement }) => requirement.id.includes(only));
  const results: MutantResult[] = [];
  for (const mutant of chosen) {
    signal?.throwIfAborted();
    const exhaust = mutant.needs === 'exhaust';
    const judge = async (part: RunOptions): Promise<MutantResult> => {
      const server = await startServer(contract, workshop, mutant.layer());
      const run = server.judge({ ...settings, exhaust, ...part });
      return readResult(mutant, await run.catch(() => undefined), failing);
    };
    // What a part of the run finds, the whole run finds, and takes a tenth of the time.
    const alone = await judge({ only: [mutant.requirement.id], shrink: 0 });
    results.push(alone.kind === 'named' ? alone : await judge({ shrink: 0 }));
    onProgress?.(results.length, chosen.length);
  }
  return {
    results,
    missing: missing.filter(({ requirement }) => requirement.id.includes(only)),
    falseAlarms: [...failing, ...alarms],
    variants: variants.length,
    requests,
  };
}

function readResult(
  mutant: GeneratedMutant,
  report: RunReport | undefined,
  failing: ReadonlySet<string>,
): MutantResult {
  const { id } = mutant.requirement;
  // A run that comes to no verdict says so, and nobody takes such a server for sound.
  if (report === undefined) return { mutant, kind: 'noticed', reason: undefined, requests: 0 };
  const { requests } = report.run;
  const failed = listFailed(report).filter((each) => !failing.has(each));
  if (failed.includes(id)) return { mutant, kind: 'named', reason: undefined, requests };
  if (failed.length > 0) return { mutant, kind: 'noticed', reason: undefined, requests };
  const verdict = report.verdicts.find(({ requirement }) => requirement.id === id);
  const reason = verdict?.kind === 'not-tested' ? verdict.reason : 'no response showed it';
  return { mutant, kind: 'missed', reason, requests };
}

function listFailed({ verdicts }: RunReport): readonly string[] {
  return verdicts.flatMap(({ kind, requirement }) => (kind === 'failed' ? [requirement.id] : []));
}

/** A server in this process that several runs are made against. */
interface Server {
  readonly mock: Mock;
  readonly judge: (options: RunOptions) => Promise<RunReport>;
}

/** Serves a contract by its mock, behind a layer that does something wrong. */
export async function startServer(
  contract: Contract,
  workshop: Workshop | undefined,
  layer?: Layer,
): Promise<Server> {
  const clock = createStillClock();
  const mock = createMock(contract, { clock });
  await mock.ready;
  const sender: Sender = {
    send: async (request) => {
      await Promise.resolve();
      const reply =
        layer === undefined || workshop === undefined
          ? serve(mock, request)
          : await layer(workshop.read(request), (each) => serve(mock, each));
      if (reply === undefined) {
        const error = { reason: 'timeout', message: 'no response in time' } as const;
        return { kind: 'no-response', error };
      }
      const body = request.method === 'HEAD' ? '' : reply.body;
      return { kind: 'answered', response: { ...reply, body, utf8: true } };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const plan = mock.keys[0]?.plan || undefined;
  const longestWait = 2 * 86_400_000;
  const usual = { clock, sender, plan, longestWait, disposable: true, exclusive: true };
  return {
    mock,
    judge: (options) =>
      runConformance(contract, targetOf(contract, mock), { ...usual, ...options }),
  };
}

function targetOf({ basePath }: Contract, mock: Mock) {
  return { baseUrl: `http://mock.test${basePath}`, apiKey: mock.keys[0]?.key };
}

function serve(
  mock: Mock,
  { url, method, headers, body, encoding }: Parameters<Sender['send']>[0],
): Reply {
  const { pathname, search } = new URL(url);
  const response = mock.handle({
    method,
    target: pathname + search,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    content: body === undefined ? undefined : bytesOf({ body, encoding }),
  });
  const fields = response.headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, response.headers[at + 1] ?? ''] as const] : [],
  );
  return { status: response.status, headers: fields, body: response.body };
}

/** Time that stands still until somebody sleeps: ten seconds past a full minute. */
function createStillClock(): Clock {
  let now = Date.UTC(2026, 0, 5, 12, 0, 10);
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
}
