import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../../mock/index.ts';
import { createMockSender } from '../../selftest/generated/server.ts';
import {
  type RunOptions,
  type RunReport,
  runConformance,
  type Sender,
} from '../../conformance/index.ts';
import { createStillClock } from './still-clock.ts';

type Answered = Extract<Awaited<ReturnType<Sender['send']>>, { readonly kind: 'answered' }>;
type Response = Answered['response'];

/** How the responses of a mock are changed on their way. */
export type Change = (response: Response, request: Parameters<Sender['send']>[0]) => Response;

/** Loads a small document: `paths` and what else it has, as YAML. */
export async function loadYaml(members: string, version = '3.1.0'): Promise<Contract> {
  const head = `openapi: ${version}\ninfo: { title: Sample, version: 1.0.0 }\n`;
  return await loadContract({ text: head + members, name: 'sample.yaml' });
}

/** Judges a server by a document: again and again the same one, which keeps what earlier runs left. */
export type JudgeServer = (contract: Contract, options?: RunOptions) => Promise<RunReport>;

/** The key of a run, and what the mock gets as Authorization, by what was sent. */
interface Access {
  /** By default one of the mock's own. */
  readonly apiKey?: string;
  readonly authorization?: (sent: string) => string;
}

/** Serves a document by its mock in process, the responses changed on their way. */
export async function serveDocument(
  served: Contract,
  change: Change = (response) => response,
  { apiKey, authorization = (sent) => sent }: Access = {},
): Promise<JudgeServer> {
  const clock = createStillClock();
  const mock = createMock(served, { clock });
  const { send, ...rest } = createMockSender(mock);
  const sender: Sender = {
    ...rest,
    send: async (request) => {
      const headers = request.headers.map(
        ([name, value]) =>
          [name, name.toLowerCase() === 'authorization' ? authorization(value) : value] as const,
      );
      const outcome = await send({ ...request, headers });
      if (outcome.kind !== 'answered') return outcome;
      return { kind: 'answered', response: change(outcome.response, request) };
    },
  };
  const baseUrl = `http://mock.test${served.basePath}`;
  const target = { baseUrl, apiKey: apiKey ?? mock.keys[0]?.key };
  return async (contract, options = {}) =>
    await runConformance(contract, target, {
      clock,
      sender,
      disposable: true,
      longestWait: 86_400_000,
      ...options,
    });
}

/** Judges the mock of a document in process, its responses changed on their way. */
export async function judgeDocument(
  contract: Contract,
  options: RunOptions = {},
  change?: Change,
): Promise<RunReport> {
  const judge = await serveDocument(contract, change);
  return await judge(contract, options);
}

/** The ids of the requirements with a verdict. */
export function listIds(
  report: RunReport,
  kind: 'failed' | 'not-tested' | 'passed',
): readonly string[] {
  return report.verdicts.flatMap((verdict) =>
    verdict.kind === kind ? [verdict.requirement.id] : [],
  );
}
