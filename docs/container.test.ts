import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';
import { flagName, listFlags } from '../cli/options/flags.ts';
import { loadDefinitions } from '../cli/main.ts';
import { variableName } from '../cli/options/settings.ts';

const page = readFileSync(new URL('container.md', import.meta.url), 'utf8');
const containerfile = readFileSync(packageFile('Containerfile'), 'utf8');
const forms = await loadDefinitions();

const yamlOf = (mark: string): readonly unknown[] => {
  const [, text = ''] = new RegExp(`^\`\`\`yaml ${mark}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  const documents = parseAllDocuments(text);
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document): unknown => document.toJS());
};

/** Why the words behind the name of the image cannot run; undefined if they can. */
const judgeWords = ([name = '', ...words]: readonly string[]): string | undefined => {
  const form = forms.find((each) => each.name === name);
  if (form === undefined) return `there is no command ${name}`;
  const known = Object.keys(listFlags(form)).map((flag) => `--${flagName(flag)}`);
  return words.find((word) => word.startsWith('--') && !known.includes(word));
};

test('the arguments to the image are valid commands and options', () => {
  const lines = [...page.matchAll(/^docker run .* petstore-contract ?(.*)$/gm)].map(
    ([, words = '']) => words.split(' ').filter((word) => word !== ''),
  );
  const [compose] = yamlOf('compose');
  const [deployment] = yamlOf('kubernetes');
  expect(compose).toMatchObject({ services: { petstore: { read_only: true } } });
  const given = [
    ...lines.filter((words) => words.length > 0),
    Object(compose).services.petstore.command,
    Object(deployment).spec.template.spec.containers[0].args,
  ];
  expect(given.map(judgeWords)).toEqual(given.map(() => undefined));
  expect(given.length).toBe(4);
  expect(judgeWords(['mock', '--prot'])).toBe('--prot');
});

test('the environment variables belong to options', () => {
  const known = forms.flatMap(({ name, flags }) =>
    Object.entries(flags).flatMap(([flag, { variable }]) => [
      variableName(name, flag),
      ...(variable === undefined ? [] : [variable]),
    ]),
  );
  const named = new Set(`${page}${containerfile}`.match(/PETSTORE_\w+/g));
  expect([...named].filter((name) => !known.includes(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(3);
});

test('user, port, base image and folder agree with the Containerfile', () => {
  const last = (instruction: RegExp): string | undefined =>
    [...containerfile.matchAll(instruction)].at(-1)?.[1];
  const user = last(/^USER (\d+)/gm);
  expect(page).toContain(`\`${last(/^ARG BASE=(\S+)$/gm)}\``);
  expect(page).toContain(`user ${user}`);
  expect(page).toContain(`:${last(/^WORKDIR (\S+)$/gm)}:ro`);
  const [deployment, service] = yamlOf('kubernetes');
  const [container] = Object(deployment).spec.template.spec.containers;
  expect(container).toMatchObject({
    ports: [{ containerPort: 4010 }],
    readinessProbe: { tcpSocket: { port: 4010 } },
    securityContext: { runAsUser: Number(user), readOnlyRootFilesystem: true },
  });
  expect(service).toMatchObject({ kind: 'Service', spec: { ports: [{ port: 4010 }] } });
});
