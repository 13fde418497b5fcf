import { describeResponse } from '../trace/words.ts';
import { responsesTo, type Reader } from './reader.ts';

/** The choices that a status may stand for, by the words that choices of these kinds use. */
const choicesByStatus: Readonly<Record<number, readonly string[]>> = {
  400: ['refused', 'body-first'],
  401: ['credential-first'],
  404: ['not-found'],
  405: ['http'],
  406: ['not-acceptable'],
  415: ['unsupported'],
  422: ['unprocessable'],
};

/** For kinds whose choices differ in the status of the response. */
export const readStatus: Reader = function* readStatus(question, trace) {
  for (const { exchange, response } of responsesTo(question, trace)) {
    const { intent, index } = exchange;
    const candidates =
      response.status < 300 ? ['accepted', 'ignored'] : (choicesByStatus[response.status] ?? []);
    yield {
      choice: candidates.find((id) => question.choices.some((choice) => choice.id === id)),
      exchange: index,
      evidence: `${intent.kind === 'open' ? intent.way : ''}: answered ${describeResponse(response)}`,
    };
  }
};
