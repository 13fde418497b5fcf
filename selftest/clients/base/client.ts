import type { Manner, Session } from './session.ts';
import type { Client, Environment, WireRequest, WireResponse } from './wire.ts';

/** A client of a manner: the careful one, but for what is told. */
export function createClient(manner: Manner): Client {
  return async (environment) => {
    await manner.work(openSession(environment, manner));
  };
}

function openSession(environment: Environment, manner: Manner): Session {
  const { wire, random } = environment;
  let notBefore = 0;
  const sendOnce: Session['sendOnce'] = (method, target, more = {}) =>
    attempt(environment, manner, { method, target, ...more }, 1);
  return {
    ...environment,
    manner,
    sendOnce,
    async call(method, target, body) {
      for (let tries = 1; ; tries += 1) {
        while (notBefore > wire.now()) await wire.sleep(notBefore - wire.now());
        const response = await attempt(environment, manner, { method, target, body }, tries).catch(
          () => undefined,
        );
        const tried = { method, response, tries, now: wire.now(), random };
        notBefore = Math.max(notBefore, tried.now + manner.pause(tried));
        const wait = manner.retry(tried);
        if (wait !== undefined) await wire.sleep(wait);
        else if (response === undefined) throw new Error(`${method} ${target} got no response`);
        else return response;
      }
    },
  };
}

function attempt(
  { wire, key }: Environment,
  manner: Manner,
  sent: Pick<WireRequest, 'method' | 'target'> & Partial<WireRequest>,
  tries: number,
): Promise<WireResponse> {
  const type = sent.body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...manner.authorize(key, tries), ...type, ...sent.headers };
  return wire.send(manner.shape({ body: undefined, ...sent, headers }, key, tries));
}
