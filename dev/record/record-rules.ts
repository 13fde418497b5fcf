import { copyFile, rm, mkdir, writeFile } from 'node:fs/promises';
import { rulesVersion } from '../../certificate/index.ts';
import { loadContract } from '../../contract/index.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { recordLogs } from './record-logs.ts';
import { describeJudgement, judgeAgain, logFolder, saveLog } from './recorded-log.ts';
import {
  digestRules,
  explainRules,
  loadRulesRecord,
  recordedDocument,
  rulesRecord,
} from './rules.ts';

/** `npm run rules`: records the logs anew for a new `rulesVersion`. */
const recorded = await loadRulesRecord().catch(() => ({ version: 0, digest: '' }));
if (recorded.version !== rulesVersion) {
  await recordAnew();
} else {
  const { digest } = await digestRules();
  process.stdout.write(`${explainRules(recorded, digest)}\n`);
  process.exitCode = recorded.digest === digest ? 0 : 1;
}

async function recordAnew(): Promise<void> {
  await rm(packageFile(logFolder), { recursive: true, force: true });
  await mkdir(packageFile(logFolder), { recursive: true });
  await copyFile(packageFile('openapi.yaml'), packageFile(recordedDocument));
  const contract = await loadContract({ file: packageFile(recordedDocument) });
  for await (const log of recordLogs(contract)) {
    const judgement = describeJudgement(await judgeAgain(contract, log));
    await saveLog({ ...log, judgement });
    process.stdout.write(`${log.name}: ${log.entries.length} requests\n`);
  }
  const { digest } = await digestRules();
  await writeJson(rulesRecord, { version: rulesVersion, digest });
}

async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(packageFile(path), `${JSON.stringify(value, undefined, 2)}\n`);
}
