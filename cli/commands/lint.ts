import { addAll } from '../../contract/list/list.ts';
import {
  ContractError,
  type Diagnostic,
  renderDiagnostic,
  renderRefusal,
} from '../../contract/source/diagnostic.ts';
import { loadContract } from '../../contract/load.ts';
import { countOf } from '../../page/view/count.ts';
import { joinShown, show, showJson, showLine } from '../../page/view/visible.ts';
import { printError } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { sharedFlags } from '../options/flags.ts';
import { refuseAddress } from '../package/bundled.ts';

const { allowFolder, allowNetwork, overlay } = sharedFlags;

/**
 * `petstore lint`. Exit code 0 without errors, 1 with errors, 2 if a file is not an OpenAPI
 * document.
 */
export const runLint = createCommand(
  {
    name: 'lint',
    usage: '<openapi.yaml> [<file> ...] [options]',
    description: [
      'Lists the problems of OpenAPI documents, 2.0 to 3.2, with file, line, column, level, JSON pointer, message, fix and code. The mock and the suite leave out a part with an error, read a part with a warning as it was probably meant, and ignore hints.',
    ],
    examples: [['my.yaml', 'List the problems of a document.']],
    page: 'lint.md',
    flags: { allowFolder, allowNetwork, overlay, json: { help: 'Print the list as JSON.' } },
    exitCodes: ['no errors found', 'errors found'],
    readsForeignFiles: true,
  },
  async ({ values, words }, io) => {
    const options = {
      validate: true,
      allowedFolders: values.allowFolder,
      allowNetwork: values.allowNetwork,
      overlays: values.overlay,
    };
    const found: Diagnostic[] = [];
    let refused = 0;
    for (const file of words) {
      refuseAddress(file);
      try {
        const { diagnostics } = await loadContract({ file }, options);
        addAll(found, diagnostics.toSorted(byPlace));
      } catch (error) {
        if (!(error instanceof ContractError)) throw error;
        refused += 1;
        for (const one of error.diagnostics) printError(io, 'lint', renderRefusal(one));
      }
    }
    const lines = found.map((one) => showLine(renderDiagnostic(one)));
    const counts = (['error', 'warning', 'hint'] as const).map((level) =>
      countOf(found.filter((one) => one.level === level).length, level),
    );
    if (values.json) io.stdout.write(show`${showJson(found, 2)}\n`);
    else if (refused < words.length)
      io.stdout.write(show`${joinShown([...lines, joinShown(counts, ', ')], '\n')}\n`);
    if (refused > 0) return 2;
    return found.some(({ level }) => level === 'error') ? 1 : 0;
  },
);

function byPlace(one: Diagnostic, other: Diagnostic): number {
  const files = one.file < other.file ? -1 : Number(one.file > other.file);
  return files || one.line - other.line || one.column - other.column;
}
