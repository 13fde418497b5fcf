import { readFile } from 'node:fs/promises';
import { type Contract, ContractError, isJsonObject, loadContract, parseJson, renderDocumentIssue } from '../contract/index.ts';
import { GapError, LimitError, type Mock, type Seed, SeedError, createMock } from '../mock/index.ts';
import type { CommandIo } from './command-io.ts';
import { ArgumentError, type MockArguments, mockHelp, parseMockArguments } from './mock-arguments.ts';
import { renderBanner } from './mock-banner.ts';
import { renderExchange } from './mock-log.ts';
import { packageFile } from './package-root.ts';

/** `petstore mock`: serves a contract until the signal is aborted. Exit code 0, or 2 if it cannot start, with one line on stderr. */
export async function runMock(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const wanted = parseMockArguments(argv);
    if (wanted.wantsHelp) io.stdout.write(mockHelp);
    else await serve(wanted, io);
    return 0;
  } catch (error) {
    const line = explain(error);
    if (line === undefined) throw error;
    io.stderr.write(`petstore mock: ${line}\n`);
    return 2;
  }
}

async function serve(wanted: MockArguments, io: CommandIo): Promise<void> {
  const contract = await loadContract({ file: wanted.contract ?? packageFile('openapi.yaml') });
  const mock = await openMock(contract, wanted, io);
  const listening = await mock.listen({ port: wanted.port, host: wanted.host });
  io.stdout.write(renderBanner(mock, listening.url));
  await aborted(io.signal);
  await listening.close();
}

async function openMock(contract: Contract, wanted: MockArguments, io: CommandIo): Promise<Mock> {
  const { gaps, limits, banAfter, banSeconds, isQuiet } = wanted;
  const seed = await openSeed(wanted);
  return createMock(contract, {
    gaps,
    limits,
    ...(seed === undefined ? {} : { seed }),
    ...(banAfter === undefined ? {} : { banAfter }),
    ...(banSeconds === undefined ? {} : { banSeconds }),
    ...(isQuiet ? {} : { onExchange: (exchange) => void io.stdout.write(`${renderExchange(exchange)}\n`) }),
    onFault: (fault) => void io.stderr.write(`petstore mock: ${fault instanceof Error ? fault.stack : String(fault)}\n`),
  });
}

/** The seed asked for; undefined where the document's own examples are to be used. */
async function openSeed({ seed, contract }: MockArguments): Promise<Seed | undefined> {
  if (seed === 'none') return {};
  const file = seed ?? (contract === undefined ? packageFile('fixtures/inventory.json') : undefined);
  if (file === undefined) return undefined;
  const value = parseSeed(file, await readFile(file, 'utf8'));
  if (!isJsonObject(value)) throw new ArgumentError(`${file} must hold an object of arrays by collection path.`);
  return value;
}

function parseSeed(file: string, text: string) {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ArgumentError(`${file} is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** One line for an error that a person can put right; undefined for any other. */
function explain(error: unknown): string | undefined {
  if (error instanceof ContractError) return explainDocument(error);
  if (error instanceof ArgumentError || error instanceof SeedError || error instanceof GapError || error instanceof LimitError) return oneLine(error.message);
  return error instanceof Error ? explainSystem(error) : undefined;
}

function explainDocument(error: ContractError): string {
  const [first] = error.issues;
  if (first === undefined) return oneLine(error.message);
  const more = error.issues.length - 1;
  return oneLine(renderDocumentIssue(first)) + (more > 0 ? ` (and ${more} more)` : '');
}

function explainSystem(error: NodeJS.ErrnoException & { readonly port?: number; readonly address?: string }): string | undefined {
  const { code, path, address, port } = error;
  switch (code) {
    case 'EADDRINUSE': return `Port ${port} of ${address} is in use. Choose another with --port.`;
    case 'EACCES': return path === undefined ? `Port ${port} of ${address} may not be used. Choose another with --port.` : `${path} may not be read.`;
    case 'EADDRNOTAVAIL': return `${address} is no address of this machine. Choose another with --host.`;
    case 'ENOTFOUND': return oneLine(`The host cannot be found: ${error.message}`);
    case 'ENOENT': return `${path} does not exist.`;
    case 'EISDIR': return `${path ?? 'A folder'} is no file.`;
    case undefined: return undefined;
    default: return oneLine(error.message);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
