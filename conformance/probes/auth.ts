import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { requirementsOf } from '../family/requirements.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { itemResourceOf } from '../judge/trace/trace.ts';
import { describeUse } from '../transport/credential.ts';
import { statusOf, type CredentialUse, type Exchange, type Intent } from '../transport/exchange.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { absentId, lastParameter, seenIds, validRequest } from './requests.ts';

/** A request that must be refused because of its key, and is otherwise valid. */
interface WrongKey extends Pick<
  Extract<Intent, { kind: 'invalid' }>,
  'requirement' | 'also' | 'unless'
> {
  readonly operation: Operation;
  readonly use: CredentialUse;
  readonly rank?: number;
  /**
   * If the request is accepted, another one with this key shows whether keys are checked at all.
   */
  readonly again?: CredentialUse;
  /** It asks for a missing item, where no change could be seen. */
  readonly isAbsent?: boolean;
}

/** For each operation no key and a wrong one; the other near misses and another scheme once. */
export function listAuthProbes({ contract, nearMisses }: PlanContext): readonly Probe[] {
  return nearMisses === undefined
    ? []
    : [...listWrongKeys(contract, nearMisses)].map((wrong) => authProbe(wrong));
}

function* listWrongKeys(
  contract: Contract,
  nearMisses: readonly CredentialUse[],
): Generator<WrongKey> {
  const secured = contract.operations.filter(({ id }) =>
    requirementsOf(contract).has(requirementId.auth(id, 'missing')),
  );
  const [first] = secured;
  if (first === undefined) return;
  for (const operation of secured) {
    const requirement = requirementId.auth(operation.id, 'missing');
    const plain: WrongKey = { operation, use: 'missing', requirement };
    const absent = isKeyFirst(contract, operation)
      ? (['missing', 'invalid'] as const).map((use): WrongKey => {
          const own = requirementId.auth(operation.id, use);
          return { operation, use, requirement: own, unless: [own], again: use, isAbsent: true };
        })
      : [];
    // Only an existing item shows that a refused request changed nothing.
    const inTurn = writes(operation) ? [plain, ...absent] : [...absent, plain];
    yield* inTurn.map((each, at) => ({ ...each, rank: at === 0 ? 1 : 2 }));
  }
  for (const [at, operation] of secured.entries())
    yield near(operation, nearMisses[at % nearMisses.length] ?? 'longer');
  if (first.credential.kind === 'bearer') {
    const scheme = { operation: first, requirement: requirementId.auth('*', 'scheme') };
    for (const use of ['other-scheme', 'no-scheme', 'no-token', 'word-before'] as const)
      yield { ...scheme, use };
    for (const use of ['token-scheme', 'no-space'] as const) yield { ...scheme, use, rank: 2 };
    yield near(first, 'further-word');
  }
  yield {
    operation: first,
    use: 'inherited-name',
    requirement: requirementId.auth(first.id, 'invalid'),
  };
  for (const use of nearMisses.slice(secured.length)) yield near(first, use);
}

/** A made-up key then shows whether the operation accepts any key or only compares loosely. */
function near(operation: Operation, use: CredentialUse): WrongKey {
  const also = requirementId.auth(operation.id, 'invalid');
  return { operation, use, requirement: requirementId.auth('*', 'exact'), also, again: 'invalid' };
}

/** Whether the document says that the key is checked first, even if the item is missing. */
function isKeyFirst(contract: Contract, operation: Operation): boolean {
  const { openQuestions } = contract;
  return (
    itemResourceOf(contract, operation) !== undefined &&
    openQuestions.length > 0 &&
    operation.responses.some(({ status }) => status === '404') &&
    !openQuestions.some(
      ({ kind, at }) => kind === 'order-of-checks' && at.startsWith(operation.pointer),
    )
  );
}

function authProbe(wrong: WrongKey): Probe {
  const { operation, use, rank = 1, requirement, also = requirement, again, isAbsent } = wrong;
  const unwritten = requirementId.state(operation.id, 'not-written.401');
  const isShown = writes(operation) && isAbsent !== true;
  return createProbe(operation, `credential: ${use}${isAbsent ? ', for what nothing has' : ''}`, {
    phase: writes(operation) ? 'credential' : 'key-missing',
    rank,
    proves: [...new Set([also, requirement]), ...(isShown ? [unwritten] : [])],
    run: async (run) => {
      const exchange = await sendWith(wrong, run);
      if (again !== undefined && statusOf(exchange) !== 401)
        await sendWith({ operation, use: again, requirement: also }, run);
    },
  });
}

function sendWith(wrong: WrongKey, run: Run): Promise<Exchange> {
  const { operation, use: credential, requirement, also, unless, isAbsent } = wrong;
  const { target, ...plain } = validRequest(operation, run);
  const way = `${describeUse(credential).way}${isAbsent ? ', and no item has the identifier' : ''}`;
  const required = { requirement, ...(also && { also }), ...(unless && { unless }) };
  const intent = { kind: 'invalid', ...required, way, status: 401 } as const;
  const request = { ...plain, intent, credential };
  const last = lastParameter(operation);
  const items = itemResourceOf(run.contract, operation);
  if (isAbsent && last && items) {
    const id = absentId(last, run, seenIds(items, run), false);
    return run.session.send({ ...request, path: { ...plain.path, [last.name]: id } });
  }
  const next = target === undefined ? {} : { target: nextTarget(operation, target, run) };
  return run.session.send({ ...request, ...next });
}

/**
 * The target of the last served request, then those of earlier ones in turn, because some queries
 * may bypass the key check. Only requests after the last write, which may still be cached.
 */
function nextTarget({ id }: Operation, last: string, { session }: Run): string {
  const { exchanges } = session;
  const own = exchanges.filter(({ request }) => request.operation === id);
  const turn = own.filter(({ intent }) => intent.kind === 'invalid').length;
  const written = exchanges.findLastIndex(({ request }) => writes(request));
  const served = own.filter(
    (each) => each.index > written && each.intent.kind === 'valid' && statusOf(each) === 200,
  );
  const targets = [...new Set([last, ...served.map(({ request }) => request.target).toReversed()])];
  return targets[turn % targets.length] ?? last;
}
