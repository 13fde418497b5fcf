import { codec, hasCode, parseValueText } from '../../../contract/index.ts';
import { type Control, fileStub } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { show, showJson, showLine } from '../../../page/view/visible.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readInput } from '../../io/file.ts';
import { tellError } from '../../io/terminal.ts';
import type { Reading } from './watch.ts';

/**
 * Puts the stubs of a file in every sandbox of a mock, and prints how they break the contract. Returns
 * how they are read again. Throws `PetstoreError`, or the system's error.
 */
export async function openStubFile(
  control: Control,
  file: string,
  log: 'text' | 'json',
  io: CommandIo,
): Promise<Reading> {
  let text = await readInput(file);
  await useStubs(control, text, file, io);
  return {
    async read(wasBroken) {
      const before = text;
      text = await readInput(file);
      // A file that was saved without a change does not reset its stubs.
      if (text === before && !wasBroken) return undefined;
      const count = await useStubs(control, text, file, io);
      const at = new Date().toISOString();
      return log === 'json'
        ? showJson({ kind: 'stubs', at, source: file, count })
        : show`${showLine(file)} was reloaded: ${countOf(count, 'stub')}`;
    },
    fallback: 'the previous stubs stay in use',
  };
}

/** Returns how many there are. */
async function useStubs(
  control: Control,
  text: string,
  file: string,
  io: CommandIo,
): Promise<number> {
  const value = await parseValueText(text, file);
  try {
    const stubs = control.useStubs(codec.list(fileStub).read(value ?? [], ''));
    for (const [index, { name, warnings }] of stubs.entries())
      for (const { message } of warnings)
        tellError(io, 'mock', `${file}: stub ${name ?? index + 1} breaks the contract: ${message}`);
    return stubs.length;
  } catch (error) {
    if (hasCode(error, 'shape', 'stub')) throw argumentError(`${file}: ${error.message}`, error);
    throw error;
  }
}
