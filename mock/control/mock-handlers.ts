import { success } from '../operation/response/outcome.ts';
import { refuse } from '../operation/response/refusal.ts';
import { describeMock } from './description/describe-mock.ts';
import { renderEvent } from './events/event-reader.ts';
import { type Handlers, json } from './handler.ts';
import { readNumber } from './input.ts';
import { presentExchange } from './journal/exchange.ts';

/** What tells of the mock as a whole, and of single requests. */
export const mockHandlers: Handlers = {
  describeMock: ({ control, facts }) => json(describeMock(control, facts)),
  readHealth: ({ facts }) => json({ status: 'ok', instance: facts.instance }),
  streamEvents: ({ events, facts }) => ({
    ...success(200, renderEvent('hello', JSON.stringify({ instance: facts.instance }))),
    mediaType: 'text/event-stream',
    stream: (signal) => events.open(signal),
  }),
  readExchange: ({ sandbox, input }) => {
    const index = readNumber(input.parameters.get('path index')) ?? -1;
    const found = sandbox.exchange(index);
    return found === undefined
      ? refuse('not_found', `The journal of ${sandbox.name} has no exchange ${index}.`)
      : json(presentExchange(found.entry, found.detail, sandbox));
  },
};
