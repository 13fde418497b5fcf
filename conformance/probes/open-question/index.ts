import {
  type JsonObject,
  openMember,
  renderJson,
  requirementId,
  type OpenQuestion,
  type OpenQuestionKind,
} from '../../../contract/index.ts';
import type { Intent } from '../../transport/exchange.ts';
import type { PlanContext, Probe } from '../probe.ts';
import { listInvalidParameterTrials, listInvalidPathTrials } from './invalid-parameter.ts';
import { listMalformedBodyTrials } from './malformed-body.ts';
import { listAcceptTrials, listMediaTypeTrials } from './media.ts';
import { listOrderTrials } from './order-of-checks.ts';
import { validBody } from '../lawful-request.ts';
import { forCreates, type Trial, type TrialList } from './trial.ts';
import {
  listUndescribedOperationTrials,
  listUndescribedTrials,
  listVersionTrials,
} from './undescribed.ts';
import { listReadOnlyPropertyTrials, listUnknownPropertyTrials } from './unknown-properties.ts';

/** What is sent for each kind; the others show, if at all, in what is sent anyway. */
const trialsByKind: Readonly<Partial<Record<OpenQuestionKind | 'unknown', TrialList>>> = {
  'invalid-parameter': listInvalidParameterTrials,
  'invalid-path-parameter': listInvalidPathTrials,
  'malformed-body': listMalformedBodyTrials,
  'order-of-checks': listOrderTrials,
  accept: listAcceptTrials,
  'request-media-type': listMediaTypeTrials,
  'undescribed-operations': listUndescribedOperationTrials,
  'undescribed-requests': listUndescribedTrials,
  versioning: listVersionTrials,
  'read-only-property': listReadOnlyPropertyTrials,
  reference: forCreates((create, resource, question) =>
    ['1e3', '10.0', '-10.0', '0.0'].map((digits) => ({
      way: `an integer written as ${digits}`,
      operation: create,
      rank: 3,
      request: (run) => ({
        body: writeInteger(validBody(create, resource, run), openMember(question), digits),
      }),
    })),
  ),
  'string-limits': forCreates((create, resource, question) => [
    {
      way: 'an empty text',
      operation: create,
      rank: 2,
      request: (run) => ({
        body: renderJson({
          ...validBody(create, resource, run),
          [openMember(question)]: '',
        }),
      }),
    },
  ]),
  'unknown-properties': listUnknownPropertyTrials,
};

/** A body as text, one of its integers written otherwise. */
function writeInteger(body: JsonObject, name: string, digits: string): string {
  const { [name]: _value, ...rest } = body;
  return `${renderJson(rest).slice(0, -1)},${renderJson(name)}:${digits}}`;
}

/** Requests where the document is silent: recorded, and a failure only where the service falls. */
export function listOpenQuestionProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.openQuestions.flatMap((question) =>
    (trialsByKind[question.kind]?.(question, contract) ?? []).map((trial) =>
      openQuestionProbe(question, trial),
    ),
  );
}

function openQuestionProbe(
  question: OpenQuestion,
  { way, operation, rank, proves = [], writes, request, milder }: Trial,
): Probe {
  const intent: Intent = { kind: 'open', question: question.id, way };
  return {
    id: `${operation.id}/open: ${question.id}, ${way}`,
    phase: 'open',
    rank,
    requests: 1,
    writes: writes ?? operation.method !== 'GET',
    proves: [requirementId.open(question.id), ...proves],
    run: async (run) => {
      const { outcome } = await run.session.send({ ...request(run), operation, intent });
      const isRefused = outcome.kind === 'answered' && outcome.response.status >= 400;
      if (isRefused && milder) await run.session.send({ ...milder(run), operation, intent });
    },
  };
}
