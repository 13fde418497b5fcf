import { openFileEngine } from '../../../mock/state/file/open.ts';

/**
 * A process that appends to a folder until it is killed, and prints each version that was
 * acknowledged: `s3 17`. The text of a change is its sandbox and version.
 */
const [folder = '', sandboxes = '20'] = process.argv.slice(2);
const engine = await openFileEngine(folder, { slackBytes: 20_000 });

async function write(sandbox: string): Promise<never> {
  let { version } = await engine.load(sandbox);
  for (;;) {
    const count = 1 + (version % 3);
    const texts = Array.from(
      { length: count },
      (_, index) => `"${sandbox} ${version + index + 1}"`,
    );
    const appended = await engine.append(sandbox, version, texts);
    if (appended.kind === 'conflict') throw new Error('nobody else writes');
    ({ version } = appended);
    await print(`${sandbox} ${version}\n`);
    if (version % 10 < count) await engine.compact(sandbox, version, `"up to ${version}"`);
  }
}

/** Resolves once a line has left the process, so that a kill loses none that stands for more. */
function print(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
  });
}

await Promise.all(Array.from({ length: Number(sandboxes) }, (_, index) => write(`s${index}`)));
