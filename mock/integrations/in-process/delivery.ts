import type { Delivery } from '../../http/message.ts';
import type { IntegrationCore } from './integration.ts';

/** What a client sees as the network's fault, and not the service's. */
export class ConnectionBroken extends Error {
  override readonly name = 'ConnectionBroken';
  readonly code = 'ECONNRESET';
}

/** Waits before the first byte, or until the signal is aborted. Throws `ConnectionBroken`, or never settles, for a broken one. */
export async function awaitStart(
  core: IntegrationCore,
  delivery: Delivery | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (delivery === undefined) return;
  await sleep(core, delivery.delay, signal);
  if (delivery.bytes === undefined) await end(delivery);
}

/** The body in the pieces and at the times that the delivery asks for; ends as it asks for. */
export async function* deliverBody(
  core: IntegrationCore,
  body: Uint8Array,
  delivery: Delivery,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { bytes = body.length, drip } = delivery;
  const sent = body.subarray(0, bytes);
  const size = drip?.bytes ?? (sent.length || 1);
  for (let at = 0; at < sent.length; at += size) {
    await sleep(core, drip?.milliseconds ?? 0, signal);
    yield sent.subarray(at, at + size);
  }
  await end(delivery);
}

async function end({ end: how }: Delivery): Promise<void> {
  if (how === 'silence') await new Promise<never>(() => undefined);
  if (how === 'reset') throw new ConnectionBroken('The mock reset the connection.');
}

async function sleep(
  core: IntegrationCore,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (milliseconds > 0) await core.sleep?.(milliseconds, signal);
}
