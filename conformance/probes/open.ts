import {
  requirementId,
  renderJson,
  type Contract,
  type JsonObject,
  type OpenQuestion,
  type Operation,
  type Parameter,
  type Resource,
} from '../../contract/index.ts';
import type { Intent } from '../transport/exchange.ts';
import type { PlanContext, Probe, Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import { plainBody, readRecipe, tagBody } from '../generate/valid-body.ts';

/**
 * Requests where the document is silent: what the target does is recorded, and only a fall of the
 * service is a fault.
 */
export function listOpenProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.openQuestions.flatMap((question) => {
    const trials = trialsByKind[question.kind]?.(question, contract) ?? [];
    return trials.map((trial) => openProbe(question, trial));
  });
}

/** One way to ask an open question. */
interface Trial {
  readonly way: string;
  readonly operation: Operation;
  readonly rank: number;
  readonly proves?: readonly string[];
  readonly request: (run: Run) => Omit<Request, 'intent' | 'operation'>;
  /** Asks for less where that is refused. */
  readonly milder?: (run: Run) => Omit<Request, 'intent' | 'operation'>;
}

function openProbe(
  question: OpenQuestion,
  { way, operation, rank, proves, request, milder }: Trial,
): Probe {
  const intent: Intent = { kind: 'open', question: question.id, way };
  return {
    id: `${operation.id}/open: ${question.id}, ${way}`,
    phase: 'open',
    rank,
    requests: 1,
    writes: operation.method !== 'GET',
    proves: [requirementId.open(question.id), ...(proves ?? [])],
    run: async (run) => {
      const { outcome } = await run.session.send({ ...request(run), operation, intent });
      const isRefused = outcome.kind === 'answered' && outcome.response.status >= 400;
      if (isRefused && milder) await run.session.send({ ...milder(run), operation, intent });
    },
  };
}

const trialsByKind: Readonly<
  Record<string, (question: OpenQuestion, contract: Contract) => readonly Trial[]>
> = {
  'invalid-parameter': (question, contract) => invalidParameterTrials(question, contract),
  'invalid-path-parameter': (question, contract) => invalidPathTrials(question, contract),
  'read-only-property': (_question, contract) =>
    creates(contract).map(({ resource, create }) => clientIdTrial(resource, create)),
  'unknown-properties': (_question, contract) =>
    creates(contract).map(({ resource, create }) => unknownPropertyTrial(resource, create)),
  'malformed-body': (_question, contract) =>
    creates(contract).map(({ create }) => malformedTrial(create)),
  'order-of-checks': (_question, contract) =>
    creates(contract).map(({ create }) => orderTrial(create)),
  'string-limits': (question, contract) =>
    creates(contract).map(({ resource, create }) => emptyTextTrial(question, resource, create)),
};

function creates(contract: Contract): readonly { resource: Resource; create: Operation }[] {
  return contract.resources.flatMap((resource) =>
    resource.create ? [{ resource, create: resource.create }] : [],
  );
}

function parameterAt(
  question: OpenQuestion,
  contract: Contract,
): { operation: Operation; parameter: Parameter } | undefined {
  for (const operation of contract.operations) {
    const parameter = operation.parameters.find((each) => each.pointer === question.at);
    if (parameter) return { operation, parameter };
  }
  return undefined;
}

function invalidParameterTrials(question: OpenQuestion, contract: Contract): readonly Trial[] {
  const found = parameterAt(question, contract);
  if (!found) return [];
  const { operation, parameter } = found;
  const { minimum, maximum, values } = parameter.schema.shape();
  const trial = (value: string, rank: number): Trial => ({
    way: `${parameter.name}=${value}`,
    operation,
    rank,
    request: () => ({ query: { [parameter.name]: value } }),
  });
  if (values) return [trial('unknown', 1)];
  const outside = [
    ...(maximum ? [String(Number(maximum.value) + 1)] : []),
    ...(minimum ? [String(Number(minimum.value) - 1)] : []),
  ];
  return [...outside.map((value, index) => trial(value, index + 1)), trial('many', 1)];
}

function invalidPathTrials(question: OpenQuestion, contract: Contract): readonly Trial[] {
  const found = parameterAt(question, contract);
  if (!found) return [];
  const { operation, parameter } = found;
  const trial = (value: string, way: string, rank: number): Trial => ({
    way,
    operation,
    rank,
    request: () => ({ path: { [parameter.name]: value } }),
  });
  const integer =
    parameter.schema.shape().format === 'int64'
      ? [trial(String(2n ** 63n), 'an integer beyond 64 bits', 3)]
      : [];
  return [trial('abc', 'letters', 1), ...integer];
}

/** A lawful body for a create operation, tagged. */
function validBody(
  resource: Resource,
  create: Operation,
  run: Run,
): Readonly<Record<string, never>> | ReturnType<typeof tagBody> {
  const recipe = readRecipe(run.contract, create);
  return recipe
    ? tagBody(
        recipe,
        plainBody(recipe, run.random),
        run.nextTag(),
        run.knowledge.references(resource),
      )
    : {};
}

/** A property that no contract has. */
const unknownProperty = 'notInTheContract';

/** An identifier that a client might wish for; far from what counters give out. */
const wishedId = 4_294_967_311;

/**
 * An identifier and an unknown property in one request; where it is refused, the identifier alone.
 */
function clientIdTrial(resource: Resource, create: Operation): Trial {
  const body = (run: Run): JsonObject => {
    const isText = resource.item
      .shape()
      .properties.get(resource.idProperty)
      ?.shape()
      .types.includes('string');
    return {
      ...validBody(resource, create, run),
      [resource.idProperty]: isText ? run.nextTag() : wishedId + run.session.exchanges.length,
    };
  };
  return {
    way: `a client-sent ${resource.idProperty}`,
    operation: create,
    rank: 1,
    proves: [requirementId.state(create.id, 'id-assigned')],
    request: (run) => ({ body: renderJson({ ...body(run), [unknownProperty]: 'x' }) }),
    milder: (run) => ({ body: renderJson(body(run)) }),
  };
}

function unknownPropertyTrial(resource: Resource, create: Operation): Trial {
  return {
    way: 'an unknown property',
    operation: create,
    rank: 2,
    request: (run) => ({
      body: renderJson({ ...validBody(resource, create, run), [unknownProperty]: 'x' }),
    }),
  };
}

function malformedTrial(create: Operation): Trial {
  return {
    way: 'a body that is no JSON',
    operation: create,
    rank: 1,
    request: () => ({ body: '{"name": "cut off' }),
  };
}

function orderTrial(create: Operation): Trial {
  return {
    way: 'no key and a body that breaks the contract',
    operation: create,
    rank: 3,
    request: () => ({ body: '{}', credential: 'missing' }),
  };
}

function emptyTextTrial(question: OpenQuestion, resource: Resource, create: Operation): Trial {
  const name = question.at.split('/').at(-1) ?? '';
  return {
    way: 'an empty text',
    operation: create,
    rank: 2,
    request: (run) => ({ body: renderJson({ ...validBody(resource, create, run), [name]: '' }) }),
  };
}
