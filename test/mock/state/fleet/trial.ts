import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../../contract/index.ts';
import { createControlClient } from '../../../../mock/control/client.ts';

import type { Act, Exchange, FinalState, Outcome } from './exchange.ts';
import { idIn, isAnswered } from './judge.ts';

export interface TrialPlan {
  readonly seed: number;
  readonly clients: number;
  readonly sandboxes: number;
  /** Of each client, besides those that found nobody who listens. */
  readonly requests: number;
  /** Ports, one of which each request goes to. */
  readonly ports: readonly number[];
  readonly agent: Agent;
  /** Called after so many requests were sent, of all clients. */
  readonly onProgress?: (sent: number) => void;
}

export const sandboxNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `f${index}`);

/** Sends all requests, those of each client one after another, and says what came of each. */
export async function runTrial(plan: TrialPlan): Promise<readonly Exchange[]> {
  const names = sandboxNames(plan.sandboxes);
  const exchanges: Exchange[] = [];
  /** What was acknowledged in each sandbox, to whomever. */
  const created = new Map<string, { readonly id: string; readonly name: string }[]>();
  let sent = 0;

  async function runClient(index: number): Promise<void> {
    const random = createRandom(plan.seed * 1000 + index);
    const sandbox = names[index % names.length] ?? '';
    const known = created.get(sandbox) ?? [];
    created.set(sandbox, known);
    const pick = <Value>(values: readonly Value[]): Value | undefined =>
      values[Math.floor(random() * values.length)];
    for (let count = 0; count < plan.requests;) {
      const item = random() < 0.4 ? pick(known) : undefined;
      const name = `${sandbox}-${index}-${count}`;
      const other: Act = random() < 0.15 ? { kind: 'list' } : { kind: 'create', name };
      const act: Act = item === undefined ? other : { kind: 'get', ...item };
      const start = performance.now();
      const outcome = await send(pick(plan.ports) ?? 0, sandbox, act, plan.agent);
      if (outcome === 'unsent') {
        // That instance is down: another one, or the same a moment later.
        await sleep(2);
        continue;
      }
      count += 1;
      const exchange = { sandbox, act, start, end: performance.now(), outcome };
      exchanges.push(exchange);
      if (act.kind === 'create' && isAnswered(exchange) && exchange.outcome.status === 201)
        known.push({ id: idIn(exchange.outcome.body), name });
      plan.onProgress?.((sent += 1));
    }
  }

  await Promise.all(Array.from({ length: plan.clients }, (_, index) => runClient(index)));
  return exchanges;
}

async function send(
  port: number,
  sandbox: string,
  act: Act,
  agent: Agent,
): Promise<Outcome | 'unsent'> {
  const body =
    act.kind === 'create' ? JSON.stringify({ name: act.name, categoryId: 1 }) : undefined;
  const path = act.kind === 'get' ? `/v1/pets/${act.id}` : '/v1/pets';
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer enterprise_${sandbox}`,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      })
        .on('response', resolve)
        .on('error', reject)
        .end(body);
    });
    const content = await text(response);
    const number = (name: string): number => Number(response.headers[name]);
    return {
      kind: 'response',
      status: response.statusCode ?? 0,
      body: content,
      used: number('x-ratelimit-limit') - number('x-ratelimit-remaining'),
      reset: number('x-ratelimit-reset'),
      tries: String(response.headers['petstore-instance'] ?? '').split(',').length,
    };
  } catch (error) {
    if (Object(error).code === 'ECONNREFUSED') return 'unsent';
    return { kind: 'lost', reason: String(error) };
  }
}

/** What one of the instances says of the sandboxes. */
export async function readStates(
  port: number,
  sandboxes: number,
): Promise<ReadonlyMap<string, FinalState>> {
  const control = createControlClient(`http://127.0.0.1:${port}`);
  const states = new Map<string, FinalState>();
  for (const sandbox of sandboxNames(sandboxes)) {
    const { items } = await control.call('listItems', {
      sandbox,
      collection: '/pets',
      limit: 1000,
    });
    const { next } = await control.call('readJournal', { sandbox });
    states.set(sandbox, {
      items: items.map(({ id, item }) => ({ id, name: String(Object(item)['name']) })),
      journaled: next,
    });
  }
  return states;
}
