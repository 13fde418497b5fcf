import {
  type Codec,
  type OptionalCodec,
  type TypeOf,
  annotate,
  described,
  flag,
  json,
  jsonObject,
  list,
  map,
  number,
  object,
  oneOf,
  openObject,
  optional as optionalCodec,
  orNull,
  text,
  whole,
} from '../../../contract/json/codec.ts';
import { isJsonArray, isNumeric } from '../../../contract/json/value.ts';
import { sandboxNamePattern } from './sandbox-name.ts';

/**
 * What the control interface reads and writes: each codec is a schema of its document, by its name,
 * and a type of its client. Objects that are received have no other members; those that are sent may
 * get more.
 */

function optional<T>(of: Codec<T>, description?: string): OptionalCodec<T> {
  return optionalCodec(description === undefined ? of : described(of, description));
}

const count = whole(0);
const instant = annotate(text, { format: 'date-time' });
const pointer = described(text, 'JSON pointer into the document.');
const operationId = described(text, 'Id of the operation.');
const anyInteger = whole(Number.MIN_SAFE_INTEGER);

// Members of an exchange that the journal stores as they are shown

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
  index: described(count, 'Counts the requests of the sandbox from 0.'),
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

export const sandboxName = annotate(text, { pattern: sandboxNamePattern.source });

export const controlError = openObject({ code: text, message: text, status: whole(400, 599) });

export const health = openObject({
  status: oneOf(['ok']),
  instance: described(text, 'As in the description of the mock.'),
});

// What is mocked

export const mock = openObject({
  instance: described(text, 'New with every start.'),
  startedAt: instant,
  url: described(text, 'Base URL of the service, with the host that this request was sent to.'),
  document: openObject({
    title: text,
    version: text,
    summary: optional(text),
    source: described(text, 'File or URL that it was loaded from.'),
  }),
  links: openObject({
    page: text,
    control: described(text, 'The document of this interface.'),
    yaml: described(text, 'The document that is served, with this mock as its server.'),
    json: text,
    health: text,
  }),
  keys: described(
    list(
      openObject({
        key: text,
        plan: described(text, 'Empty in documents without plans.'),
        limits: list(openObject({ window: text, limit: count })),
      }),
    ),
    'The keys of the sandbox main; empty if the document requires none.',
  ),
  ownKey: optional(text, 'A key with a sandbox of its own, such as free_alice.'),
  like: optional(text, 'The report whose choices the mock makes.'),
  operations: list(
    openObject({
      id: text,
      method: text,
      path: described(text, 'With its templates, below the base URL.'),
      summary: text,
      pointer,
      deprecated: flag,
      removedAt: optional(instant, 'When it is removed.'),
      credentials: described(
        list(openObject({ in: oneOf(['header', 'query', 'cookie']), name: text, value: text })),
        'Where the key goes. In the value, `{key}` stands for it, and `{basic}` for the Base64 of user and password, which may both be the key.',
      ),
    }),
  ),
  questions: list(
    openObject({
      id: text,
      question: text,
      pointer: text,
      default: described(text, 'The choice of the mock unless another is made.'),
      choices: list(openObject({ id: text, description: text })),
    }),
  ),
  conformance: described(flag, 'Conformance runs can be started.'),
});

// Sandboxes

const knownKey = openObject({ key: text, plan: text });

export const sandbox = openObject({
  name: text,
  keys: described(
    list(knownKey),
    'A key of each plan that opens it; one without a plan in documents without plans.',
  ),
  requests: described(count, 'Requests since it was created.'),
  now: instant,
  frozen: flag,
  items: described(map(count), 'Number of items by collection path.'),
  faults: count,
  stubs: count,
  snapshots: list(text),
});

const into = described(sandboxName, 'Name of the other sandbox.');
export const fork = object({ into });
export const restore = object({ into: optional(into) });

export const state = described(
  map(list(jsonObject)),
  'Items by collection path. Items without an id get one.',
);

export const collection = openObject({
  path: described(text, 'As in the state, with the ids of parent items filled in.'),
  id: optional(text, 'The member that identifies an item.'),
  count,
  pointer: optional(text, 'JSON pointer to the schema of an item.'),
  members: list(
    openObject({
      name: text,
      type: optional(text, 'Its JSON type; absent if it may have several.'),
      format: optional(text),
      required: flag,
      readOnly: flag,
      enum: optional(list(json)),
      description: optional(text),
    }),
  ),
  sample: described(jsonObject, 'An item that can be added as it is.'),
});

export const storedItem = openObject({
  id: described(text, 'What identifies it in this interface.'),
  item: jsonObject,
});

export const inCollection = {
  collection: described(text, 'Path of a collection, as in the state.'),
};

export const itemQuery = object({
  ...inCollection,
  text: optional(text, 'Only items whose JSON contains this text, in any case.'),
  offset: optional(annotate(count, { default: 0 })),
  limit: optional(annotate(whole(1, 1000), { default: 100 })),
});

export const itemPage = openObject({
  total: described(count, 'Number of items that match.'),
  items: list(storedItem),
});

export const clock = openObject({ now: instant, frozen: flag });

export const clockChange = annotate(
  object({
    now: optional(instant, 'The time to jump to, in the years from 1970 to 9999.'),
    advanceSeconds: optional(number, 'Seconds to move forward by; backward if negative.'),
    frozen: optional(flag, 'True: it stops until it is moved. False: it continues.'),
  }),
  { minProperties: 1 },
);

export const choices = map(text);
export const choiceChange = map(orNull(text));

// Quotas

export const quota = openObject({
  plan: text,
  key: described(text, 'The key with this plan.'),
  windows: list(openObject({ name: text, limit: count, used: count, resetAt: instant })),
  bannedUntil: optional(instant),
});

/** Seconds: a hundred years. */
const longTime = 3_153_600_000;

export const quotaChange = annotate(
  object({
    limits: optional(map(whole(1, 1_000_000_000)), 'Requests by window.'),
    used: optional(map(whole(0, 1_000_000)), 'Requests that count as sent in the current window.'),
    resetSeconds: optional(
      map(annotate(number, { exclusiveMinimum: 0 })),
      'Seconds until the current window ends, at most its length. The next one starts as usual.',
    ),
    banSeconds: optional(
      annotate(number, { minimum: 0, maximum: longTime }),
      'Length of a ban from now on; 0 ends one.',
    ),
  }),
  { minProperties: 1 },
);

// Faults

const faultMembers = {
  operation: optional(text, 'Id of an operation. Default: every request.'),
  count: optional(whole(1), 'Requests to apply it to. Default: no limit.'),
  probability: optional(
    annotate(number, { exclusiveMinimum: 0, maximum: 1 }),
    'Share of the requests that it applies to. Default: 1.',
  ),
  seed: optional(count, 'The same seed selects the same requests of a series. Default: 1.'),
  status: optional(
    whole(400, 599),
    'Returned with an error body, instead of what the operation does.',
  ),
  retryAfter: optional(
    whole(0, longTime),
    'Seconds in the `Retry-After` that is sent with the status.',
  ),
  delay: optional(
    object({ from: whole(0, 600_000), to: whole(0, 600_000) }),
    'Milliseconds before the response, drawn from this range.',
  ),
  connection: optional(
    oneOf(['reset', 'reset-after-headers', 'silence']),
    'The operation does its work; then the connection is reset before or after the response headers, or stays open without a response. On a connection that it used before, a browser sends a request again by itself after a `reset`, even a POST: the page does not see a fault that applies once, and the work is done twice. After `reset-after-headers` it does not, and the body cannot be read; a response without a body is complete.',
  ),
  body: optional(
    oneOf(['truncated', 'malformed']),
    'The connection is reset in the middle of the body, or the body is not JSON.',
  ),
  drip: optional(
    object({ bytes: whole(1), milliseconds: whole(0, 60_000) }),
    'Sends the body in pieces, with a pause before each.',
  ),
};

export const faultRule = object(faultMembers);
export const fault = openObject({
  id: text,
  ...faultMembers,
  applied: described(count, 'Requests that it was applied to.'),
});

// Stubs

const presence = object({ present: optional(flag), contains: optional(text) });

export const textCondition: Codec<
  string | number | bigint | boolean | readonly string[] | TypeOf<typeof presence>
> = {
  schema: (refer) => ({
    description:
      'A text: one of the values is this text. A list: these are all values, in this order. Else whether there is a value, or a text that one of them contains.',
    anyOf: [{ type: ['string', 'number', 'boolean'] }, refer(list(text)), refer(presence)],
  }),
  read(value, at) {
    if (typeof value === 'string') return value;
    if (isNumeric(value) || typeof value === 'boolean') return value.toString();
    return (isJsonArray(value) ? list(text) : presence).read(value, at);
  },
  render: (value) => value,
};

export const bodyCondition = object({
  equals: optional(json, 'The body is this JSON, with numbers compared by value.'),
  contains: optional(
    json,
    'The body has at least these members, at any depth. Lists have as many entries, in this order.',
  ),
  members: optional(map(json), 'Values by JSON pointers into the body, such as /name.'),
  text: optional(text, 'The body is this text.'),
  textContains: optional(text, 'The body contains this text.'),
});

export const stubRequest = described(
  object({
    operation: optional(operationId),
    method: optional(
      annotate(text, { pattern: '^[A-Z][A-Z-]*$' }),
      'In upper case. GET matches HEAD too.',
    ),
    path: optional(
      annotate(text, { pattern: '^/[^?#]*$', maxLength: 2000 }),
      'Below the base URL; `{name}` matches any text within a segment.',
    ),
    query: optional(map(textCondition), 'Query parameters by name.'),
    headers: optional(map(textCondition), 'Header fields by name, in any case.'),
    body: optional(bodyCondition),
  }),
  'All members must match. Without members, every request matches.',
);

export const stubResponse = described(
  object({
    status: optional(whole(200, 599), 'Default: that of the example, else of success.'),
    headers: optional(
      map(orNull(fieldLines)),
      'Replace those of the mock; null for none of that name.',
    ),
    body: optional(json, 'JSON.'),
    text: optional(text),
    base64: optional(text, 'Bytes in Base64 (RFC 4648 section 4).'),
    example: optional(text, 'Name of an example of the document.'),
    delay: optional(whole(0, 600_000), 'Milliseconds to wait first.'),
  }),
  'At most one of body, text, base64 and example. Without any, the body is that of the document: an example, else a sample; for errors, one in the error shape.',
);

export const stubScenario = described(
  object({
    name: text,
    from: optional(text, 'The state in which the stub responds. Default: any.'),
    to: optional(text, 'The state once it has responded. Default: the same.'),
  }),
  'A state that stubs of a sandbox share. It begins as `start`.',
);

const stubMembers = {
  name: optional(annotate(text, { maxLength: 200 }), 'For people.'),
  request: optional(stubRequest),
  response: optional(stubResponse),
  responses: optional(
    annotate(list(stubResponse, 1000), { minItems: 1 }),
    'Instead of response: one for each request in turn; the last one repeats.',
  ),
  times: optional(
    whole(1),
    'Requests that it responds to; then the next stub that matches does, or the mock.',
  ),
  priority: optional(
    anyInteger,
    'Higher ones are tried first; of equal ones, the last added. Default: 0.',
  ),
  scenario: optional(stubScenario),
};

export const stubRule = described(
  object(stubMembers),
  'A response, or several in turn, for the requests that match.',
);

/** A stub of a file, for every sandbox unless it names one. */
export const fileStub = object({ ...stubMembers, sandbox: optional(text) });

export const stubWarning = openObject({ message: text, pointer: optional(pointer) });

export const stub = openObject({
  id: text,
  ...stubMembers,
  origin: described(
    oneOf(['control', 'file']),
    '`file`: from the file of --stubs; it returns when the sandbox is reset.',
  ),
  applied: described(count, 'Requests that it responded to.'),
  warnings: described(list(stubWarning), 'What in it breaks the contract or can never match.'),
});

// Webhooks

export const webhook = openObject({
  name: described(text, 'Its key in the document; `-2` is added to the second of the same name.'),
  kind: oneOf(['webhook', 'callback']),
  method: text,
  operation: optional(text, 'Id of the operation that a callback belongs to.'),
  expression: optional(text, 'The address of a callback, with runtime expressions.'),
  summary: optional(text),
  pointer,
  content: list(openObject({ mediaType: text, schema: optional(pointer) })),
});

export const webhookOrder = object({
  url: optional(
    text,
    'The receiver, http: or https:. Without it, a callback goes where the last request to its operation in the journal of the sandbox says.',
  ),
  body: optional(
    json,
    'What to send; a text is sent as it is if the webhook is not JSON. Default: an example of the document, else a sample of its schema.',
  ),
});

export const delivery = openObject({
  request: openObject({
    method: text,
    url: text,
    headers: map(text),
    body: optional(text, 'Absent for none.'),
  }),
  response: openObject({
    status: whole(100, 999),
    headers: map(text),
    body: described(text, 'As text, at most its first 65,536 characters.'),
    isCut: flag,
  }),
  milliseconds: described(number, 'From the request to the end of what was read.'),
  warnings: described(list(text), 'What of the body does not match the document.'),
});

// The journal

export const check = oneOf([
  'http',
  'route',
  'rate-limit',
  'credential',
  'accept',
  'parameters',
  'content',
  'state',
  'fault',
  'preference',
  'stub',
  'memory',
]);

export const hint = openObject({
  kind: oneOf(['path', 'query-parameter', 'credential', 'preference', 'clock', 'stub']),
  message: described(text, 'For people.'),
});

export const exchange = openObject({
  ...shownMembers,
  at: described(instant, 'By the clock of the sandbox.'),
  operation: optional(text),
  keyElsewhere: described(
    flag,
    'The target or the body contained the key; `[key]` is in its place.',
  ),
  body: optional(
    text,
    'The first 4,096 bytes of the body as UTF-8, without keys; absent for none, and for one that was not read.',
  ),
  bodyLength: optional(count, 'Bytes of the whole body; absent for one that was not read.'),
  refusal: optional(openObject({ check, reason: text, message: text })),
  plan: optional(text),
  rate: optional(openObject({ limit: count, remaining: count, resetAt: instant })),
  retryAfter: optional(text, '`Retry-After` of the response.'),
  fault: optional(
    openObject({
      id: text,
      effect: text,
      breaks: optional(text, 'The requirement that the response breaks because of it.'),
    }),
  ),
  delay: optional(count, 'Milliseconds by which the response was delayed; absent for none.'),
  lost: optional(
    loss,
    'The connection was reset, or no response was sent; absent for a whole response.',
  ),
  stub: optional(openObject({ id: text, name: optional(text) }), 'The stub that responded.'),
  preferred: optional(text, 'Preferences of the request that were followed.'),
  event: optional(text),
  callbacks: optional(
    list(callbackAddress),
    'Where the callbacks of the operation go because of this request.',
  ),
  hints: optional(list(hint), 'What may have been meant or overlooked; absent for nothing.'),
});

const message = openObject({
  headers: list(openObject({ name: text, value: text })),
  body: optional(text, 'At most its first 4,096 bytes as UTF-8; absent for none.'),
  bodyLength: optional(count, 'Bytes of the whole body.'),
});

export const exchangeDetail = openObject({
  exchange,
  request: message,
  response: message,
  place: optional(
    text,
    'JSON pointer into the document: what a refusal comes from, else the operation.',
  ),
});

const filterMembers = {
  operation: optional(operationId),
  method: optional(text),
  status: optional(anyInteger),
  path: optional(text, 'What path and query start with.'),
  check: optional(check, 'The check that refused the request.'),
  from: optional(count, 'The first index; `next` of an earlier response.'),
};

export const journalFilter = object(filterMembers);

export const journalQuery = object({
  ...filterMembers,
  count: optional(annotate(whole(1, 10_000), { default: 1 }), 'How many to wait for.'),
  wait: optional(annotate(whole(0, 60_000), { default: 0 }), 'Milliseconds to wait at most.'),
});

export const journalPage = openObject({
  count: described(count, 'Number of exchanges in this response.'),
  next: described(count, 'Index of the next request.'),
  exchanges: list(exchange),
});

// Conformance runs

export const runOrder = object({
  baseUrl: optional(
    annotate(text, { maxLength: 2000 }),
    'The server to test. Default: a copy of this mock with its document and settings, so that none of its items, counts and journals changes.',
  ),
  sandbox: optional(
    sandboxName,
    'The sandbox whose choices and limits the copy has, without its items, faults and time. Default: those that the mock was started with.',
  ),
  key: optional(
    annotate(text, { maxLength: 10_000 }),
    'API key for the server. No response and no report contains it.',
  ),
  plan: optional(
    text,
    'Rate plan of the key, in any case. Enables the checks that compare the headers with the plan.',
  ),
  requests: optional(
    whole(1, 100_000),
    'Requests to send at most, not counting those that exceed the rate limit of this mock. Default: as petstore conform.',
  ),
  seed: optional(whole(0, 2_147_483_647), 'Default: 1.'),
  fuzz: optional(whole(0, 1_000_000), 'Requests for fuzzing beyond `requests`. Default: 0.'),
  exhaust: optional(
    flag,
    'Exceeds the rate limit at the end of the run, with extra requests; always on for this mock.',
  ),
  exclusive: optional(
    flag,
    'Nobody else uses the server: items that no response explains were stored by a refused request. Always on for this mock.',
  ),
  readOnly: optional(flag, 'Sends no request that may add or change items.'),
  insecure: optional(flag, 'Does not verify the certificate of the server.'),
});

export const runPlan = openObject({
  requests: count,
  needed: optional(count, 'Requests that full coverage would need.'),
  seconds: described(number, 'Approximate duration, including waits for the rate limit.'),
  text: described(text, 'The plan as petstore conform --plan prints it.'),
});

export const runProgress = openObject({
  sent: count,
  planned: count,
  secondsLeft: optional(number),
  doing: optional(text),
});

export const run = openObject({
  id: text,
  kind: oneOf(['run', 'file']),
  state: described(oneOf(['running', 'done', 'failed']), '`failed`: it has no report.'),
  target: described(text, '`a copy of this mock`, a base URL, or the client that was judged.'),
  document: optional(text, 'Title and version of the document judged by.'),
  startedAt: instant,
  progress: optional(runProgress),
  verdict: optional(oneOf(['conforms', 'failed', 'inconclusive'])),
  sentence: optional(text, 'The verdict in a sentence, or why there is none.'),
  counts: optional(map(count), 'Requirements by verdict.'),
});

export const comparison = openObject({
  sentence: text,
  differences: list(
    openObject({
      kind: described(
        oneOf(['verdict', 'choice', 'untested']),
        '`untested`: only one of them shows it, which is not a difference of behaviour.',
      ),
      requirement: text,
      sentence: text,
      one: described(text, 'Verdict, or what the target does.'),
      other: text,
    }),
  ),
});

export type Clock = TypeOf<typeof clock>;
export type ClockChange = TypeOf<typeof clockChange>;
export type Collection = TypeOf<typeof collection>;
export type Comparison = TypeOf<typeof comparison>;
export type Delivery = TypeOf<typeof delivery>;
export type Exchange = TypeOf<typeof exchange>;
export type ExchangeDetail = TypeOf<typeof exchangeDetail>;
export type Fault = TypeOf<typeof fault>;
export type FaultRule = TypeOf<typeof faultRule>;
export type FileStub = TypeOf<typeof fileStub>;
export type Hint = TypeOf<typeof hint>;
export type ItemPage = TypeOf<typeof itemPage>;
export type ItemQuery = TypeOf<typeof itemQuery>;
export type JournalFilter = TypeOf<typeof journalFilter>;
export type Mock = TypeOf<typeof mock>;
export type Quota = TypeOf<typeof quota>;
export type QuotaChange = TypeOf<typeof quotaChange>;
export type Run = TypeOf<typeof run>;
export type RunOrder = TypeOf<typeof runOrder>;
export type RunPlan = TypeOf<typeof runPlan>;
export type RunProgress = TypeOf<typeof runProgress>;
export type Sandbox = TypeOf<typeof sandbox>;
export type State = TypeOf<typeof state>;
export type StoredItem = TypeOf<typeof storedItem>;
export type Stub = TypeOf<typeof stub>;
export type StubRequest = TypeOf<typeof stubRequest>;
export type StubResponse = TypeOf<typeof stubResponse>;
export type StubRule = TypeOf<typeof stubRule>;
export type StubScenario = TypeOf<typeof stubScenario>;
export type StubWarning = TypeOf<typeof stubWarning>;
export type BodyCondition = TypeOf<typeof bodyCondition>;
export type TextCondition = TypeOf<typeof textCondition>;
export type Webhook = TypeOf<typeof webhook>;
export type WebhookOrder = TypeOf<typeof webhookOrder>;
