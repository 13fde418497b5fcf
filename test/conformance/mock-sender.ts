import { bytesOf, type Sender } from '../../conformance/index.ts';
import { bodyOf, headersOf } from '../../mock/integrations/in-process/response-body.ts';
import type { Mock } from '../../mock/mock.ts';

/** Sends to a mock in process. Only for one whose responses come at once and whole. */
export function createMockSender(mock: Mock): Sender {
  return {
    async send({ url, method, headers, body, encoding }) {
      const { pathname, search } = new URL(url);
      const response = mock.handle({
        method,
        target: pathname + search,
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        content: body === undefined ? undefined : bytesOf({ body, encoding }),
      });
      if (response.delivery !== undefined) throw new Error('This response needs a network.');
      return {
        kind: 'answered',
        response: {
          status: response.status,
          headers: headersOf(response),
          body: bodyOf(response, method) ?? '',
          utf8: true,
        },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
