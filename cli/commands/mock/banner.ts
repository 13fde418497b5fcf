import type { X509Certificate } from 'node:crypto';
import type { Contract } from '../../../contract/contract.ts';
import { isCredential, renderCredential } from '../../../contract/openapi/credential.ts';
import { encodePathText } from '../../../contract/openapi/path-pattern.ts';
import { type Listening, type Mock, planPrefix } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { renderCurl } from '../../../page/view/quote/curl.ts';
import { quoteWord } from '../../../page/view/quote/shell.ts';
import { joinShown, show, showLine, type VisibleText } from '../../../page/view/visible.ts';
import {
  countColumns,
  joinSections,
  type TextLayout,
  wrapText,
} from '../../../report/text/layout.ts';
import { type CommandIo, printError } from '../../io/command-io.ts';

type ListeningFacts = Pick<Listening, 'url' | 'openAddress'> & {
  readonly certificate: X509Certificate | undefined;
};

/** How the mock was started. */
interface Settings {
  /** Choices other than the document's default, by question. */
  readonly choices: Readonly<Record<string, string>>;
  /** The additional keys that are accepted; undefined: any key. */
  readonly key?: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly controlToken?: string | undefined;
}

/**
 * What `petstore mock` prints when it is ready: base URL, certificate, keys, choices and a curl
 * line. Lines fit the layout, except addresses, keys and commands, which must be copied whole.
 */
export function renderBanner(
  mock: Mock,
  { url, openAddress, certificate }: ListeningFacts,
  settings: Settings,
  { width, paint }: TextLayout,
): VisibleText {
  const { contract } = mock;
  const control = `${new URL(url).origin}/_mock/`;
  // Clients only accept a self-signed certificate with a special option.
  const isInsecure = certificate?.checkIssued(certificate) === true;
  const indent = (text: string) =>
    wrapText(showLine(text), width - 4).map(
      (line, index) => show`${index === 0 ? '  ' : '    '}${line}`,
    );

  const address = [
    ...wrapText(showLine(`${contract.title} ${contract.version} (${contract.source})`), width),
    show`is mocked at ${paint.strong(showLine(url))}`,
    showLine(`  In a browser: ${control}`),
  ];
  if (certificate !== undefined) {
    const { fingerprint256: print, validToDate } = certificate;
    address.push(
      showLine(`Certificate until ${validToDate.toISOString().slice(0, 10)}`),
      showLine(`  SHA-256 ${print.slice(0, 48)}`),
      showLine(`          ${print.slice(48)}`),
    );
  }
  if (openAddress !== undefined) address.push(...indent(describeExposure(openAddress, settings)));

  const longest = Math.max(0, ...mock.keys.map(({ key }) => key.length));
  const keys = mock.keys.flatMap(({ key, plan, limits }) => {
    if (plan === '') return [];
    const rates = limits.map(
      ({ window, limit }) => `${groupDigits(limit)} ${window === 'hour' ? 'an' : 'a'} ${window}`,
    );
    const facts = `${plan}: ${rates.join(', ') || 'no limit'}`;
    const line = `  ${key.padEnd(longest)}  ${facts}`;
    if (countColumns(line) <= width) return [showLine(line)];
    return [showLine(`  ${key}`), ...indent(`  ${facts}`)];
  });

  const service = listNotes(mock, settings).flatMap(indent);
  const sections = [address, keys, service, renderFirstRequest(mock, url, isInsecure)];
  return joinSections(sections.map((lines) => joinShown(lines, '\n')));
}

/**
 * Prints one line with the numbers of errors and warnings in the document; nothing if there are
 * none.
 */
export function printDiagnostics(
  { diagnostics, source }: Contract,
  file: string | undefined,
  io: CommandIo,
): void {
  const count = (level: string): number => diagnostics.filter((one) => one.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const ignored = errors === 1 ? 'that part is' : 'those parts are';
  const counts = [
    ...(errors === 0 ? [] : [`${countOf(errors, 'error')} (${ignored} ignored)`]),
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ];
  const command = `npx petstore-contract lint ${quoteWord(file ?? source)}`;
  if (counts.length > 0)
    printError(io, 'mock', `${source}: ${counts.join(', ')}. ${command} lists them.`);
}

/** Says that other machines can reach the mock, what they can do, and how to prevent it. */
function describeExposure(address: string, { controlToken }: Settings): string {
  const control =
    controlToken === undefined
      ? 'They cannot use the control interface.'
      : 'Anyone with the control token can change everything.';
  return `Open to other machines: the mock listens on ${address}. They can send requests, because the keys below are public. ${control} Use --host 127.0.0.1 to close it.`;
}

/** Lines on accepted keys, storage and choices. */
function listNotes(
  { contract, keys }: Mock,
  { key = [], state, choices }: Settings,
): readonly string[] {
  const notes: string[] = [];
  const own = keys.map((each) => each.key);
  const word = planPrefix(keys[0]?.plan ?? '');
  if (key.length > 0) notes.push(`Only these keys are accepted: ${[...own, ...key].join(', ')}.`);
  else if (word !== '')
    notes.push(`Any other key, such as ${word}_alice, opens a separate sandbox.`);
  else if (contract.operations.every(({ security }) => security.flat().length === 0))
    notes.push('No key is needed.');
  else {
    notes.push(`Keys: ${own.join(', ')}, or any other, which opens a separate sandbox.`);
    notes.push(...listCredentials(contract, own[0] ?? '').map((one) => `  ${one}`));
  }
  // User and password are removed from the address.
  if (state !== undefined)
    notes.push(`Sandboxes are kept in ${state.replace(/\/\/[^/]*@/, '//')}.`);
  const made = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  if (made.length > 0) notes.push(`Choices: ${made.join(', ')}`);
  return notes;
}

/**
 * A key in the form in which each security scheme expects it: `X-Api-Key: demo`, `?api_key=demo`.
 */
export function listCredentials({ operations }: Contract, key: string): readonly string[] {
  const schemes = operations.flatMap(({ security }) => security.flat().filter(isCredential));
  const shown = schemes.map((scheme) => {
    const { query, headers } = placeCredential(scheme, key);
    return query + headers.map(([name, value]) => `${name}: ${value}`).join('');
  });
  return [...new Set(shown)];
}

/** A key as a query parameter or a header; neither if no key is needed. */
function placeCredential(scheme: Parameters<typeof renderCredential>[0], key: string) {
  const { in: place, name = '', value = '' } = renderCredential(scheme, key) ?? {};
  const cookie: readonly [string, string] = ['Cookie', `${name}=${value}`];
  const headers: (readonly [string, string])[] = [];
  if (place === 'cookie') headers.push(cookie);
  if (place === 'header') headers.push([name, value]);
  return { query: place === 'query' ? `?${encodeURIComponent(name)}=${value}` : '', headers };
}

/** `1,000,000`. Unlike `toLocaleString`, it does not load the data of all locales. */
function groupDigits(count: number): string {
  return `${count}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A curl line that reads the first collection; none if every path has parameters. */
function renderFirstRequest(
  { contract: { operations }, keys }: Mock,
  url: string,
  isInsecure: boolean,
): readonly VisibleText[] {
  const open = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const isList = (path: string) => operations.some((one) => one.path.startsWith(`${path}/{`));
  const operation = open.find(({ path }) => isList(path)) ?? open[0];
  if (operation === undefined) return [];
  const { query, headers } = placeCredential(operation.credential, keys[0]?.key ?? '');
  const address = `${url}${encodePathText(operation.path)}${query}`;
  return [show`  ${renderCurl({ method: 'GET', url: address, headers, isInsecure })}`];
}

/** Facts about a listening mock, for `--log json`. */
export function describeListening(
  { contract: { title, version, source }, keys }: Mock,
  { url, openAddress, certificate }: ListeningFacts,
  { choices, like }: Pick<Settings, 'choices'> & { readonly like: string | undefined },
): object {
  return {
    url,
    page: `${new URL(url).origin}/_mock/`,
    openAddress,
    document: { title, version, source },
    keys: keys.map(({ key, plan, limits }) => ({
      key,
      plan: plan || undefined,
      limits: Object.fromEntries(limits.map(({ window, limit }) => [window, limit])),
    })),
    choices,
    like,
    certificate: certificate && {
      fingerprint: certificate.fingerprint256,
      until: certificate.validToDate,
    },
  };
}
