import { families } from '../../contract/index.ts';
import {
  padShown,
  joinShown,
  show,
  showJson,
  showLine,
  type VisibleText,
} from '../../page/view/visible.ts';
import {
  type MutantResult,
  type Selftest,
  selftestContract,
} from '../../selftest/generated/index.ts';
import { createCommand } from '../options/command.ts';
import { type CommandForm, type FlagTable, sharedFlags, whole } from '../options/flags.ts';
import { runFlags } from '../options/run-flags.ts';
import { isTerminal } from '../io/terminal.ts';
import { loadChosenContract } from '../package/bundled.ts';

const flags = {
  floor: {
    ...whole(0, 100),
    default: '0',
    help: 'Exit with 1 if a smaller percentage of the mutants is found.',
  },
  ...sharedFlags,
  requests: {
    ...whole(1, 1_000_000),
    help: 'Requests of each run. Default: those of a usual run, more where the document needs them to have everything tested.',
  },
  only: {
    value: '<text>',
    help: 'Try only mutants of requirements with this text in their id.',
  },
  seed: runFlags.seed,
  json: { help: 'Print JSON.' },
} satisfies FlagTable;

const form = {
  name: 'selftest',
  takes: '[<openapi.yaml>] [options]',
  operands: ['contract'],
  about: [
    'Measures how many faulty servers of your document the suite finds. From each requirement it makes servers that break it (mutants): the mock with a value beyond a limit, a missing member or header, another status, an invalid request that is accepted, an item that is not stored. It runs the suite against each of them in this process, and lists those that were missed with the reason. Requirements that no mutant can be made from count as missed.',
  ],
  examples: [
    ['my.yaml', 'Show how many mutants are found.'],
    ['--contract my.yaml --floor 95', 'Exit with 1 if fewer than 95 % are found.'],
    ['my.yaml --only state', 'Try only what is about stored items.'],
  ],
  page: 'selftest.md',
  flags,
  exits: ['at least the floor is found', 'less is found, or the mock without a fault fails'],
} satisfies CommandForm;

/** `petstore selftest`. */
export const runSelftest = createCommand(form, async ({ values }, io) => {
  const contract = await loadChosenContract(values.contract, values);
  const { requests, seed, only, floor } = values;
  const isShown = isTerminal(io.stderr, io.env);
  const result = await selftestContract(contract, {
    requests,
    seed,
    only,
    signal: io.signal,
    onProgress: (tried, all) =>
      isShown && io.stderr.write(show`\r${tried} of ${all} mutants${tried === all ? '\n' : ''}`),
  });
  const summary = summarise(result);
  if (values.json) io.stdout.write(show`${showJson({ ...summary, ...describe(result) }, 2)}\n`);
  else io.stdout.write(render(result, summary, contract.source));
  return summary.percent < floor || result.falseAlarms.length > 0 ? 1 : 0;
});

interface Summary {
  /** Mutants, and requirements without one. */
  readonly mutants: number;
  readonly found: number;
  readonly percent: number;
}

function isFound({ kind }: MutantResult): boolean {
  return kind !== 'missed';
}

function summarise({ results, missing }: Pick<Selftest, 'results' | 'missing'>): Summary {
  const mutants = results.length + missing.length;
  const found = results.filter(isFound).length;
  // Rounded down: 100 % means all.
  const percent = mutants === 0 ? 100 : Math.floor((1000 * found) / mutants) / 10;
  return { mutants, found, percent };
}

/** As plain data. */
function describe({ results, missing, falseAlarms, requests }: Selftest) {
  return {
    requests,
    falseAlarms,
    results: results.map(({ mutant, kind, reason, requests: sent }) => ({
      requirement: mutant.requirement.id,
      fault: mutant.fault,
      result: kind,
      reason,
      requests: sent,
    })),
    withoutMutant: missing.map(({ requirement, reason }) => ({
      requirement: requirement.id,
      reason,
    })),
  };
}

function render(
  result: Selftest,
  { mutants, found, percent }: Summary,
  source: string,
): VisibleText {
  const { results, missing, falseAlarms, requests } = result;
  const lines = [
    show`The suite finds ${found} of ${mutants} mutants of ${showLine(source)} (${showLine(percent.toFixed(1))} %) with ${requests} requests each.`,
    show``,
    show`${padShown(show`Family`, 14)}${padShown(show`mutants`, 9)}${padShown(show`found`, 7)}named`,
  ];
  for (const family of families) {
    const isOf = (each: { readonly requirement: { readonly family: string } }): boolean =>
      each.requirement.family === family;
    const own = results.filter(({ mutant }) => isOf(mutant));
    const all = own.length + missing.filter(isOf).length;
    if (all === 0) continue;
    const named = own.filter(({ kind }) => kind === 'named').length;
    const columns = [[String(all), 9] as const, [String(own.filter(isFound).length), 7] as const];
    const counts = columns.map(([text, width]) => padShown(showLine(text), width));
    lines.push(show`${padShown(showLine(family), 14)}${joinShown(counts, '')}${named}`);
  }
  const section = (title: VisibleText, rows: readonly VisibleText[]): void => {
    if (rows.length > 0) lines.push(show``, title, ...rows.map((row) => show`  ${row}`));
  };
  section(
    show`Missed`,
    results
      .filter((each) => !isFound(each))
      .map(({ mutant: { requirement, fault }, reason = '' }) =>
        showLine(`${requirement.id}: ${fault} (${reason})`),
      ),
  );
  section(
    show`Missed: no mutant can be made`,
    missing.map(({ requirement, reason }) => showLine(`${requirement.id}: ${reason}`)),
  );
  section(
    show`False alarms: the mock without a fault fails`,
    falseAlarms.map((id) => showLine(id)),
  );
  return show`${joinShown(lines, '\n')}\n`;
}
