import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWhole } from './argument.ts';

/** What a run is asked for, whichever command makes it. */
export interface RunArguments {
  /** Undefined: what the plan allows. */
  readonly requests: number | undefined;
  readonly seed: number;
  /** Undefined: the bundled document. */
  readonly contract: string | undefined;
  /** Drives to the rate limit. */
  readonly isExhausting: boolean;
  readonly isReadOnly: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly categoryId: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly isInsecure: boolean;
  readonly isQuiet: boolean;
  readonly wantsHelp: boolean;
}

/** The flags of every command that makes a run. */
export const RUN_OPTIONS = {
  requests: { type: 'string' },
  seed: { type: 'string', default: '1' },
  contract: { type: 'string' },
  exhaust: { type: 'boolean', default: false },
  'read-only': { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  skip: { type: 'string', multiple: true, default: [] },
  'category-id': { type: 'string' },
  timeout: { type: 'string', default: '10' },
  insecure: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig;

/** The values of these flags, as `parseArgs` gives them. */
export interface RunValues {
  readonly requests?: string | undefined;
  readonly seed: string;
  readonly contract?: string | undefined;
  readonly exhaust: boolean;
  readonly 'read-only': boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly 'category-id'?: string | undefined;
  readonly timeout: string;
  readonly insecure: boolean;
  readonly quiet: boolean;
  readonly help: boolean;
}

/** Reads them, in range. Throws `PetstoreError`. */
export function parseRunValues(values: RunValues): RunArguments {
  return {
    requests:
      values.requests === undefined
        ? undefined
        : parseWhole('--requests', values.requests, 1, 1_000_000),
    seed: parseWhole('--seed', values.seed, 0, 2_147_483_647),
    contract: values.contract,
    isExhausting: values.exhaust,
    isReadOnly: values['read-only'],
    only: values.only,
    skip: values.skip,
    categoryId: values['category-id'],
    timeout: parseWhole('--timeout', values.timeout, 1, 3600) * 1000,
    isInsecure: values.insecure,
    isQuiet: values.quiet,
    wantsHelp: values.help,
  };
}
