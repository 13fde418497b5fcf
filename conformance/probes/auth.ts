import { requirementId, type Operation } from '../../contract/index.ts';
import type { CredentialUse, Intent } from '../transport/exchange.ts';
import { lawfulRequest } from './lawful-request.ts';
import type { PlanContext, Probe } from './probe.ts';

/** No key and a wrong one for each operation; the other near misses and another scheme once. */
export function listAuthProbes({ contract, nearMisses: uses }: PlanContext): readonly Probe[] {
  const secured = contract.operations.filter((operation) => operation.credential.kind !== 'none');
  const [first] = secured;
  if (first === undefined || uses === undefined) return [];
  const scheme =
    first.credential.kind === 'bearer'
      ? [authProbe(first, 'other-scheme', requirementId.auth('*', 'scheme'), 1)]
      : [];
  const missing = secured.map((operation) =>
    authProbe(operation, 'missing', requirementId.auth(operation.id, 'missing'), 1),
  );
  const wrong = secured.map((operation, index) =>
    wrongKeyProbe(operation, uses[index % uses.length] ?? 'longer'),
  );
  const rest = uses.slice(secured.length).map((use) => wrongKeyProbe(first, use));
  return [...missing, ...wrong, ...scheme, ...rest];
}

const ways: Readonly<Record<CredentialUse, string>> = {
  valid: 'the key is right',
  missing: 'there is no key',
  invalid: 'the key is made up',
  'other-scheme': 'the key is sent as Basic',
  cut: 'the last character of the key is missing',
  longer: 'the key has one character more',
  'other-case': 'the letters of the key have another case',
};

function authProbe(
  operation: Operation,
  use: CredentialUse,
  requirement: string,
  rank: number,
): Probe {
  const writes = operation.requestBody !== undefined;
  return {
    id: `${operation.id}/credential: ${use}`,
    phase: writes ? 'credential' : 'guest',
    rank,
    requests: 1,
    writes,
    proves: writes
      ? [requirement, requirementId.state(operation.id, 'not-written.401')]
      : [requirement],
    run: async (run) => {
      const intent = { kind: 'invalid', requirement, way: ways[use], status: 401 } as const;
      await run.session.send({ ...lawfulRequest(operation, run), intent, credential: use });
    },
  };
}

/** Taken, a made-up key tells whether the operation takes any key or compares loosely. */
function wrongKeyProbe(operation: Operation, use: CredentialUse): Probe {
  const exact = requirementId.auth('*', 'exact');
  const invalid = requirementId.auth(operation.id, 'invalid');
  const plain = authProbe(operation, use, exact, 1);
  return {
    ...plain,
    proves: [invalid, ...plain.proves],
    run: async (run) => {
      const near = await run.session.send({
        ...lawfulRequest(operation, run),
        intent: nearMiss(exact, invalid, use),
        credential: use,
      });
      if (near.outcome.kind !== 'answered' || near.outcome.response.status >= 300) return;
      await run.session.send({
        ...lawfulRequest(operation, run),
        intent: { kind: 'invalid', requirement: invalid, way: ways.invalid, status: 401 },
        credential: 'invalid',
      });
    },
  };
}

function nearMiss(exact: string, invalid: string, use: CredentialUse): Intent {
  return { kind: 'invalid', requirement: exact, also: invalid, way: ways[use], status: 401 };
}
