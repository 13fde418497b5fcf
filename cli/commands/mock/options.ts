import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  among,
  nonEmpty,
  whole,
} from '../../io/flags.ts';
import { argumentError } from '../../io/command-failure.ts';
import { documentFlags } from '../../io/document-flags.ts';

/** 100 years. */
const mostBanSeconds = 3_153_600_000;

const flags = {
  port: {
    value: '<number>',
    read: whole(0, 65_535),
    default: '4010',
    help: 'Port to listen on, 0 for a free one. Default: 4010.',
  },
  host: {
    value: '<address>',
    read: nonEmpty,
    default: '127.0.0.1',
    help: 'Address to listen on. Default: 127.0.0.1.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document to serve. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
  seed: {
    value: '<file>|none',
    help: 'JSON file of items to start with, by collection path. Default: the bundled inventory, or the list examples of another document.',
  },
  seedFrom: {
    value: '<file>|<url>',
    help: 'Items to start with out of traffic: an HTTP Archive (HAR), a report.json of petstore conform, or a running server at its base URL, whose lists are read (docs/mock.md).',
  },
  apiKey: {
    value: '<key>',
    variable: 'PETSTORE_API_KEY',
    help: 'API key for the server of --seed-from. Default: PETSTORE_API_KEY.',
  },
  stubs: {
    value: '<file>',
    help: 'JSON or YAML file of stubs: requests that are answered as they say (docs/stubs.md). It is read again when it changes.',
  },
  choice: {
    value: '<question>=<choice>',
    many: true,
    read: parseChoice,
    help: 'What to do where the document leaves it open. Its questions and choices stand in it under x-unspecified. May be repeated.',
  },
  like: {
    value: '<file>',
    help: 'Do as a server did where the document leaves it open: a report.json of petstore conform --report. --choice goes before it.',
  },
  sandboxes: {
    value: '<number>',
    read: whole(1, 1_000_000),
    help: 'Sandboxes that are kept, besides that of the keys shown at the start. Default: 1000.',
  },
  maxMemory: {
    value: '<MiB>',
    read: whole(1, 65_536),
    help: 'What the mock keeps in all sandboxes, in MiB; one sandbox keeps at most a quarter of it (docs/limits.md). Default: 512, less in a small process.',
  },
  key: {
    value: '<key>',
    many: true,
    read: nonEmpty,
    help: 'Take this key, such as business_shard-1, and besides the keys shown at the start no other. May be repeated. Default: any key that names a sandbox.',
  },
  state: {
    value: '<url>',
    read: nonEmpty,
    help: 'Keep the sandboxes in a folder, file:./petstore-state, or on a server, valkey://127.0.0.1:6379, so that they outlive the mock and several mocks share them (docs/state.md). Default: in memory.',
  },
  limit: {
    value: '<plan>.<window>=<number>',
    many: true,
    read: parseLimit,
    help: 'Requests a window, such as enterprise.minute=5000. May be repeated. The plan "anonymous" stands for callers without a valid key.',
  },
  banAfter: {
    value: '<number>',
    read: whole(1, Number.MAX_SAFE_INTEGER),
    help: 'Requests after a 429, before Retry-After has passed, that lead to a ban. Default: 10.',
  },
  banSeconds: {
    value: '<number>',
    read: whole(0, mostBanSeconds),
    help: 'Length of a ban, 0 for none. Default: what the document says, else 60.',
  },
  tls: { help: 'Serve HTTPS with a certificate that is made for it, signed by itself.' },
  tlsKey: { value: '<file>' },
  tlsCert: { value: '<file>', help: 'Serve HTTPS with this key and certificate, in PEM.' },
  controlToken: {
    value: '<token>',
    variable: 'PETSTORE_MOCK_CONTROL_TOKEN',
    read: nonEmpty,
    help: 'Let other machines use the control interface under /_mock/, with this bearer token. Default: PETSTORE_MOCK_CONTROL_TOKEN.',
  },
  controlCors: {
    value: '<origin>',
    read: parseOrigin,
    help: 'Let pages of this origin use the control interface.',
  },
  noWatch: { help: 'Do not reload the document, and the stubs, when they change.' },
  log: {
    value: '<form>',
    read: among('text', 'json'),
    default: 'text',
    help: 'What is printed: text, the default, or json, an object a line (docs/mock.md).',
  },
  quiet: { help: 'No line for each request.' },
} satisfies FlagTable;

export const mockForm = {
  name: 'mock',
  takes: '[options]',
  about: [
    'Runs a mock server that keeps the contract, with state, keys, rate limits and true errors. It runs until SIGINT or SIGTERM.',
  ],
  flags,
  exits: '0 ended so, 2 could not start',
} satisfies CommandForm;

export type MockArguments = Omit<FlagValues<typeof flags>, 'choice' | 'limit' | 'tls'> & {
  readonly choices: Readonly<Record<string, string>>;
  /** Requests by plan, in lower case, and window. */
  readonly limits: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Files of key and certificate, or a certificate that is made; undefined for plain HTTP. */
  readonly tls: { readonly key: string; readonly cert: string } | 'generated' | undefined;
};

export function readMockArguments({ values }: CommandLine<typeof flags>): MockArguments {
  const { choice, limit } = values;
  const limits = new Map<string, Readonly<Record<string, number>>>();
  for (const { plan, window, number } of limit)
    limits.set(plan, { ...limits.get(plan), [window]: number });
  return {
    ...values,
    choices: Object.fromEntries(choice),
    limits: Object.fromEntries(limits),
    tls: readTls(values),
  };
}

function parseOrigin(text: string, flag: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null' && text.replace(/\/$/, '') === origin) return origin;
  throw argumentError(`${flag} must be an origin such as http://localhost:5173, not "${text}".`);
}

function readTls({ tls, tlsKey, tlsCert }: FlagValues<typeof flags>): MockArguments['tls'] {
  if (tlsKey === undefined && tlsCert === undefined) return tls ? 'generated' : undefined;
  if (tls)
    throw argumentError('--tls makes a certificate: leave it out, or --tls-key and --tls-cert.');
  if (tlsKey === undefined || tlsCert === undefined)
    throw argumentError('--tls-key and --tls-cert must be given together.');
  return { key: tlsKey, cert: tlsCert };
}

function parseChoice(text: string, flag: string): readonly [question: string, choice: string] {
  const [, question, choice] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (question === undefined || choice === undefined)
    throw argumentError(`${flag} must be <question>=<choice>, not "${text}".`);
  return [question, choice];
}

function parseLimit(text: string, flag: string) {
  const [, plan, window, number] = /^(.+)\.([^.=]+)=(.+)$/.exec(text) ?? [];
  if (plan === undefined || window === undefined || number === undefined)
    throw argumentError(`${flag} must be <plan>.<window>=<number>, not "${text}".`);
  const read = whole(1, Number.MAX_SAFE_INTEGER);
  return { plan: plan.toLowerCase(), window, number: read(number, `${flag} ${plan}.${window}`) };
}
