import { useEffect, useState } from 'preact/hooks';
import type { LoggedRequest } from '../session/request-log.ts';
import type { Session } from '../session/session.ts';

/** A request that was sent from here. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Number of the last request of the log before it. */
  readonly after: number;
}

/** The log's entry of a request that was sent; undefined until it has come. */
export function useLogged(
  { log }: Pick<Session, 'log'>,
  sent: SentRequest | undefined,
): LoggedRequest | undefined {
  const [found, setFound] = useState<LoggedRequest>();
  useEffect(() => {
    setFound(undefined);
    if (sent === undefined) return undefined;
    const { pathname, search } = new URL(sent.url);
    const look = (): void =>
      setFound(
        log.requests.find(
          ({ number, exchange }) =>
            number > sent.after &&
            exchange.method === sent.method &&
            exchange.target === pathname + search,
        ),
      );
    look();
    return log.subscribe(look);
  }, [log, sent]);
  return found;
}
