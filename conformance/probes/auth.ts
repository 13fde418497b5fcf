import { requirementsOf } from '../family/requirements.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { itemResourceOf } from '../judge/trace/trace.ts';
import { statusOf, type CredentialUse, type Exchange, type Intent } from '../transport/exchange.ts';
import { describeUse } from '../transport/credential.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { absentId, seenIds, validRequest } from './requests.ts';

/** No key and a wrong one for each operation; the other near misses and another scheme once. */
export function listAuthProbes({ contract, nearMisses: uses }: PlanContext): readonly Probe[] {
  const secured = contract.operations.filter(
    ({ id }) => requirementsOf(contract).get(requirementId.auth(id, 'missing')) !== undefined,
  );
  const [first] = secured;
  if (first === undefined || uses === undefined) return [];
  const missing = secured.flatMap((operation) => missingKeyProbes(operation, contract));
  const wrong = secured.map((operation, index) =>
    wrongKeyProbe(operation, uses[index % uses.length] ?? 'longer'),
  );
  const schemes = (
    ['other-scheme', 'no-scheme', 'no-token', 'word-before', 'token-scheme', 'no-space'] as const
  ).map((use, index) => ({
    ...authProbe(first, use, requirementId.auth('*', 'scheme')),
    rank: index < 4 ? 1 : 2,
  }));
  const word = wrongKeyProbe(first, 'further-word');
  const forms = first.credential.kind === 'bearer' ? [...schemes, word] : [];
  const inherited = authProbe(first, 'inherited-name', requirementId.auth(first.id, 'invalid'));
  const rest = uses.slice(secured.length).map((use) => wrongKeyProbe(first, use));
  return [...missing, ...wrong, ...forms, inherited, ...rest];
}

function authProbe(operation: Operation, use: CredentialUse, requirement: string): Probe {
  const isWrite = writes(operation);
  const unwritten = isWrite ? [requirementId.state(operation.id, 'not-written.401')] : [];
  return createProbe({
    id: `${operation.id}/credential: ${use}`,
    phase: isWrite ? 'credential' : 'key-missing',
    writes: isWrite,
    proves: [requirement, ...unwritten],
    run: (run) => sendWith(use, operation, run, { requirement }),
  });
}

/**
 * No key, to something that is there. Where the document puts the key before everything else, no key
 * and a made-up one to what nothing has as well: 401 is the answer to both. For reads that comes first.
 */
function missingKeyProbes(operation: Operation, contract: Contract): readonly Probe[] {
  const missing = authProbe(operation, 'missing', requirementId.auth(operation.id, 'missing'));
  const resource = itemResourceOf(contract, operation);
  const isOrdered =
    resource !== undefined &&
    contract.openQuestions.length > 0 &&
    operation.responses.some(({ status }) => status === '404') &&
    !contract.openQuestions.some(
      ({ kind, at }) => kind === 'order-of-checks' && at.startsWith(operation.pointer),
    );
  if (!isOrdered) return [missing];
  const absent = (['missing', 'invalid'] as const).map((use) => {
    const requirement = requirementId.auth(operation.id, use);
    const plain = authProbe(operation, use, requirement);
    return {
      ...plain,
      // There is nothing that could show a change.
      proves: [requirement],
      id: `${plain.id}, for what nothing has`,
      run: async (run: Run) => {
        const required = { requirement, unless: [requirement] };
        const exchange = await sendWith(use, operation, run, required, resource);
        // Not refused, a plain request shows whether the key is looked at at all.
        if (statusOf(exchange) !== 401) await sendWith(use, operation, run, { requirement });
      },
    };
  });
  // Only what is there shows that a refused request changed nothing.
  const inTurn = writes(operation) ? [missing, ...absent] : [...absent, missing];
  return inTurn.map((probe, index) => (index === 0 ? probe : { ...probe, rank: 2 }));
}

/** Whether a made-up key is accepted shows if the operation accepts any key or compares loosely. */
function wrongKeyProbe(operation: Operation, use: CredentialUse): Probe {
  const exact = requirementId.auth('*', 'exact');
  const invalid = requirementId.auth(operation.id, 'invalid');
  const plain = authProbe(operation, use, exact);
  return {
    ...plain,
    proves: [invalid, ...plain.proves],
    run: async (run) => {
      const near = await sendWith(use, operation, run, { requirement: exact, also: invalid });
      const isTaken = (statusOf(near) ?? 300) < 300;
      if (isTaken) await sendWith('invalid', operation, run, { requirement: invalid });
    },
  };
}

type InvalidIntent = Extract<Intent, { readonly kind: 'invalid' }>;

/** `absent`: to an item of that resource that nothing is known of. */
function sendWith(
  use: CredentialUse,
  operation: Operation,
  run: Run,
  required: Pick<InvalidIntent, 'requirement' | 'also' | 'unless'>,
  absent?: Resource,
): Promise<Exchange> {
  const { target: last, ...plain } = validRequest(operation, run);
  const request =
    absent === undefined
      ? { ...plain, ...(last === undefined ? {} : { target: nextTarget(operation, last, run) }) }
      : { ...plain, path: { ...plain.path, ...absentPath(absent, run) } };
  const { way: plainWay } = describeUse(use);
  const way = absent === undefined ? plainWay : `${plainWay}, and no item has the identifier`;
  const intent = { kind: 'invalid', ...required, way, status: 401 } as const;
  return run.session.send({ ...request, intent, credential: use });
}

/**
 * The target of the last request that was served, then those before it in turn: a server may ask for
 * no key where a query says something. Only those that a cache still knows, which a write may empty.
 */
function nextTarget({ id }: Operation, last: string, { session }: Run): string {
  const { exchanges } = session;
  const isOf = ({ request }: Exchange): boolean => request.operation === id;
  const turn = exchanges.filter((each) => isOf(each) && each.intent.kind === 'invalid').length;
  const written = exchanges.findLastIndex(({ request }) => writes(request));
  const served = exchanges
    .slice(written + 1)
    .filter((each) => isOf(each) && each.intent.kind === 'valid' && statusOf(each) === 200)
    .map(({ request }) => request.target);
  const targets = [...new Set([last, ...served.toReversed()])];
  return targets[turn % targets.length] ?? last;
}

function absentPath(resource: Resource, run: Run): Readonly<Record<string, string>> {
  const { idParameter } = resource;
  const id = absentId(idParameter, run, seenIds(resource, run), false);
  return idParameter === undefined ? {} : { [idParameter.name]: id };
}
