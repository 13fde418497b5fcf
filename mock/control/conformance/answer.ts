import { type JsonObject, type JsonValue, parseJson, renderJson } from '../../../contract/index.ts';
import { qualityOf } from '../../http/media-type.ts';
import { type Input, type Outcome, success } from '../../operation/response/outcome.ts';
import { isRefusal, refuse } from '../../operation/response/refusal.ts';
import type { ConformanceRuns, OpenConformance, ReportFormat, Run, RunOrder } from './runs.ts';

/** A request to an operation of conformance runs, found to fit the document. */
export interface RunRequest {
  readonly input: Input;
  /** Empty where there is none. */
  readonly body: JsonObject;
  readonly accept: string | undefined;
}

type Answer = (runs: ConformanceRuns, request: RunRequest) => Outcome | Promise<Outcome>;

/** What each operation of conformance runs does, by its id. */
const answers: Readonly<Record<string, Answer>> = {
  planRun: async (runs, { body }) => present(await runs.plan(readOrder(body))),
  listRuns: (runs) => present(runs.list()),
  startRun: async (runs, { body }) => present(await runs.start(readOrder(body)), 201),
  readRun: (runs, { input }) => present(runs.read(parameter(input, 'path run'))),
  dropRun: (runs, { input }) => runs.drop(parameter(input, 'path run')) ?? success(204, ''),
  readReport: (runs, request) => {
    const format = chooseFormat(request);
    const text = runs.report(parameter(request.input, 'path run'), format);
    if (typeof text !== 'string') return text;
    const shown =
      format === 'html' ? withTheme(text, parameter(request.input, 'query theme')) : text;
    return { ...success(200, shown), mediaType: mediaTypes[format] };
  },
  openReport: (runs, { body }) => present(runs.open(body), 201),
  compareRuns: (runs, { input }) =>
    present(runs.compare(parameter(input, 'query one'), parameter(input, 'query other'))),
};

const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
};

/** Loads what judges with the first call, and keeps it. `onRun`: told whenever a run moves on. */
export function createRunsOpening(
  load: OpenConformance | undefined,
  onRun: (run: Run) => void,
): (() => Promise<ConformanceRuns>) | undefined {
  let opened: Promise<ConformanceRuns> | undefined;
  return load && (() => (opened ??= load(onRun)));
}

/**
 * What an operation of conformance runs answers; undefined for any other operation. `open` is
 * undefined where nobody handed over what judges.
 */
export async function answerRunRequest(
  operation: string,
  open: (() => Promise<ConformanceRuns>) | undefined,
  request: RunRequest,
): Promise<Outcome | undefined> {
  const answer = answers[operation];
  if (answer === undefined) return undefined;
  if (open === undefined)
    return refuse(
      'not_found',
      'This mock cannot run the suite: it was started without it. Start one with npx petstore-contract mock.',
    );
  return await answer(await open(), request);
}

/** An order out of a body that fits the document. */
function readOrder({
  baseUrl,
  sandbox,
  key,
  plan,
  requests,
  seed,
  fuzz,
  ...flags
}: JsonObject): RunOrder {
  return {
    baseUrl: textOf(baseUrl),
    sandbox: textOf(sandbox),
    key: textOf(key),
    plan: textOf(plan),
    requests: requests === undefined ? undefined : Number(requests),
    seed: seed === undefined ? undefined : Number(seed),
    fuzz: fuzz === undefined ? undefined : Number(fuzz),
    exhaust: flags['exhaust'] === true,
    exclusive: flags['exclusive'] === true,
    readOnly: flags['readOnly'] === true,
    insecure: flags['insecure'] === true,
  };
}

/** A link says which; others by `Accept`. */
function chooseFormat({ input, accept = '*/*' }: RunRequest): ReportFormat {
  const said = parameter(input, 'query format');
  if (said !== '') return said === 'html' ? 'html' : 'json';
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json') ? 'html' : 'json';
}

/** A page says on its root which theme overrules that of the system. */
function withTheme(page: string, theme: string): string {
  return theme === '' ? page : page.replace('<html ', `<html data-theme="${theme}" `);
}

function parameter({ parameters }: Input, key: string): string {
  return textOf(parameters.get(key)) ?? '';
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A value as JSON, members that are undefined left out; a refusal as it is. */
function present(value: object, status = 200): Outcome {
  return isRefusal(value) ? value : success(status, renderJson(parseJson(JSON.stringify(value))));
}
