import { type Exchange, headerOf, type Report, type RunReport } from '../../conformance/index.ts';
import {
  type Contract,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../contract/index.ts';
import { isMet, listOf, numberOf, numbersOf, textOf } from './condition.ts';

/**
 * What a report states and its log does not confirm, each in a sentence: the numbers of the run, the
 * reasons of what was not tested, and the facts of the causes. Reads facts only, and no English.
 *
 * @param document the report as `report.json` has it
 */
export function findFalseFacts(
  contract: Contract,
  report: RunReport,
  document: JsonValue,
): readonly string[] {
  const whole = objectOf(document);
  return [
    ...checkRun(whole, report),
    ...listIn(whole['verdicts']).flatMap((verdict) => checkReason(verdict, whole, report)),
    ...listIn(whole['causes']).flatMap((cause) => checkCause(cause, whole, report, contract)),
    ...checkExplained(whole),
  ];
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
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

/** The requirements that fail in each exchange, as they were found first. */
function failingIn(whole: JsonObject): ReadonlyMap<number, ReadonlySet<string>> {
  const failing = new Map<number, Set<string>>();
  for (const { verdict, id, failures } of listIn(whole['verdicts'])) {
    if (verdict !== 'failed') continue;
    for (const failure of listIn(failures)) {
      const { exchange } = objectOf(failure['shrunkFrom'] ?? failure);
      const known = failing.get(numberOf(exchange)) ?? new Set();
      failing.set(numberOf(exchange), known.add(textOf(id)));
    }
  }
  return failing;
}

/** Counts the exchanges of a cause again. */
export function checkCause(
  cause: JsonObject,
  whole: JsonObject,
  { exchanges }: Report,
  contract: Contract,
): readonly string[] {
  const fact = objectOf(cause['fact']);
  const operations = new Set(listOf(fact['operations']));
  const scope = exchanges.filter(
    (each) =>
      (operations.size === 0 || operations.has(each.request.operation)) &&
      listIn(fact['among']).every((one) => isMet(one, each, contract)),
  );
  const condition = fact['condition'];
  const meant = scope.filter(
    (each) => condition === undefined || isMet(objectOf(condition), each, contract),
  );
  const others = scope.filter((each) => !meant.includes(each));
  const failing = failingIn(whole);
  const isSeen = (each: Exchange): boolean =>
    isOutcome(objectOf(fact['outcome']), each, exchanges, failing, contract);
  const found = meant.filter(isSeen).map(({ index }) => index);
  const elsewhere = others.filter(isSeen).length;
  const told = numbersOf(cause['exchanges']);
  return list(`cause ${textOf(fact['kind'])} (${textOf(cause['sentence'])})`, [
    [told.length > 0, 'it counts no exchange'],
    [told.join() === found.join(), `it counts ${told.join()}, the log has ${found.join()}`],
    [numberOf(fact['of']) === meant.length, `of ${numberOf(fact['of'])}, not ${meant.length}`],
    [
      numberOf(fact['others']) === others.length,
      `${numberOf(fact['others'])} others, not ${others.length}`,
    ],
    [
      numberOf(fact['elsewhere']) === elsewhere,
      `${numberOf(fact['elsewhere'])} elsewhere, not ${elsewhere}`,
    ],
    ...checkExample(objectOf(fact['alteration']), exchanges),
  ]);
}

/** The values of an alteration are in the log. */
function checkExample(
  { members, exchange, shown }: JsonObject,
  exchanges: readonly Exchange[],
): readonly Rule[] {
  if (members === undefined || shown === undefined) return [];
  const outcome = exchanges[numberOf(exchange)]?.outcome;
  const body = outcome?.kind === 'answered' ? parse(outcome.response.body) : undefined;
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

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isOutcome(
  told: JsonObject,
  exchange: Exchange,
  exchanges: readonly Exchange[],
  failing: ReadonlyMap<number, ReadonlySet<string>>,
  contract: Contract,
): boolean {
  const { outcome } = exchange;
  if (told['kind'] === 'no-response')
    return outcome.kind === 'no-response' && outcome.error.reason === told['reason'];
  if (told['kind'] === 'fails')
    return listOf(told['requirements']).some((id) => failing.get(exchange.index)?.has(id));
  if (outcome.kind !== 'answered') return false;
  const { response } = outcome;
  switch (textOf(told['kind'])) {
    case 'status':
      return response.status === numberOf(told['status']);
    case 'served':
      return response.status < 300;
    case 'lacks-headers':
      return listOf(told['names']).every((name) => headerOf(response, name) === undefined);
    case 'same-response': {
      const other = exchanges[numberOf(told['as'])]?.outcome;
      return (
        other?.kind === 'answered' &&
        other.response.status === response.status &&
        other.response.body === response.body
      );
    }
    case 'foreign': {
      const type = headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
      const names = contract.rateLimit?.headers;
      const isOwn =
        names !== undefined &&
        [names.limit, names.remaining, names.reset].some(
          (name) => headerOf(response, name) !== undefined,
        );
      const body = parse(response.body);
      const isError = body !== undefined && contract.error?.schema.validate(body).length === 0;
      return (
        response.status >= 300 &&
        !isOwn &&
        !isError &&
        type === told['mediaType'] &&
        (headerOf(response, 'server') ?? '') === told['server']
      );
    }
    default:
      throw new RangeError(`the oracle does not know the outcome ${textOf(told['kind'])}`);
  }
}
