import * as codec from '../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../contract/json/codec.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';

const { flag, list, number, openObject, optional, orUndefined, text } = codec;

/** A member that tools leave out, set to null, or give another form: undefined then. */
function loose<T>(wanted: Codec<T>): codec.OptionalCodec<T | undefined> {
  return optional({
    read(value, at) {
      try {
        return wanted.read(value, at);
      } catch (error) {
        if (error instanceof PetstoreError) return undefined;
        throw error;
      }
    },
    render: (value) => (value === undefined ? null : wanted.render(value)),
  });
}

const headers = list(openObject({ name: text, value: loose(text) }));

/** Playwright: the file beside the archive that has the body. */
const file = loose(text);

export type HarResponse = TypeOf<typeof response>;

const response = openObject({
  /** Null where a browser never got one. */
  status: loose(number),
  headers: optional(headers),
  content: loose(
    openObject({
      size: loose(number),
      text: loose(text),
      encoding: loose(text),
      _file: file,
    }),
  ),
  bodySize: loose(number),
  /** Chromium: why no response came. */
  _error: loose(text),
  /** Playwright: the same. */
  _failureText: loose(text),
});

/** What is read of an entry: of the specification as little as it takes to judge. */
export type HarEntry = TypeOf<typeof harEntry>;

const harEntry = openObject({
  startedDateTime: loose(text),
  time: loose(number),
  request: openObject({
    method: text,
    url: text,
    headers: optional(headers),
    postData: loose(
      openObject({
        mimeType: loose(text),
        text: loose(text),
        encoding: loose(text),
        params: loose(list(openObject({}))),
        _file: file,
      }),
    ),
    bodySize: loose(number),
  }),
  /** Some tools write none where none came. */
  response: optional(orUndefined(response)),
  /** Chromium: `disk`, `memory`. */
  _fromCache: loose(text),
  _fetchedViaServiceWorker: loose(flag),
  /** Playwright: a route of the test answered. */
  _wasFulfilled: loose(flag),
});

export const harFile = openObject({ log: openObject({ entries: list(harEntry) }) });
