import { openFileEngine } from '../../../mock/state/file-engine.ts';
import { StoredCopy } from './stored-copy.ts';

/**
 * A process that writes to a folder until it is killed or fails, and prints each acknowledged number: `s3
 * 17`. The parts of a sandbox are the number of the last write, and that of one of ten others.
 */
const [folder = '', sandboxes = '20'] = process.argv.slice(2);
const engine = await openFileEngine(folder);

async function write(sandbox: string): Promise<void> {
  const copy = new StoredCopy(engine, sandbox);
  await copy.catchUp();
  for (let number = Number(copy.texts['last'] ?? 0) + 1; ; number += 1) {
    const parts = { last: `${number}`, [`at ${number % 10}`]: `${number} ${'x'.repeat(500)}` };
    if (!(await copy.write(parts))) throw new Error('nobody else writes');
    await print(`${sandbox} ${number}\n`);
  }
}

/** Resolves once a line has left the process, so that a kill loses no acknowledgement. */
function print(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
  });
}

const writes = Array.from({ length: Number(sandboxes) }, (_, index) => write(`s${index}`));
await Promise.all(writes).catch((error: unknown) => print(`${String(error)}\n`));
