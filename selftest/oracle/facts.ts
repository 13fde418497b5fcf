import { type Exchange, readJson, type Report, type RunReport } from '../../conformance/index.ts';
import {
  isJsonArray,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  parseJudged,
  renderJson,
  wordOf,
} from '../../contract/json/value.ts';

/**
 * Statements of a report that its log does not confirm, each in a sentence: the numbers of the run, the
 * reasons of untested requirements, and the causes. Reads facts only, no English.
 * @param document the report as `report.json` has it
 */
export function findFalseFacts(report: RunReport, document: JsonValue): readonly string[] {
  const whole = objectOf(document);
  return [
    ...checkRun(whole, report),
    ...listIn(whole['verdicts']).flatMap((verdict) => checkReason(verdict, whole, report)),
    ...findFalseCauses(report, document),
  ];
}

/** The same for the counts of verdicts and the causes alone, which a merged report has too. */
export function findFalseCauses(report: Report, document: JsonValue): readonly string[] {
  const whole = objectOf(document);
  return [
    ...list('counts', countRules(whole)),
    ...listIn(whole['causes']).flatMap((cause) => checkCause(cause, report)),
    ...checkExplained(whole),
  ];
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
}

function listIn(value: JsonValue | undefined): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}

/** What must be true, and what is reported if it is not. */
type Rule = readonly [isTrue: boolean, said: string];

function list(place: string, rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(([isTrue, said]) => (isTrue ? [] : [`${place}: ${said}`]));
}

function checkRun(whole: JsonObject, { exchanges }: RunReport): readonly string[] {
  const { requests, planned, tested, budget } = objectOf(whole['run']);
  const [sent, most] = [numberOf(requests), numberOf(budget)];
  const lost = exchanges.filter(({ outcome }) => outcome.kind !== 'answered').length;
  return list('run', [
    [sent === exchanges.length, `requests ${sent}, the log has ${exchanges.length}`],
    [numberOf(tested) <= numberOf(planned), `tested more than the ${numberOf(planned)} planned`],
    [numberOf(tested) <= sent, `tested ${numberOf(tested)}, sent ${sent}`],
    [sent <= most + lost, `sent ${sent} of at most ${most}`],
  ]);
}

function countRules(whole: JsonObject): readonly Rule[] {
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
  const kind = wordOf(because['kind']);
  return list(wordOf(verdict['id']), [
    [rules[kind]?.() === true, `not tested because of ${kind}, which the run does not confirm`],
  ]);
}

/** Each failure is in one cause. */
function checkExplained(whole: JsonObject): readonly string[] {
  const said = listIn(whole['causes'])
    .flatMap((cause) => listIn(cause['findings']))
    .flatMap(({ requirement, exchanges }) =>
      listOf(exchanges).map((index) => `${wordOf(requirement)} ${wordOf(index)}`),
    );
  const found = listIn(whole['verdicts'])
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap(({ id, failures }) =>
      listIn(failures).map(({ exchange }) => `${wordOf(id)} ${numberOf(exchange)}`),
    );
  const isSame = said.toSorted().join('\n') === found.toSorted().join('\n');
  return list('causes', [
    [isSame, `${said.length} failures are explained, there are ${found.length}`],
  ]);
}

/** The counts of a cause: each of its exchanges shows its outcome, and the numbers add up to the log. */
function checkCause(cause: JsonObject, { exchanges }: Report): readonly string[] {
  const fact = objectOf(cause['fact']);
  const [of, others, elsewhere] = ['of', 'others', 'elsewhere'].map((name) => numberOf(fact[name]));
  if (of === undefined || others === undefined || elsewhere === undefined) return [];
  const operations = new Set(listOf(fact['operations']).map(wordOf));
  const scope = exchanges.filter(
    ({ request }) => operations.size === 0 || operations.has(request.operation),
  );
  const said = listOf(cause['exchanges']).map(numberOf);
  const isNarrowed = fact['among'] !== undefined;
  const outcome = objectOf(fact['outcome']);
  return list(`cause ${wordOf(cause['kind'])} (${wordOf(cause['sentence'])})`, [
    [said.length > 0, 'it counts no exchange'],
    [said.length <= of, `it counts ${said.length} of ${of}`],
    [elsewhere <= others, `${elsewhere} elsewhere of ${others} others`],
    [
      isNarrowed ? of + others <= scope.length : of + others === scope.length,
      `${of} and ${others} others, the log has ${scope.length}`,
    ],
    [fact['condition'] !== undefined || others === 0, `${others} others without a condition`],
    ...said.map((index): Rule => {
      const exchange = scope.find((each) => each.index === index);
      const isShown = exchange !== undefined && showsOutcome(outcome, exchange);
      return [isShown, `exchange ${index} does not show it`];
    }),
    ...(isNarrowed ? [] : countElsewhere(outcome, scope, said.length + elsewhere)),
    ...checkExample(objectOf(fact['alteration']), exchanges),
  ]);
}

/** Whether as many exchanges have an outcome as stated, with and without the condition. */
function countElsewhere(
  outcome: JsonObject,
  scope: readonly Exchange[],
  said: number,
): readonly Rule[] {
  if (outcome['kind'] !== 'status') return [];
  const found = scope.filter((each) => showsOutcome(outcome, each)).length;
  return [[said === found, `${said} with the status, the log has ${found}`]];
}

/** Whether an exchange has the stated status, or lacks the response; true for other outcomes. */
function showsOutcome(said: JsonObject, { outcome }: Exchange): boolean {
  const isAnswered = outcome.kind === 'answered';
  switch (wordOf(said['kind'])) {
    case 'status':
      return isAnswered && outcome.response.status === numberOf(said['status']);
    case 'served':
      return isAnswered && outcome.response.status < 300;
    case 'no-response':
      return !isAnswered && outcome.error.reason === said['reason'];
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
  const body =
    outcome?.kind === 'answered' ? readJson(outcome.response.body, parseJudged) : undefined;
  const items = isJsonArray(body) ? listIn(body) : [objectOf(body)];
  const begin = wordOf(shown).replace(/…$/, '');
  const isThere = items.some((item) =>
    listOf(members).some((name) => {
      const value = item[wordOf(name)];
      return value !== undefined && renderJson(value).startsWith(begin);
    }),
  );
  return [[isThere, `${begin} did not come back in exchange ${numberOf(exchange)}`]];
}
