import { PetstoreError } from '../../../contract/index.ts';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { createParseFailure, parseWhole } from '../../io/argument.ts';

/** The command line of `petstore mock`, read and in range. */
export interface MockArguments {
  readonly port: number;
  readonly host: string;
  /** Undefined: the bundled document. */
  readonly contract: string | undefined;
  /** A file, `none`, or undefined for what belongs to the document. */
  readonly seed: string | undefined;
  readonly choices: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly banAfter: number | undefined;
  readonly banSeconds: number | undefined;
  /**
   * Files of the key and the certificate, or a certificate that is made; undefined for plain HTTP.
   */
  readonly tls: TlsFiles | 'generated' | undefined;
  /** File of a conformance report whose choices are taken; undefined for none. */
  readonly like: string | undefined;
  /** Sandboxes to keep; undefined for as many as usual. */
  readonly sandboxes: number | undefined;
  /** Wanted by the control interface; undefined: it is for this machine only. */
  readonly controlToken: string | undefined;
  /** Origin whose pages may use the control interface. */
  readonly controlCors: string | undefined;
  /** The document is read again when it changes. */
  readonly isWatched: boolean;
  /** A line for each request: for people, for machines, or none. */
  readonly log: 'text' | 'json' | 'none';
  readonly wantsHelp: boolean;
}

/** A private key and its certificate, as files in PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
}

export const mockHelp = `Usage: petstore mock [options]

Runs a mock server that keeps the contract, with state, keys, rate limits and true errors.

  --port <number>            Port to listen on, 0 for a free one. Default: 4010.
  --host <address>           Address to listen on. Default: 127.0.0.1.
  --contract <file>          OpenAPI document to serve. Default: the bundled openapi.yaml.
  --seed <file>|none         JSON file of items to start with, by collection path. Default: the
                             bundled inventory, or the list examples of another document.
  --choice <question>=<choice>  What to answer where the document leaves it open. Its questions and
                             choices stand in it under x-unspecified. May be repeated.
  --like <file>              Answer where the document leaves it open as a server did: a report.json
                             of petstore conform --report. --choice goes before it.
  --sandboxes <number>       Sandboxes that are kept, besides that of the keys shown at the start.
                             Default: 1000.
  --limit <plan>.<window>=<number>
                             Requests a window, such as enterprise.minute=5000. May be repeated.
                             The plan "anonymous" stands for callers without a valid key.
  --ban-after <number>       Requests after a 429, before Retry-After has passed, that lead to a
                             ban. Default: 10.
  --ban-seconds <number>     Length of a ban, 0 for none. Default: what the document says, else 60.
  --tls                      Serve HTTPS with a certificate that is made for it, signed by itself.
  --tls-key <file>, --tls-cert <file>
                             Serve HTTPS with this key and certificate, in PEM.
  --control-token <token>    Let other machines use the control interface under /_mock/, with this
                             bearer token.
  --control-cors <origin>    Let pages of this origin use the control interface.
  --no-watch                 Do not read the document again when it changes.
  --log <form>               A line for each request as text, the default, or as json.
  --quiet                    No line for each request.
  --help                     This text.

The mock runs until SIGINT or SIGTERM. Exit codes: 0 ended so, 2 could not start.
`;

const OPTIONS = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  contract: { type: 'string' },
  seed: { type: 'string' },
  choice: { type: 'string', multiple: true, default: [] },
  limit: { type: 'string', multiple: true, default: [] },
  'ban-after': { type: 'string' },
  'ban-seconds': { type: 'string' },
  tls: { type: 'boolean', default: false },
  'tls-key': { type: 'string' },
  'tls-cert': { type: 'string' },
  like: { type: 'string' },
  sandboxes: { type: 'string' },
  'control-token': { type: 'string' },
  'control-cors': { type: 'string' },
  'no-watch': { type: 'boolean', default: false },
  log: { type: 'string', default: 'text' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig;

/** Parses the command line. Throws `PetstoreError`. */
export function parseMockArguments(argv: readonly string[]): MockArguments {
  const values = parseValues(argv);
  return {
    port: parseWhole('--port', values.port, 0, 65_535),
    host: parseText('--host', values.host),
    contract: values.contract,
    seed: values.seed,
    choices: Object.fromEntries(values.choice.map(parseChoice)),
    limits: parseLimits(values.limit),
    banAfter:
      values['ban-after'] === undefined
        ? undefined
        : parseWhole('--ban-after', values['ban-after'], 1, Number.MAX_SAFE_INTEGER),
    banSeconds:
      values['ban-seconds'] === undefined
        ? undefined
        : parseWhole('--ban-seconds', values['ban-seconds'], 0, MAX_BAN_SECONDS),
    tls: parseTls(values.tls, values['tls-key'], values['tls-cert']),
    like: values.like,
    sandboxes:
      values.sandboxes === undefined
        ? undefined
        : parseWhole('--sandboxes', values.sandboxes, 1, 1_000_000),
    controlToken:
      values['control-token'] === undefined
        ? undefined
        : parseText('--control-token', values['control-token']),
    controlCors:
      values['control-cors'] === undefined ? undefined : parseOrigin(values['control-cors']),
    isWatched: !values['no-watch'],
    log: values.quiet ? 'none' : parseLog(values.log),
    wantsHelp: values.help,
  };
}

/** 100 years. */
const MAX_BAN_SECONDS = 3_153_600_000;

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    throw createParseFailure('mock', error);
  }
}

function parseLog(text: string): 'text' | 'json' {
  if (text === 'text' || text === 'json') return text;
  throw new PetstoreError('argument', `--log must be text or json, not "${text}".`);
}

function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null' && text.replace(/\/$/, '') === origin) return origin;
  throw new PetstoreError(
    'argument',
    `--control-cors must be an origin such as http://localhost:5173, not "${text}".`,
  );
}

function parseText(name: string, text: string): string {
  if (text === '') throw new PetstoreError('argument', `${name} must not be empty.`);
  return text;
}

function parseTls(
  isGenerated: boolean,
  key: string | undefined,
  cert: string | undefined,
): MockArguments['tls'] {
  if (key === undefined && cert === undefined) return isGenerated ? 'generated' : undefined;
  if (isGenerated)
    throw new PetstoreError(
      'argument',
      '--tls makes a certificate: leave it out, or --tls-key and --tls-cert.',
    );
  if (key === undefined || cert === undefined)
    throw new PetstoreError('argument', '--tls-key and --tls-cert must be given together.');
  return { key, cert };
}

function parseChoice(text: string): readonly [string, string] {
  const [, question, choice] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (question === undefined || choice === undefined)
    throw new PetstoreError('argument', `--choice must be <question>=<choice>, not "${text}".`);
  return [question, choice];
}

function parseLimits(texts: readonly string[]): MockArguments['limits'] {
  const limits = new Map<string, Record<string, number>>();
  for (const text of texts) {
    const [, plan, window, number] = /^(.+)\.([^.=]+)=(.+)$/.exec(text) ?? [];
    if (plan === undefined || window === undefined || number === undefined) {
      throw new PetstoreError(
        'argument',
        `--limit must be <plan>.<window>=<number>, not "${text}".`,
      );
    }
    const name = plan.toLowerCase();
    limits.set(name, {
      ...limits.get(name),
      [window]: parseWhole(`--limit ${plan}.${window}`, number, 1, Number.MAX_SAFE_INTEGER),
    });
  }
  return Object.fromEntries(limits);
}
