import {
  type Codec,
  described,
  list,
  number,
  oneOf,
  openObject,
  text,
  whole,
} from '../../contract/json/codec.ts';
import { isJsonArray } from '../../contract/json/value.ts';

// Members that the journal stores and the control interface shows in the same form. The page reads them
// too, so this imports nothing of the mock.

/** `name`: as `Webhook.name`. */
export const callbackAddress = openObject({ name: text, url: text });

/** The value of a header field, or of each of its lines. */
export const fieldLines: Codec<string | readonly string[]> = {
  schema: (refer) => ({ anyOf: [refer(text), refer(list(text))] }),
  read: (value, at) => (isJsonArray(value) ? list(text) : text).read(value, at),
  render: (value) => value,
};

/** How a response was lost. */
export const loss = oneOf(['reset', 'silence']);

/** Members of an entry that are shown as they are stored. */
export const shownMembers = {
  index: described(whole(0), 'Counts the requests of the sandbox from 0.'),
  method: text,
  target: described(text, 'Path and query, without keys; cut off if long.'),
  credential: described(
    oneOf(['valid', 'missing', 'invalid']),
    '`invalid`: an unknown key. `missing`: none, or none that can be read.',
  ),
  status: whole(100, 999),
  sandbox: text,
  milliseconds: described(number, 'Time in the mock, without delays.'),
};
