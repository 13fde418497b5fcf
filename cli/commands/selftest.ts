import { families } from '../../conformance/index.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { show, showJson, showLine, type VisibleText } from '../../page/view/visible.ts';
import {
  joinSections,
  plain,
  plainLayout,
  renderSection,
  renderTable,
} from '../../report/text/layout.ts';
import {
  type MutantResult,
  type Selftest,
  selftestContract,
} from '../../selftest/generated/index.ts';
import { isTerminal } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { seconds, sharedFlags, whole } from '../options/flags.ts';
import { runFlags } from '../options/run-flags.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { packageFile } from '../package/package-root.ts';

/** `petstore selftest`. */
export const runSelftest = createCommand(
  {
    name: 'selftest',
    usage: '[<openapi.yaml>] [options]',
    operands: ['contract'],
    description: [
      'Measures how many faulty servers the suite finds. For each requirement of your document it generates mutants, which are copies of the mock that break the requirement: a value beyond a limit, a missing member or header, another status, an invalid request that is accepted, an item that is not stored. It runs the suite against each mutant in this process, and lists the missed ones with the reason. It also runs the suite against correct variants, which write the same responses in other valid ways: none may fail. Requirements for which no mutant can be generated count as missed.',
    ],
    examples: [
      ['my.yaml', 'Show how many mutants are found.'],
      ['--contract my.yaml --floor 95', 'Exit with 1 if fewer than 95 % are found.'],
      ['my.yaml --only state', 'Run only mutants about stored items.'],
    ],
    page: 'selftest.md',
    flags: {
      floor: {
        ...whole(0, 100),
        default: '0',
        help: 'Exit with 1 if a smaller percentage of the mutants is found.',
      },
      ...sharedFlags,
      requests: {
        ...whole(1, 1_000_000),
        help: 'Requests per run. Default: as conform, or more if full coverage of the document needs more.',
      },
      only: {
        value: '<text>',
        help: 'Run only mutants of requirements whose id contains this text.',
      },
      seed: runFlags.seed,
      timeLimit: {
        ...seconds,
        bounds: [1, 86_400],
        default: '120',
        help: 'Try no more mutants after this many seconds.',
      },
      json: { help: 'Print JSON.' },
    },
    exitCodes: ['at least the floor was found', 'less was found, or a correct variant failed'],
  },
  async ({ values }, { stdout, stderr, env }) => {
    const contract = await loadChosenContract(values.contract, values);
    const { requests, seed, only, floor, timeLimit } = values;
    const isShown = isTerminal(stderr, env);
    const result = await selftestContract(contract, {
      requests,
      seed,
      only,
      timeLimit,
      worker: packageFile(workerModule),
      onProgress: (tried, all) => {
        // In a CI log, print a line only now and then.
        const end = tried === all || !isShown ? '\n' : '';
        if (isShown || tried % 100 === 0)
          stderr.write(show`${isShown ? '\r' : ''}${tried} of ${all} mutants${end}`);
      },
    });
    if (result.all === 0) throw nothingTried(contract.source, only);
    const limit = timeLimit / 1000;
    if (result.results.length === 0)
      throw new PetstoreError(
        'inconclusive',
        `None of the ${result.all} mutants could be tried in ${limit} s (--time-limit).`,
      );
    const summary = summarise(result);
    stdout.write(
      values.json
        ? show`${showJson({ ...summary, ...describe(result) }, 2)}\n`
        : render(result, summary, contract.source, limit),
    );
    return summary.percent < floor || result.falseAlarms.length > 0 ? 1 : 0;
  },
);

/** The module that the threads run: the source in a checkout, the bundle in the package. */
const workerModule = import.meta.filename.endsWith('.ts')
  ? 'selftest/generated/worker.ts'
  : 'dist/selftest/generated/worker.js';

/** A percentage of zero mutants means nothing. */
function nothingTried(source: string, only: string | undefined): PetstoreError {
  const named = only === undefined ? '' : ` with "${only}" in its id`;
  const reason = `There are no mutants to run: ${source} has no requirement${named} that a server can break.`;
  return new PetstoreError('inconclusive', reason);
}

function isFound({ kind }: MutantResult): boolean {
  return kind !== 'missed';
}

/** Counts mutants and found mutants. */
function summarise({ results }: Selftest) {
  const mutants = results.length;
  const found = results.filter(isFound).length;
  // Rounded down: 100 % means all.
  const percent = mutants === 0 ? 100 : Math.floor((1000 * found) / mutants) / 10;
  return { mutants, found, percent };
}

/** The result as plain data, for `--json`. */
function describe({ results, all, falseAlarms, variants, requests, isCut }: Selftest) {
  return {
    all,
    isCut,
    requests,
    variants,
    falseAlarms,
    results: results.map(({ mutant, kind, reason, requests: sent }) => ({
      requirement: mutant.requirement.id,
      fault: mutant.fault,
      result: kind,
      reason,
      requests: sent,
    })),
  };
}

function render(
  { results, all, falseAlarms, variants, requests, isCut }: Selftest,
  { mutants, found, percent }: ReturnType<typeof summarise>,
  source: string,
  limit: number,
): VisibleText {
  const rows = [['Family', 'mutants', 'found', 'named']];
  for (const family of families) {
    const own = results.filter(({ mutant }) => mutant.requirement.family === family);
    const counts = [
      own.length,
      own.filter(isFound).length,
      own.filter(({ kind }) => kind === 'named').length,
    ];
    if (counts[0] !== 0) rows.push([family, ...counts.map(String)]);
  }
  const table = rows.map((row) => row.map((cell) => ({ text: showLine(cell), paint: plain })));
  const missed = results.filter((each) => !isFound(each));
  const end = isCut ? show`: the others were not tried within ${limit} s (--time-limit)` : show``;
  const sample = all > mutants ? show` They are a sample of ${all}${end}.` : show``;
  return joinSections([
    show`The suite finds ${found} of ${mutants} mutants of ${showLine(source)} (${showLine(percent.toFixed(1))} %) with ${requests} requests each.${sample}`,
    renderTable(table, plainLayout),
    variants > 0 && falseAlarms.length === 0
      ? show`None of the ${variants} correct variants fails.`
      : show``,
    renderList(
      show`Missed`,
      missed.map(
        ({ mutant: { requirement, fault }, reason = '' }) =>
          `${requirement.id}: ${fault} (${reason})`,
      ),
    ),
    renderList(show`False alarms: requirements that correct variants fail`, falseAlarms),
  ]);
}

function renderList(title: VisibleText, lines: readonly string[]): VisibleText {
  return renderSection(
    title,
    lines.map((line) => show`  ${showLine(line)}`),
    plainLayout,
  );
}
