import { channel, type ChannelListener } from 'node:diagnostics_channel';

/** Knows of requests which of them were the first on their connection. */
export interface ConnectionUse {
  /** Calls a function that hands one request to undici, and tells how that request went out. */
  readonly watch: (dispatch: () => void) => () => Place | undefined;
  readonly close: () => void;
}

/**
 * Where a request stood on its connection: `first` on a new one, `later` on one that was kept.
 * Undefined: it was not sent over a connection, as far as is known.
 */
export type Place = 'first' | 'later';

/** What undici tells of its requests (its page "Diagnostics Channel Support"). */
const created = channel('undici:request:create');
const sent = channel('undici:client:sendHeaders');

export function watchConnections(): ConnectionUse {
  const places = new WeakMap<object, Place>();
  const used = new WeakSet<object>();
  let latest: object | undefined;
  const onCreated: ChannelListener = (message) => {
    latest = memberOf(message, 'request');
  };
  const onSent: ChannelListener = (message) => {
    const [request, socket] = [memberOf(message, 'request'), memberOf(message, 'socket')];
    if (request === undefined || socket === undefined) return;
    places.set(request, used.has(socket) ? 'later' : 'first');
    used.add(socket);
  };
  created.subscribe(onCreated);
  sent.subscribe(onSent);
  return {
    watch: (dispatch) => {
      latest = undefined;
      dispatch();
      const request = latest;
      return () => (request === undefined ? undefined : places.get(request));
    },
    close: () => {
      created.unsubscribe(onCreated);
      sent.unsubscribe(onSent);
    },
  };
}

function memberOf(message: unknown, name: string): object | undefined {
  const value: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}
