import { isJsonObject } from '../../../contract/index.ts';
import { quote } from '../trace/words.ts';
import type { Reader } from './reader.ts';

/** What the code of the first error is: the status, its phrase or a reason. */
export const readErrorCode: Reader = function* readErrorCode(_question, trace) {
  const member = trace.contract.error?.members.find((each) => each.role === 'code')?.name;
  for (const { json, response, exchange } of trace.readings) {
    const code =
      member !== undefined && isJsonObject(json) && response.status >= 400
        ? json[member]
        : undefined;
    if (typeof code !== 'string') continue;
    const evidence = `${response.status} with ${quote(code)}`;
    yield { choice: kindOf(code, response.status), exchange: exchange.index, evidence };
    return;
  }
};

const phrases: Readonly<Record<number, string>> = {
  400: 'badrequest',
  401: 'unauthorized',
  404: 'notfound',
  429: 'toomanyrequests',
};

/** `not_found` is a reason as much as a phrase; only upper case tells a phrase. */
function kindOf(code: string, status: number): string {
  if (code === String(status)) return 'status-number';
  const letters = code.replaceAll(/[^a-z]/gi, '').toLowerCase();
  return letters === phrases[status] && code !== code.toLowerCase() ? 'status-phrase' : 'reason';
}
