/** One step of the checks: a shell command, and how its result counts. */
export interface Step {
  readonly name: string;
  readonly command: string;
  /** Each test of vitest counts. Default: the step is one check, passed on exit code 0. */
  readonly isVitest?: boolean;
  /** The exit code which means that nothing was checked. */
  readonly skippedBy?: number;
}

const run = 'npm run --silent';
const measure = `${run} corpus -- --jobs 2`;

const staticChecks: readonly Step[] = [
  { name: 'type-check', command: `${run} typecheck` },
  { name: 'format', command: `${run} format:check` },
  { name: 'lint', command: `${run} lint` },
];

/** `npm test`: at most three minutes on two cores. */
export const quickSteps: readonly Step[] = [
  ...staticChecks,
  { name: 'tests', command: `${run} unit -- --project quick`, isVitest: true },
  { name: 'self-conformance', command: `${run} conform -- --quiet` },
  { name: 'quick self-test', command: `${run} selftest -- --every 25` },
];

/** The additional steps of `npm test -- --all`. */
export const slowSteps: readonly Step[] = [
  { name: 'more packages', command: 'node dev/run.cjs dev/install.ts' },
  { name: 'slow tests', command: `${run} unit -- --project slow`, isVitest: true },
  { name: 'self-test', command: `${run} selftest` },
  { name: 'client self-test', command: `${run} selftest -- --clients` },
  { name: 'soak', command: `${run} soak -- 200000` },
  { name: 'site', command: `${run} docs` },
  { name: 'advisories', command: `${run} advisories`, skippedBy: 2 },
  {
    name: 'own documents',
    command: `${measure} fixtures/documents --floor fixtures/documents/floor.json`,
  },
];

/** The measurement of public documents, without `conform` runs, which take most of the time. */
export function corpusStep(folder: string): Step {
  const floor = 'dev/corpus/floor.json';
  return { name: 'public documents', command: `${measure} "${folder}" --quick --floor ${floor}` };
}

/** `npm test -- --changed [commit]`: tests that depend on what changed since the commit. */
export function changedSteps(commit: string | undefined): readonly Step[] {
  const since = commit === undefined ? '--changed' : `--changed=${commit}`;
  return [
    ...staticChecks,
    {
      name: 'tests',
      command: `${run} unit -- --project quick ${since} --passWithNoTests`,
      isVitest: true,
    },
  ];
}
