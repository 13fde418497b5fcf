import { PetstoreError } from '../../../contract/index.ts';
import { compareReports } from '../../../conformance/index.ts';
import {
  renderBriefComparison,
  renderComparison,
  renderJsonComparison,
  summarise,
} from '../../../report/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { createCommand } from '../../io/command.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { type DiffArguments, diffForm, readDiffArguments } from './options.ts';
import { runBoth } from './runs.ts';
import { showJsonText } from '../../../view/visible.ts';
import { layoutFor } from '../../io/terminal.ts';

/** `petstore diff`. Exit code 0 nothing differs, 1 something differs, 2 inconclusive. */
export const runDiff = createCommand(diffForm, (line, io) =>
  tellDifference(readDiffArguments(line), io),
);

async function tellDifference(wanted: DiffArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract, wanted);
  const { a, b } = await runBoth(contract, wanted, io);
  const comparison = compareReports(contract, a, b);
  const { requirements, questions } = comparison.compared;
  if (comparison.outcome === 'same' && requirements + questions === 0)
    throw new PetstoreError(
      'inconclusive',
      'Nothing could be compared: no response of the two runs shows the same requirement or open question.',
    );
  const render = wanted.quiet ? renderBriefComparison : renderComparison;
  io.stdout.write(
    wanted.json
      ? showJsonText(renderJsonComparison(comparison, contract))
      : render(comparison, contract, layoutFor(io)),
  );
  if (comparison.outcome !== 'same') return 1;
  // Targets of which too little was seen are not the same for it.
  const [doubt] = [a, b].filter(({ outcome }) => outcome === 'inconclusive');
  if (doubt === undefined) return 0;
  throw new PetstoreError('inconclusive', `Nothing differs, but ${summarise(doubt).sentence}.`);
}
