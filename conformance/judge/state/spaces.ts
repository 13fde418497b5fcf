import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { judged, type Finding } from '../trace/finding.ts';
import { comesBack, trimEnds } from '../trace/item.ts';
import type { Reading } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';

/** Whether a text that begins or ends with white space kept it. */
export function* judgeSpaces(
  name: string,
  sent: JsonValue | undefined,
  received: JsonValue | undefined,
  { operation, exchange: { index } }: Reading,
): Generator<Finding> {
  if (typeof sent !== 'string' || trimEnds(sent) === sent || !comesBack(sent, received)) return;
  const id = requirementId.state(operation.id, `spaces.${name}`);
  const expected = `\`${name}\` ${quote(sent)}`;
  yield judged(sent === received, id, index, expected, `\`${name}\` ${quote(received)}`);
}
