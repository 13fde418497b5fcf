import { requirementId, renderJson, type Operation } from '../../contract/index.ts';
import type { CredentialUse, Exchange, Intent } from '../transport/exchange.ts';
import type { PlanContext, Probe, Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import { plainBody, readRecipe, tagBody } from '../generate/valid-body.ts';
import { renderPlain, resourceOf } from '../judge/trace/trace.ts';

/**
 * Requests without the right key: none and a wrong one for each operation, near misses and another
 * scheme once.
 */
export function listCredentialProbes({
  contract,
  nearMisses: uses,
}: PlanContext): readonly Probe[] {
  const secured = contract.operations.filter((operation) => operation.credential.kind !== 'none');
  const [first] = secured;
  if (!first || uses === undefined) return [];
  const scheme =
    first.credential.kind === 'bearer'
      ? [credentialProbe(first, 'other-scheme', requirementId.auth('*', 'scheme'), 1)]
      : [];
  const missing = secured.map((operation) =>
    credentialProbe(operation, 'missing', requirementId.auth(operation.id, 'missing'), 1),
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

function credentialProbe(
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

/**
 * A key that is nearly right is an invalid key too: refused, it proves both. Taken, a made-up key
 * tells whether the operation takes any key or compares loosely.
 */
function wrongKeyProbe(operation: Operation, use: CredentialUse): Probe {
  const exact = requirementId.auth('*', 'exact');
  const invalid = requirementId.auth(operation.id, 'invalid');
  const plain = credentialProbe(operation, use, exact, 1);
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

/**
 * A request that would keep the contract with the right key: of those that only read, the one that
 * was served last, which caches know.
 */
export function lawfulRequest(operation: Operation, run: Run): Omit<Request, 'intent'> {
  const served =
    operation.method === 'GET'
      ? run.session.exchanges.findLast((exchange) => isServed(exchange, operation))
      : undefined;
  if (served) return { operation, target: served.request.target };
  const resource = resourceOf(run.contract, operation);
  const recipe = readRecipe(run.contract, operation);
  const references = resource ? run.knowledge.references(resource) : new Map<string, never>();
  const body = recipe
    ? {
        body: renderJson(tagBody(recipe, plainBody(recipe, run.random), run.nextTag(), references)),
      }
    : {};
  return { operation, path: pathValues(operation, run), ...body };
}

function isServed({ request, intent, outcome }: Exchange, operation: Operation): boolean {
  return (
    request.operation === operation.id &&
    intent.kind === 'valid' &&
    outcome.kind === 'answered' &&
    outcome.response.status === 200
  );
}

/** Values for the path's parameters: an item that exists if one is known, else an example or 1. */
function pathValues(operation: Operation, run: Run): Readonly<Record<string, string>> {
  const resource = run.contract.resources.find((each) => each.itemPath === operation.path);
  const known = resource
    ? [...run.knowledge.added(resource).keys(), ...run.knowledge.listed(resource).keys()][0]
    : undefined;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    parameters.map(({ name, examples }) => [
      name,
      (name === resource?.idParameter?.name ? known : undefined) ?? renderPlain(examples[0] ?? 1),
    ]),
  );
}
