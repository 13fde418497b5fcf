import { type JsonValue, isJsonObject } from '../../contract/index.ts';
import { breaks } from '../envelope/finding.ts';
import type { ChainedLog } from '../envelope/log-chain.ts';
import { MemberReader, ShapeFault } from './member-reader.ts';
import {
  type Claims,
  type Predicate,
  type SelftestRecord,
  type Suite,
  type VerdictEntry,
  type FailureEntry,
  type WaiverEntry,
  levels,
  requirementLevels,
  verdictKinds,
  waiverStates,
} from './predicate.ts';
import { type Read, readAs, refuse } from '../envelope/untrusted-json.ts';

const names = [
  'kind',
  'target',
  'suite',
  'selftest',
  'configuration',
  'log',
  'contract',
  'run',
  'level',
  'counts',
  'verdicts',
  'waivers',
] as const;

/**
 * Reads a predicate: every member in its place, none that is not known. What it says is not judged
 * here.
 */
export function readPredicate(value: JsonValue | undefined): Read<Predicate> {
  try {
    const reader = new MemberReader(value, 'predicate', names);
    return readAs({
      kind: reader.oneOf('kind', ['server', 'client']),
      target: readTarget(reader.inner('target', ['name', 'version', 'baseUrl'])),
      suite: readSuite(reader.inner('suite', suiteNames)),
      selftest:
        reader.value('selftest') === null
          ? null
          : readSelftest(reader.value('selftest'), 'predicate.selftest'),
      configuration: reader.object('configuration'),
      log: readLog(reader.inner('log', ['head', 'length', 'entries'])),
      ...readClaims(reader),
    });
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    return refuse(
      breaks(
        'predicate',
        error.where,
        `The certificate is not of the form of its type: at ${error.where} ${error.message}.`,
      ),
    );
  }
}

/** Reads a record of the suite's kill rate; undefined for anything else. */
export function parseSelftest(value: JsonValue): SelftestRecord | undefined {
  try {
    return readSelftest(value, 'selftest');
  } catch (error) {
    if (error instanceof ShapeFault) return undefined;
    throw error;
  }
}

const suiteNames = ['name', 'version', 'dependencies', 'rules'];

function readTarget(reader: MemberReader): Predicate['target'] {
  return {
    name: reader.text('name'),
    version: reader.text('version'),
    baseUrl: reader.textOrNull('baseUrl'),
  };
}

function readSuite(reader: MemberReader): Suite {
  return {
    name: reader.text('name'),
    version: reader.text('version'),
    dependencies: reader.digest('dependencies'),
    rules: reader.count('rules'),
  };
}

function readSelftest(value: JsonValue, where: string): SelftestRecord {
  const reader = new MemberReader(value, where, [
    'suite',
    'measuredAt',
    'seeds',
    'mutants',
    'variants',
  ]);
  const [mutants, variants] = [
    reader.inner('mutants', ['runs', 'caught', 'distinct']),
    reader.inner('variants', ['runs', 'falseAlarms', 'distinct']),
  ];
  return {
    suite: readSuite(reader.inner('suite', suiteNames)),
    measuredAt: reader.instant('measuredAt'),
    seeds: reader.count('seeds'),
    mutants: {
      runs: mutants.count('runs'),
      caught: mutants.count('caught'),
      distinct: mutants.count('distinct'),
    },
    variants: {
      runs: variants.count('runs'),
      falseAlarms: variants.count('falseAlarms'),
      distinct: variants.count('distinct'),
    },
  };
}

function readLog(reader: MemberReader): ChainedLog {
  return {
    head: reader.digest('head'),
    length: reader.count('length'),
    entries: reader.list('entries', (item, where) => {
      const entry = new MemberReader(item, where, ['link', 'entry']);
      return { link: entry.digest('link'), entry: entry.object('entry') };
    }),
  };
}

function readClaims(reader: MemberReader): Claims {
  const contract = reader.inner('contract', ['title', 'version', 'digest']);
  const run = reader.inner('run', ['startedAt', 'milliseconds', 'endedEarly']);
  const counts = reader.inner('counts', verdictKinds);
  return {
    contract: {
      title: contract.text('title'),
      version: contract.text('version'),
      digest: contract.digest('digest'),
    },
    run: {
      startedAt: run.instant('startedAt'),
      milliseconds: run.quantity('milliseconds'),
      endedEarly: run.textOrNull('endedEarly'),
    },
    level: reader.oneOf('level', levels),
    counts: {
      passed: counts.count('passed'),
      failed: counts.count('failed'),
      waived: counts.count('waived'),
      'not-tested': counts.count('not-tested'),
      open: counts.count('open'),
    },
    verdicts: reader.list('verdicts', readVerdict),
    waivers: reader.list('waivers', readWaiver),
  };
}

function readVerdict(value: JsonValue, where: string): VerdictEntry {
  const id = isJsonObject(value) && typeof value['id'] === 'string' ? ` (${value['id']})` : '';
  const reader = new MemberReader(value, `${where}${id}`, [
    'id',
    'level',
    'sentence',
    'verdict',
    'evidence',
    'reason',
    'choices',
    'failures',
  ]);
  return {
    id: reader.text('id'),
    level: reader.oneOf('level', requirementLevels),
    sentence: reader.text('sentence'),
    verdict: reader.oneOf('verdict', verdictKinds),
    evidence: reader.list('evidence', readIndex),
    reason: reader.textOrNull('reason'),
    choices: reader.list('choices', readChoice),
    failures: reader.list('failures', readFailure),
  };
}

function readIndex(value: JsonValue, where: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ShapeFault(where, 'it is no index of the log');
}

function readChoice(value: JsonValue, where: string): string | null {
  if (typeof value === 'string' || value === null) return value;
  throw new ShapeFault(where, 'it is neither the id of a choice nor null');
}

function readFailure(value: JsonValue, where: string): FailureEntry {
  const reader = new MemberReader(value, where, ['expected', 'received', 'evidence']);
  return {
    expected: reader.text('expected'),
    received: reader.text('received'),
    evidence: reader.list('evidence', readIndex),
  };
}

function readWaiver(value: JsonValue, where: string): WaiverEntry {
  const reader = new MemberReader(value, where, [
    'requirement',
    'reason',
    'owner',
    'expires',
    'state',
  ]);
  return {
    requirement: reader.text('requirement'),
    reason: reader.text('reason'),
    owner: reader.text('owner'),
    expires: reader.text('expires'),
    state: reader.oneOf('state', waiverStates),
  };
}
