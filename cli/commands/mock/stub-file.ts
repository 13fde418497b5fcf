import { resolve } from 'node:path';
import { codec, hasCode, parseValueText } from '../../../contract/index.ts';
import { type Control, type Stub, fileStub } from '../../../mock/index.ts';
import { argumentError, explainFailure } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { tellError } from '../../io/terminal.ts';
import { countOf } from '../../../page/view/count.ts';
import { show, showJson, showLine } from '../../../page/view/visible.ts';
import { createReading, haveChanged } from './file-watcher.ts';
import { readInput } from '../../io/file.ts';
import { inputLimits } from '../../../contract/limits/index.ts';

/** The stubs of `--stubs`, in every sandbox of a mock. */
export interface StubFile {
  /** Reads the file again whenever it changes, until the signal of the command is aborted. */
  watch(): Promise<void>;
}

/** Reads the file, and prints how its stubs break the contract. Throws `PetstoreError`, or the system's error. */
export async function openStubFile(
  control: Control,
  { stubs: file = '', log }: { readonly stubs: string | undefined; readonly log: 'text' | 'json' },
  io: CommandIo,
): Promise<StubFile> {
  const since = Date.now();
  let text = await readInput(file, inputLimits.settingBytes);
  let isBroken = false;
  await useText(control, text, file, io);
  const readAgain = async (): Promise<void> => {
    try {
      const before = text;
      text = await readInput(file, inputLimits.settingBytes);
      // A file that was saved without a change does not reset its stubs.
      if (text === before && !isBroken) return;
      isBroken = true;
      const stubs = await useText(control, text, file, io);
      isBroken = false;
      const at = new Date().toISOString();
      const line =
        log === 'json'
          ? showJson({ kind: 'stubs', at, source: file, count: stubs.length })
          : show`${showLine(file)} was reloaded: ${countOf(stubs.length, 'stub')}`;
      io.stdout.write(show`${line}\n`);
    } catch (error) {
      const reason = explainFailure(error) ?? String(error);
      tellError(io, 'mock', `the previous stubs stay in use: ${reason}`);
    }
  };
  return {
    async watch() {
      const reading = createReading(readAgain, io.signal);
      reading.follow([resolve(file)]);
      if (await haveChanged([resolve(file)], since)) reading.schedule();
    },
  };
}

async function useText(
  control: Control,
  text: string,
  file: string,
  io: CommandIo,
): Promise<readonly Stub[]> {
  const value = await parseValueText(text, file);
  try {
    const stubs = control.useStubs(codec.list(fileStub).read(value ?? [], ''));
    for (const [index, { name, warnings }] of stubs.entries())
      for (const { message } of warnings)
        tellError(io, 'mock', `${file}: stub ${name ?? index + 1} breaks the contract: ${message}`);
    return stubs;
  } catch (error) {
    if (hasCode(error, 'shape', 'stub')) throw argumentError(`${file}: ${error.message}`, error);
    throw error;
  }
}
