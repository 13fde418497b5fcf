import { listUnsettled } from '../judge/rate-limit/counting.ts';
import { hasKey, listSteps } from '../judge/rate-limit/step.ts';
import { readTrace } from '../judge/trace/trace.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Session } from '../transport/session.ts';
import { operationOf } from '../transport/target.ts';

/** Most requests that are repeated to settle what Remaining does, of those that are left. */
const most = 24;

/** Most of them that are sent on top of the budget, where nothing is left of it. */
const mostOnTop = 6;

/**
 * Repeats requests around what Remaining did too seldom to be judged, one at a time, until it can be
 * judged.
 */
export async function settleRemaining(session: Session, plan: string | undefined): Promise<void> {
  let onTop = 0;
  for (let sent = 0; sent < most; sent += 1) {
    const unsettled = findUnsettled(session, plan);
    const exchange = session.exchanges[unsettled[sent % unsettled.length] ?? -1];
    if (exchange === undefined) return;
    if (session.left() === 0) {
      onTop += 1;
      if (onTop > mostOnTop) return;
      session.extend(1);
    }
    await repeat(session, exchange);
  }
}

function findUnsettled(session: Session, plan: string | undefined): readonly number[] {
  const { contract, exchanges } = session;
  if (contract.rateLimit === undefined) return [];
  const trace = readTrace(contract, exchanges, plan);
  return listUnsettled(listSteps(trace, contract.rateLimit).filter(hasKey), contract.rateLimit);
}

async function repeat(session: Session, { request }: Exchange): Promise<void> {
  const operation = operationOf(session.contract, request.operation);
  if (operation === undefined) return;
  const { method, target, headers, credential, body, encoding } = request;
  await session.send({
    operation,
    intent: { kind: 'unspecified', way: 'sent again to see what Remaining does' },
    method,
    target,
    headers: Object.fromEntries(headers),
    credential,
    ...(body === undefined ? {} : { body }),
    ...(encoding === undefined ? {} : { encoding }),
  });
}
