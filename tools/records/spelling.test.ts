import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeCertificate } from '../../certificate/index.ts';
import { loadContract } from '../../contract/index.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { readSuite } from '../../cli/package/suite.ts';
import { judgeAgain, loadLogs } from './recorded-log.ts';
import { loadRulesRecord, recordedDocument } from './rules.ts';

/**
 * Certificates that this source made are verified by a copy of it that is written otherwise: in a
 * process of its own, by the files as they stand there.
 */
const whole = [
  'certificate',
  'cli',
  'client',
  'conformance',
  'contract',
  'fixtures',
  'limits',
  'mock',
];
const parts = [...whole, 'report', 'selftest', 'tools', 'view', 'openapi.yaml', 'package.json'];
const subjects = ['service', 'service-read-only', 'prism', 'client-careful', 'client-stubborn'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-spelling-'));
  const contract = await loadContract({ file: packageFile(recordedDocument) });
  const suite = await readSuite();
  for (const { name, judgement: _, ...log } of await loadLogs()) {
    if (!subjects.includes(name)) continue;
    const again = await judgeAgain(contract, log);
    if (again.kind === 'unreadable' || again.claims === undefined) throw new Error(name);
    const target = { name, version: '1', baseUrl: again.baseUrl };
    const facts = { ...log, ...again.claims, target, suite, selftest: null };
    await writeFile(join(folder, `${name}.json`), composeCertificate(facts, []).text);
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Verifies the certificates in its folder, and digests the rules: run in the copy. */
const script = `
import { readFile } from 'node:fs/promises';
import { verifyCertificate } from './certificate/index.ts';
import { loadContract, renderJson } from './contract/index.ts';
import { readSuite } from './cli/package/suite.ts';
import { judgeAgain } from './tools/records/recorded-log.ts';
import { digestRules, recordedDocument } from './tools/records/rules.ts';
const contract = await loadContract({ file: recordedDocument });
const { title, version, digest } = contract;
const found = {};
for (const name of process.argv.slice(2)) {
  const { outcome, findings } = await verifyCertificate(await readFile('../' + name + '.json'), {
    keys: [],
    suite: await readSuite(),
    contract: { title, version, digest },
    selftest: undefined,
    now: Date.parse('2026-12-31'),
    recompute: (predicate) => judgeAgain(contract, {
      ...predicate, entries: predicate.log.entries.map(({ entry }) => entry),
    }),
  });
  const told = findings.filter(({ kind }) => kind !== 'selftest');
  found[name] = [outcome, ...told.map(({ kind, sentence }) => kind === 'words' ? kind : sentence)];
}
const { digest: rules, judgements } = await digestRules();
const others = judgements
  .filter(({ log, judgement }) => renderJson(log.judgement) !== renderJson(judgement))
  .map(({ log }) => log.name);
console.log(JSON.stringify({ found, rules, others }));
`;

type Change = (text: string, path: string) => string;

const isNeeded = (path: string): boolean => !path.endsWith('.test.ts');

/** What a copy of the source makes of the certificates. `rewrite` is for its files in `rooms`. */
const verifyBy = async (
  names: readonly string[],
  rewrite: Change,
  after?: (copy: string) => Promise<void>,
) => {
  const copy = await mkdtemp(join(folder, 'copy-'));
  for (const part of parts)
    await cp(packageFile(part), join(copy, part), { recursive: true, filter: isNeeded });
  await cp(packageFile('docs/report.schema.json'), join(copy, 'docs/report.schema.json'));
  await symlink(packageFile('node_modules'), join(copy, 'node_modules'));
  let changed = 0;
  for (const path of await listSource(copy)) {
    const text = await readFile(join(copy, path), 'utf8');
    const next = rewrite(text, path);
    if (next === text) continue;
    changed += 1;
    await writeFile(join(copy, path), next);
  }
  await after?.(copy);
  await writeFile(join(copy, 'verify.ts'), script);
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['verify.ts', ...names], {
    cwd: copy,
    env,
  });
  await rm(copy, { recursive: true });
  const { found, rules, others } = Object(JSON.parse(stdout));
  return { found: new Map<string, unknown>(Object.entries(found)), rules, others, changed };
};

const rooms = ['client', 'conformance', 'mock', 'contract/requirement'];

const listSource = async (copy: string): Promise<readonly string[]> => {
  const lists = await Promise.all(
    rooms.map(async (room) =>
      (await readdir(join(copy, room), { recursive: true })).map((path) => `${room}/${path}`),
    ),
  );
  return lists.flat().filter((path) => /(?<!\.test|\.d)\.ts$/.test(path));
};

/** Another name for every function that is a module's own, where no prose can have its name. */
const renameFunctions: Change = (text) => {
  const names = [...text.matchAll(/^(?:async )?function\*? ([a-z]+[A-Z]\w*)/gm)].map(
    ([, name = '']) => name,
  );
  return names.reduce(
    (renamed, name) =>
      renamed.replaceAll(
        new RegExp(`(?<!(?<!\\.\\.)\\.|[\\w'])${name}\\b(?!')`, 'g'),
        `${name}Anew`,
      ),
    text,
  );
};

const reformat = async (copy: string): Promise<void> => {
  await writeFile(join(copy, '.oxfmtrc.json'), JSON.stringify({ printWidth: 60, semi: false }));
  const formatter = packageFile('node_modules/.bin/oxfmt');
  await promisify(execFile)(
    formatter,
    rooms.map((room) => `${room}/**/*.ts`),
    { cwd: copy },
  );
};

const renameFiles = async (copy: string): Promise<void> => {
  const names = (await readdir(join(copy, 'client/rules')))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => basename(file, '.ts'));
  for (const name of names)
    await rename(join(copy, `client/rules/${name}.ts`), join(copy, `client/rules/${name}-anew.ts`));
  for (const path of await listSource(copy)) {
    if (!path.startsWith('client/')) continue;
    const text = await readFile(join(copy, path), 'utf8');
    const place = path.startsWith('client/rules/') ? String.raw`\./` : 'rules/';
    const imported = new RegExp(`(?<=from '[./]*${place})(${names.join('|')})\\.ts'`, 'g');
    await writeFile(join(copy, path), text.replaceAll(imported, "$1-anew.ts'"));
  }
};

/** Begins sentences, reasons, messages, and what was expected or received, with other words. */
const reword: Change = (text, path) => {
  const anew = text
    .replaceAll(
      /\b(sentence|message|reason|unreached|expected|received):(\s*)(['`])(?=[^'`]* )/g,
      '$1:$2$3in other words: ',
    )
    .replaceAll(/\brefuse\((\s*)('\w+'),(\s*)(['`])/g, 'refuse($1$2,$3$4In other words: ');
  if (path === 'contract/requirement/requirement.ts')
    return anew.replace(
      'sentence: cut(sentence, longestSentence)',
      'sentence: `In other words: ${cut(sentence, longestSentence)}`',
    );
  return path === 'conformance/judge/trace/finding.ts'
    ? anew.replace(
        /expected, received/,
        'expected: `Wanted: ${expected}`, received: `Seen: ${received}`',
      )
    : anew;
};

test(
  'comments, names, files, formatting and words change no verification',
  { timeout: 60_000 },
  async () => {
    const { found, rules, others, changed } = await verifyBy(
      subjects,
      (text, path) =>
        `/** Said anew. */\n${renameFunctions(reword(text, path), path)}\n// And at the end.\n`,
      async (copy) => {
        await renameFiles(copy);
        await reformat(copy);
      },
    );
    expect(changed).toBeGreaterThan(200);
    expect(found).toEqual(new Map(subjects.map((name) => [name, ['holds', 'words']])));
    expect([rules, others]).toEqual([(await loadRulesRecord()).digest, []]);
  },
);

test('a changed rule is found by the logs that show it', { timeout: 60_000 }, async () => {
  const { rules, others, changed } = await verifyBy([], (text, path) => {
    if (path === 'client/rules/limits.ts') return text.replace('refusedKey: 3', 'refusedKey: 0');
    return path === 'conformance/judge/rate-limit/headers.ts'
      ? text.replace('slack = 5000', 'slack = -9e9')
      : text;
  });
  expect(changed).toBe(2);
  expect(others).toEqual(expect.arrayContaining(['client-careful', 'service']));
  expect(rules).not.toBe((await loadRulesRecord()).digest);
});
