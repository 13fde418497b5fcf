import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { composeConfigSchema } from '../../dev/build/config-schema.ts';
import { renderConfigTypes } from '../../dev/build/types.ts';
import { readSettings } from '../options/settings.ts';
import { parseCommandLine } from '../options/command-line.ts';
import { type CommandDefinition, readValues } from '../options/flags.ts';
import { loadDefinitions } from '../main.ts';
import { packageFile } from '../package/package-root.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-init-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const petstore = (...words: readonly string[]) => {
  const argv = [packageFile('cli/petstore.ts'), ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const place = (name: string): string => join(folder, name);
const definitions = (await loadDefinitions()).filter(({ ignoresSettings }) => !ignoresSettings);
const names = definitions.map(({ name }) => name);

/** The values of a command's options, with a configuration file or without. */
const valuesOf = async (
  definition: CommandDefinition,
  file: string | undefined,
): Promise<unknown> => {
  const words = definition.usage.startsWith('<')
    ? ['x', 'y'].slice(0, definition.name === 'diff' ? 2 : 1)
    : [];
  const config = file === undefined ? ['--no-config'] : ['--config', file];
  const typed = parseCommandLine(definition, [...words, ...config]);
  const { given } = await readSettings(definition, typed.given, {});
  return readValues(definition.flags, given);
};

/** The options as comments, without the sentences about them. */
const uncomment = (text: string, isWanted: (line: string) => boolean): string =>
  text.replaceAll(/^( *)\/\/ ('?[\w-]+'?: .*,)$/gm, (line, indent: string, option: string) =>
    isWanted(option) ? `${indent}${option}` : line,
  );

describe('what petstore init writes', () => {
  test('changes nothing', async () => {
    expect(petstore('init')).toEqual({
      status: 0,
      stdout:
        'petstore.config.ts was written. It is read by mock, conform with --config petstore.config.ts.\n',
      stderr: '',
    });
    const words = ['--list', '--config', 'petstore.config.ts'];
    expect(petstore('certify-client', ...words)).toMatchObject({ status: 0, stderr: '' });
    for (const definition of definitions)
      expect(await valuesOf(definition, place('petstore.config.ts'))).toEqual(
        await valuesOf(definition, undefined),
      );
  }, 60_000);

  test('says the default of every option that has one', async () => {
    petstore('init', ...names);
    const text = readFileSync(place('petstore.config.ts'), 'utf8');
    const defaults = definitions.flatMap(({ flags }) =>
      Object.entries(flags).filter(([, { default: value }]) => value !== undefined),
    );
    const set = uncomment(text, (option) =>
      defaults.some(([name, { default: value }]) =>
        [`${name}: ${value},`, `${name}: '${value}',`].includes(option),
      ),
    );
    expect(set.match(/^ {4}\w+: /gm)).toHaveLength(defaults.length);
    writeFileSync(place('set.ts'), set);
    for (const definition of definitions)
      expect(await valuesOf(definition, place('set.ts'))).toEqual(
        await valuesOf(definition, undefined),
      );
  }, 60_000);

  test('has every option of every command, each with an example of its type', () => {
    petstore('init', ...names);
    const text = readFileSync(place('petstore.config.ts'), 'utf8');
    const all = uncomment(text, () => true).replace('petstore-contract/config', './config.js');
    const options = definitions.flatMap(({ flags }) => Object.keys(flags));
    const known = new Set(all.match(/^ *\w+(?=: )/gm)?.map((name) => name.trim()));
    expect(options.filter((name) => !known.has(name))).toEqual([]);
    writeFileSync(place('all.ts'), all);
    writeFileSync(place('config.d.ts'), renderConfigTypes(composeConfigSchema(definitions)));
    expect(typeFaults('all.ts')).toBe('');
    writeFileSync(place('all.ts'), all.replace('port: 4010', 'prot: 4010'));
    expect(typeFaults('all.ts')).toContain("'prot' does not exist in type");
    // A path has the definition of an option, such as a plan and its window.
    expect(uncomment(text, () => true)).not.toMatch(/^ *\/\/ \w+: .*,$/m);
  }, 60_000);

  test('is JSON with every default on request', async () => {
    expect(petstore('init', '--json', ...names).status).toBe(0);
    const text = readFileSync(place('petstore.config.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      $schema: './node_modules/petstore-contract/dist/config.schema.json',
      mock: { port: 4010, host: '127.0.0.1', log: 'text' },
      diff: { seed: 1 },
    });
    for (const definition of definitions)
      expect(await valuesOf(definition, place('petstore.config.json'))).toEqual(
        await valuesOf(definition, undefined),
      );
  }, 60_000);
});

const typeFaults = (name: string): string => {
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
  const words = [compiler, ...options, '--ignoreConfig', place(name)];
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }).stdout;
};

describe('petstore init', () => {
  test('overwrites nothing without --force, and only the named file with it', () => {
    writeFileSync(place('petstore.config.ts'), 'mine');
    expect(petstore('init')).toMatchObject({
      status: 2,
      stderr: 'petstore init: petstore.config.ts already exists. Use --force to replace it.\n',
    });
    expect(petstore('init', '--json', '--force')).toMatchObject({
      status: 2,
      stderr: 'petstore init: petstore.config.ts already exists. Remove it first.\n',
    });
    expect(readFileSync(place('petstore.config.ts'), 'utf8')).toBe('mine');
    expect(petstore('init', '--force', 'mock').status).toBe(0);
    expect(readFileSync(place('petstore.config.ts'), 'utf8')).not.toContain('conform: {');
  }, 60_000);

  test('suggests the intended command', () => {
    expect(petstore('init', 'mok').stderr).toContain(
      'There is no command "mok"; did you mean mock?',
    );
    expect(petstore('init', 'init').stderr).toContain('There is no command "init"; there are');
  }, 60_000);
});
