import { requirementId, type Operation } from '../../contract/index.ts';
import { statusOf, type CredentialUse, type Exchange } from '../transport/exchange.ts';
import { lawfulRequest } from './lawful-request.ts';
import { describeUse } from '../transport/credential.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';

/** No key and a wrong one for each operation; the other near misses and another scheme once. */
export function listAuthProbes({ contract, nearMisses: uses }: PlanContext): readonly Probe[] {
  const secured = contract.operations.filter(
    ({ id }) => contract.requirementOf(requirementId.auth(id, 'missing')) !== undefined,
  );
  const [first] = secured;
  if (first === undefined || uses === undefined) return [];
  const missing = secured.map((operation) =>
    authProbe(operation, 'missing', requirementId.auth(operation.id, 'missing')),
  );
  const wrong = secured.map((operation, index) =>
    wrongKeyProbe(operation, uses[index % uses.length] ?? 'longer'),
  );
  const schemes = (
    ['other-scheme', 'no-scheme', 'token-scheme', 'no-token', 'word-before', 'no-space'] as const
  ).map((use, index) => ({
    ...authProbe(first, use, requirementId.auth('*', 'scheme')),
    rank: index === 0 ? 1 : 2,
  }));
  const word = authProbe(first, 'further-word', requirementId.auth('*', 'exact'));
  const forms = first.credential.kind === 'bearer' ? [...schemes, { ...word, rank: 2 }] : [];
  const rest = uses.slice(secured.length).map((use) => wrongKeyProbe(first, use));
  return [...missing, ...wrong, ...forms, ...rest];
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

/** Taken, a made-up key tells whether the operation takes any key or compares loosely. */
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

function sendWith(
  use: CredentialUse,
  operation: Operation,
  run: Run,
  required: { readonly requirement: string; readonly also?: string },
): Promise<Exchange> {
  const intent = { kind: 'invalid', ...required, way: describeUse(use).way, status: 401 } as const;
  return run.session.send({ ...lawfulRequest(operation, run), intent, credential: use });
}
