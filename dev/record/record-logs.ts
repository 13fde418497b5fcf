import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describeRun, subjectOf, readEnvelope } from '../../certificate/index.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { type TestTarget, openMock, openService } from '../../test/cli/target.ts';
import { type RunOptions, type RunReport, runConformance } from '../../conformance/index.ts';
import {
  type Contract,
  families,
  isJsonArray,
  isJsonObject,
  parseJson,
} from '../../contract/index.ts';
import { mutants } from '../../selftest/index.ts';
import type { RecordedLog } from './recorded-log.ts';

export type FreshLog = Omit<RecordedLog, 'judgement'>;

/** Logs of the suite against some lawful servers, mutants of each family, the mock and Prism. */
export async function* recordLogs(contract: Contract): AsyncGenerator<FreshLog> {
  const exhaust = { exhaust: true, plan: 'Free' };
  const waived = { requirement: 'createPet/status.201', reason: 'ticket 7' };
  const waiver = { ...waived, owner: 'ada', expires: '2026-12-31' };
  yield await recordServer('mock', openMock(contract, {}, 'demo-free'), exhaust);
  yield await recordServer('service', openService(contract, {}, 'service-free'), exhaust);
  yield await recordServer('service-fuzz', openService(contract), { fuzz: 60, seed: 7 });
  const readOnly = { readOnly: true, waivers: [waiver] };
  yield await recordServer('service-read-only', openService(contract), readOnly);
  for (const family of families) {
    const requirements = contract.requirements.filter((each) => each.family === family);
    const ids = new Set(requirements.map(({ id }) => id));
    const mutant = mutants.find(({ breaks: [id], needs }) => ids.has(id) && needs === undefined);
    if (mutant === undefined) continue;
    yield await recordServer(`mutant-${mutant.id}`, openService(contract, mutant.behaviour()), {});
  }
  yield await recordPrism(contract);
  for (const name of ['careful', 'naive', 'stubborn']) yield await recordClient(name);
}

async function recordServer(
  name: string,
  opening: Promise<TestTarget>,
  options: RunOptions,
): Promise<FreshLog> {
  await using place = await opening;
  return logOf(name, await place.run(options));
}

function logOf(name: string, report: RunReport): FreshLog {
  const { kind, configuration, entries } = describeRun(report, {
    target: { name, version: '' },
    suite: { name: '', version: '', dependencies: '', rules: 0 },
    selftest: undefined,
  });
  return { name, kind: subjectOf(kind), configuration, entries };
}

async function recordPrism(contract: Contract): Promise<FreshLog> {
  const child = spawn(
    packageFile('node_modules/.bin/prism'),
    ['mock', '--port', '0', packageFile('openapi.yaml')],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, SCARF_ANALYTICS: 'false' } },
  );
  try {
    let text = '';
    for await (const chunk of child.stdout) {
      text += stripVTControlCharacters(String(chunk));
      const baseUrl = /listening on (http:\S+?)\/?\s/.exec(text)?.[1];
      if (baseUrl === undefined) continue;
      const target = { baseUrl, apiKey: 'any' };
      const options = { plan: 'Free', timeout: 2000 };
      return logOf('prism', await runConformance(contract, target, options));
    }
    throw new Error(`Prism ended: ${text}`);
  } finally {
    child.kill();
  }
}

/** A client of the self-test, in every scenario; its commands are those of its certificate. */
async function recordClient(name: string): Promise<FreshLog> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-log-'));
  const told = ['--certify', '--target-name', name, '--target-version', '1', '--report', folder];
  const command = ['node', `selftest/clients/${name}-client.ts`];
  try {
    const words = ['cli/petstore.ts', 'certify-client', '--quiet', ...told, '--', ...command];
    const run = promisify(execFile)(process.execPath, words, { cwd: packageFile('.') });
    await run.catch(() => undefined);
    const read = readEnvelope(await readFile(join(folder, 'certificate.json'), 'utf8'));
    const statement = read.kind === 'read' ? parseJson(read.value.payload.toString()) : null;
    const predicate = isJsonObject(statement) ? statement['predicate'] : undefined;
    const { configuration, log } = isJsonObject(predicate) ? predicate : {};
    const entries = isJsonObject(log) ? log['entries'] : undefined;
    if (!isJsonObject(configuration) || !isJsonArray(entries))
      throw new Error(`There is no certificate of ${name}.`);
    const records = entries.filter(isJsonObject).flatMap(({ entry = null }) => [entry]);
    return {
      name: `client-${name}`,
      kind: 'client',
      configuration,
      entries: records.filter(isJsonObject),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
