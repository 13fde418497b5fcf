import { readFile } from 'node:fs/promises';
import { type RunOptions, type Waiver, readWaivers } from '../../../conformance/index.ts';
import {
  type Contract,
  JsonSyntaxError,
  parseJson,
  PetstoreError,
  hasCode,
} from '../../../contract/index.ts';
import type { ConformArguments } from './options.ts';
import { readSaved } from './saved.ts';
import type { OpenTarget } from './target.ts';
import { listRunOptions } from '../../io/run-flags.ts';

/** The options of a run. Throws `PetstoreError`, or the system's error for a file. */
export async function readRunOptions(
  contract: Contract,
  wanted: ConformArguments,
  { clock, plan }: OpenTarget,
): Promise<RunOptions> {
  return {
    ...listRunOptions(contract, wanted),
    exhaust: wanted.exhaust || clock !== undefined,
    fuzz: wanted.fuzz,
    // The mock's day passes in no time.
    ...(clock === undefined ? {} : { clock, longestWait: 2 * 86_400_000 }),
    ...(wanted.shrink === undefined ? {} : { shrink: wanted.shrink }),
    ...(wanted.save === undefined ? {} : { saved: await readSaved(wanted.save) }),
    ...(plan === undefined ? {} : { plan }),
    ...(wanted.waivers === undefined
      ? {}
      : { waivers: await readWaiverFile(contract, wanted.waivers) }),
  };
}

async function readWaiverFile(contract: Contract, file: string): Promise<readonly Waiver[]> {
  const text = await readFile(file, 'utf8');
  try {
    return readWaivers(contract, parseJson(text));
  } catch (error) {
    if (hasCode(error, 'shape', 'waiver') || error instanceof JsonSyntaxError)
      throw new PetstoreError('waiver', `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
