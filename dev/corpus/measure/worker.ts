import { writeFile } from 'node:fs/promises';
import { measureDocument, type MeasureSettings } from './measure.ts';

/** The process of one document: `worker.ts '{settings}' RESULT`. The file always holds the newest. */
async function main([settingsText = '', file = '']: readonly string[]): Promise<void> {
  const settings: MeasureSettings = JSON.parse(settingsText);
  for await (const result of measureDocument(settings))
    await writeFile(file, JSON.stringify(result, undefined, 1));
}

// Where the process that wants the result ends, all of this group do.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
await main(process.argv.slice(2));
process.exit();
