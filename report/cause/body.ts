import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { cutValue, listWords } from './describe.ts';
import { mediaTypeOf, type Log, type Reading } from './reading.ts';
import { failing, formFault, outcomeOf, readingsOf, type Claim, type Symptom } from './symptom.ts';

/** Faults of bodies: one is a cause wherever it is, those of the same responses are one together. */
export function explainBodies(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const faults = [...Map.groupBy(symptoms, (each) => natureOf(each, log))].flatMap(
    ([nature, own]) => (nature === undefined ? [] : [{ nature, own }]),
  );
  const groups = Map.groupBy(faults, ({ own }) =>
    readingsOf(own)
      .map(({ exchange }) => exchange.index)
      .join(' '),
  );
  return [...groups.values()].map((group) => {
    const own = group.flatMap((each) => each.own);
    return {
      kind: 'body',
      outcome: failing(own),
      among: [{ kind: 'answered', with: answeredBy(own) }],
      expected: describe(
        group.map(({ nature }) => nature),
        own,
      ),
      symptoms: own,
    };
  });
}

/**
 * Claims on statuses, each with the faults of bodies that come with them: those of its own responses and
 * of no others, or of responses only that had to be the refusals of which it says that they were served.
 */
export function withBodies(
  claims: readonly Claim[],
  symptoms: readonly Symptom[],
): readonly Claim[] {
  let faults = [...Map.groupBy(symptoms, formFault)].flatMap(([fault, own]) =>
    fault === undefined ? [] : [own],
  );
  return claims.map((claim) => {
    const readings = new Set(readingsOf(claim.symptoms));
    const operations = new Set([...readings].map(({ operation }) => operation));
    const due = new Set([...readings].map(({ expected }) => expected));
    const isEffect = (reading: Reading): boolean =>
      readings.has(reading) ||
      (claim.outcome.kind === 'served' &&
        outcomeOf(reading).kind === 'served' &&
        operations.has(reading.operation) &&
        due.has(reading.expected));
    const own = faults.filter((fault) => fault.every(({ reading }) => isEffect(reading)));
    faults = faults.filter((fault) => !own.includes(fault));
    return {
      ...claim,
      operations: claim.operations ?? [
        ...new Set(claim.symptoms.map(({ reading }) => reading.exchange.request.operation)),
      ],
      symptoms: [...claim.symptoms, ...own.flat()],
      leads: claim.leads ?? ((symptom) => claim.symptoms.includes(symptom)),
    };
  });
}

/** The kind of responses that all of them are. */
function answeredBy(symptoms: readonly Symptom[]): string {
  const statuses = symptoms.map(({ reading }) => reading.response?.status ?? 0);
  if (statuses.every((status) => status < 300)) return 'successes';
  return statuses.every((status) => status >= 400) ? 'errors' : 'any';
}

const numberless = 'numbers are written as strings';

/** What is wrong with a body: in words where that is the same for every operation. */
function natureOf(symptom: Symptom, log: Log): string | undefined {
  const fault = formFault(symptom);
  if (fault === undefined || symptom.requirement.subject.kind === 'header') return fault;
  const { reading } = symptom;
  const { response, body } = reading;
  if (response === undefined) return fault;
  const mediaType = mediaTypeOf(response);
  if (!/\bjson$/.test(mediaType) && response.body !== '')
    return `the content type "${mediaType}" is wrong`;
  if (!response.utf8) return 'the body is not UTF-8';
  if (body === undefined) return fault;
  const wrapper = wrapperOf(reading, log);
  if (wrapper !== undefined) return `everything is inside \`${wrapper}\``;
  return isNumberless(body) ? numberless : fault;
}

/** Whether a body has no number but a string that looks like one. */
function isNumberless(body: JsonValue): boolean {
  const leaves = [...leavesOf(body)];
  return (
    leaves.some((leaf) => typeof leaf === 'string' && /^-?\d+(\.\d+)?$/.test(leaf)) &&
    leaves.every((leaf) => typeof leaf !== 'number' && typeof leaf !== 'bigint')
  );
}

function* leavesOf(value: JsonValue): Generator<JsonValue> {
  if (isJsonArray(value)) for (const each of value) yield* leavesOf(each);
  else if (isJsonObject(value)) {
    for (const each of Object.values(value)) if (each !== undefined) yield* leavesOf(each);
  } else yield value;
}

/** The member that is by itself what the body has to be. */
function wrapperOf({ operation, response, body }: Reading, log: Log): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const documented = operation?.responses.find(({ status }) => status === String(response?.status));
  const schema =
    documented?.content.find((each) => each.schema)?.schema ?? log.contract.error?.schema;
  if (schema === undefined || schema.validate(body).length === 0) return undefined;
  for (const [name, value] of Object.entries(body))
    if ((isJsonObject(value) || isJsonArray(value)) && schema.validate(value).length === 0)
      return name;
  return undefined;
}

function describe(natures: readonly string[], symptoms: readonly Symptom[]): string {
  const missing = natures.flatMap((nature) => /^(\S+) required$/.exec(nature)?.[1] ?? []);
  if (missing.length === natures.length)
    return `${listWords(missing.map((name) => `\`${name}\``))} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const [first] = symptoms;
  const [nature = ''] = natures;
  if (first === undefined || nature.startsWith('everything is inside') || nature === numberless)
    return nature;
  const { expected, received } = first.failure;
  return /^(\/|the body )/.test(expected)
    ? expected
    : `expected ${expected}, received ${cutValue(received)}`;
}
