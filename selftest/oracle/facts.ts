import type { Exchange, Report, RunReport } from '../../conformance/index.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import { readJson } from './shown.ts';

/**
 * What a report states and its log does not confirm, each in a sentence: the numbers of the run, the
 * reasons of what was not tested, and the numbers of the causes. Reads facts only, and no English.
 *
 * @param document the report as `report.json` has it
 */
export function findFalseFacts(report: RunReport, document: JsonValue): readonly string[] {
  const whole = objectOf(document);
  return [
    ...checkRun(whole, report),
    ...listIn(whole['verdicts']).flatMap((verdict) => checkReason(verdict, whole, report)),
    ...listIn(whole['causes']).flatMap((cause) => checkCause(cause, report)),
    ...checkExplained(whole),
  ];
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
}

export function numbersOf(value: JsonValue | undefined): readonly number[] {
  return value !== undefined && isJsonArray(value) ? value.map(numberOf) : [];
}

function listOf(value: JsonValue | undefined): readonly string[] {
  return value !== undefined && isJsonArray(value) ? value.map(textOf) : [];
}

export function listIn(value: JsonValue | undefined): readonly JsonObject[] {
  return value !== undefined && isJsonArray(value) ? value.map(objectOf) : [];
}

/** What has to hold, with what is said where it does not. */
export type Rule = readonly [isTrue: boolean, said: string];

export function list(place: string, rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(([isTrue, said]) => (isTrue ? [] : [`${place}: ${said}`]));
}

function checkRun(whole: JsonObject, { exchanges }: RunReport): readonly string[] {
  const run = objectOf(whole['run']);
  const read = (name: string): number => numberOf(run[name]);
  const [sent, planned, tested, budget] = [
    read('requests'),
    read('planned'),
    read('tested'),
    read('budget'),
  ];
  const answered = exchanges.filter(({ outcome }) => outcome.kind === 'answered').length;
  const lost = exchanges.length - answered;
  return list('run', [
    [sent === exchanges.length, `requests ${sent}, the log has ${exchanges.length}`],
    [tested <= planned, `tested ${tested} of ${planned} planned`],
    [tested <= sent, `tested ${tested}, sent ${sent}`],
    [sent <= budget + lost, `sent ${sent} of at most ${budget}`],
    ...countRules(whole),
  ]);
}

export function countRules(whole: JsonObject): readonly Rule[] {
  const verdicts = listIn(whole['verdicts']);
  return Object.entries(objectOf(whole['counts'])).map(([kind, count]): Rule => {
    const found = verdicts.filter(
      ({ verdict, level }) => verdict === kind && !(kind === 'not-tested' && level === 'open'),
    ).length;
    return [numberOf(count) === found, `${numberOf(count)} ${kind}, there are ${found}`];
  });
}

function checkReason(
  verdict: JsonObject,
  whole: JsonObject,
  { record, exchanges }: RunReport,
): readonly string[] {
  if (verdict['verdict'] !== 'not-tested') return [];
  const because = objectOf(verdict['because']);
  const read = (name: string): number => numberOf(because[name]);
  const run = objectOf(whole['run']);
  const rules: Readonly<Record<string, () => boolean>> = {
    unclear: () => read('exchange') >= 0 && read('exchange') < exchanges.length,
    'not-selected': () => record.only.length + record.skip.length > 0,
    'read-only': () => record.readOnly,
    budget: () =>
      read('budget') === record.requests &&
      read('planned') <= record.requests &&
      read('planned') + read('needs') > record.requests,
    'not-exhausted': () => !record.exhaust,
    'ended-early': () =>
      read('sent') <= exchanges.length &&
      because['text'] === run['endedEarly'] &&
      (because['end'] !== 'budget' || exchanges.length >= numberOf(run['budget'])),
    'plan-not-given': () => record.plan === undefined,
    'nothing-to-send': () => because['text'] !== '',
    'never-asked': () => because['text'] !== '',
    'not-shown': () => true,
  };
  const kind = textOf(because['kind']);
  return list(textOf(verdict['id']), [
    [rules[kind]?.() === true, `not tested because of ${kind}, which the run does not confirm`],
  ]);
}

/** Each failure is in one cause. */
export function checkExplained(whole: JsonObject): readonly string[] {
  const told = listIn(whole['causes'])
    .flatMap((cause) => listIn(cause['findings']))
    .flatMap(({ requirement, exchanges }) =>
      numbersOf(exchanges).map((index) => `${textOf(requirement)} ${index}`),
    );
  const found = listIn(whole['verdicts'])
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap(({ id, failures }) =>
      listIn(failures).map(({ exchange }) => `${textOf(id)} ${numberOf(exchange)}`),
    );
  const isSame = told.toSorted().join('\n') === found.toSorted().join('\n');
  return list('causes', [
    [isSame, `${told.length} failures are explained, there are ${found.length}`],
  ]);
}

/** What a cause counts: each of its exchanges shows its outcome, and the numbers add up to the log. */
export function checkCause(cause: JsonObject, { exchanges }: Report): readonly string[] {
  const fact = objectOf(cause['fact']);
  const [of, others, elsewhere] = ['of', 'others', 'elsewhere'].map((name) => numberOf(fact[name]));
  if (of === undefined || others === undefined || elsewhere === undefined) return [];
  const operations = new Set(listOf(fact['operations']));
  const scope = exchanges.filter(
    ({ request }) => operations.size === 0 || operations.has(request.operation),
  );
  const told = numbersOf(cause['exchanges']);
  const isNarrowed = listIn(fact['among']).length > 0;
  const outcome = objectOf(fact['outcome']);
  return list(`cause ${textOf(fact['kind'])} (${textOf(cause['sentence'])})`, [
    [told.length > 0, 'it counts no exchange'],
    [told.length <= of, `it counts ${told.length} of ${of}`],
    [elsewhere <= others, `${elsewhere} elsewhere of ${others} others`],
    [
      isNarrowed ? of + others <= scope.length : of + others === scope.length,
      `${of} and ${others} others, the log has ${scope.length}`,
    ],
    [fact['condition'] !== undefined || others === 0, `${others} others without a condition`],
    ...told.map((index): Rule => {
      const exchange = scope.find((each) => each.index === index);
      const isShown = exchange !== undefined && showsOutcome(outcome, exchange);
      return [isShown, `exchange ${index} does not show it`];
    }),
    ...(isNarrowed ? [] : countElsewhere(outcome, scope, told.length + elsewhere)),
    ...checkExample(objectOf(fact['alteration']), exchanges),
  ]);
}

/** As many exchanges have an outcome as were told, with the condition and without. */
function countElsewhere(
  outcome: JsonObject,
  scope: readonly Exchange[],
  told: number,
): readonly Rule[] {
  if (outcome['kind'] !== 'status') return [];
  const found = scope.filter((each) => showsOutcome(outcome, each)).length;
  return [[told === found, `${told} with the status, the log has ${found}`]];
}

/** Whether an exchange has the status, or lacks the response, that is told; true of other outcomes. */
function showsOutcome(told: JsonObject, { outcome }: Exchange): boolean {
  const isAnswered = outcome.kind === 'answered';
  switch (textOf(told['kind'])) {
    case 'status':
      return isAnswered && outcome.response.status === numberOf(told['status']);
    case 'served':
      return isAnswered && outcome.response.status < 300;
    case 'no-response':
      return !isAnswered && outcome.error.reason === told['reason'];
    default:
      return true;
  }
}

/** The values of an alteration are in the log. */
function checkExample(
  { members, exchange, shown }: JsonObject,
  exchanges: readonly Exchange[],
): readonly Rule[] {
  if (members === undefined || shown === undefined) return [];
  const outcome = exchanges[numberOf(exchange)]?.outcome;
  const body = outcome?.kind === 'answered' ? readJson(outcome.response.body) : undefined;
  const items = body !== undefined && isJsonArray(body) ? listIn(body) : [objectOf(body)];
  const begin = textOf(shown).replace(/…$/, '');
  const isThere = items.some((item) =>
    listOf(members).some((name) => {
      const value = item[name];
      return value !== undefined && renderJson(value).startsWith(begin);
    }),
  );
  return [[isThere, `${begin} did not come back in exchange ${numberOf(exchange)}`]];
}
