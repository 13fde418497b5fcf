import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { cutValue, listWords } from './describe.ts';
import {
  failing,
  groupByReadings,
  mediaTypeOf,
  type Claim,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';

/** Faults of bodies: one is a cause wherever it is, those of the same responses are one together. */
export function explainBodies(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const faults = [...Map.groupBy(symptoms, (each) => natureOf(each, log))].flatMap(
    ([nature, own]) => (nature === undefined ? [] : [{ nature, own }]),
  );
  return groupByReadings(faults, ({ own }) => own).map((group) => {
    const own = group.flatMap((each) => each.own);
    const natures = group.map(({ nature }) => nature);
    return {
      kind: 'body',
      outcome: failing(own),
      among: [{ kind: 'answered', with: answeredBy(own) }],
      expected: describe(natures, own),
      symptoms: own,
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

/** What is wrong with the form of a response, whatever the operation; undefined for other symptoms. */
export function formFault({
  requirement: { subject },
  failure,
  reading,
}: Symptom): string | undefined {
  if (subject.kind === 'header') return `header ${subject.name}`;
  if (subject.kind !== 'body') return undefined;
  switch (subject.part) {
    case 'content-type':
      return `content type ${failure.received}`;
    case 'whole':
      return beginningOf(reading);
    case 'error':
      return subject.facet;
    case 'member': {
      const path = subject.path.filter((step) => step !== '[]');
      return subject.path.length === 0
        ? beginningOf(reading)
        : `${path.join('.')} ${subject.facet}`;
    }
  }
}

/** How a body begins that is wrong as a whole: alike where the same is done to it. */
function beginningOf({ response, body }: Reading): string {
  const [first = 'nothing'] = response?.body.trimStart() ?? '';
  const kind = /[\p{L}\d-]/u.test(first) ? 'word' : first;
  return `body ${kind} ${body === undefined ? 'text' : body === null ? 'null' : typeof body}`;
}
