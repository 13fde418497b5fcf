import {
  type JsonValue,
  JsonSyntaxError,
  codec,
  hasCode,
  isJsonObject,
  parseJson,
} from '../../../../contract/index.ts';
import { type RecordedBody, readHarValue } from '../../../../traffic/index.ts';
import { argumentError } from '../../../io/command-failure.ts';
import { type Observation, readJson } from './observation.ts';

/** Exchanges of a report.json, as far as items are read from them. */
const reportFile = codec.openObject({
  exchanges: codec.list(
    codec.openObject({
      request: codec.openObject({
        method: codec.text,
        target: codec.text,
        body: codec.orNull(codec.text),
      }),
      outcome: codec.openObject({
        response: codec.optional(
          codec.openObject({ status: codec.whole(100, 999), body: codec.text }),
        ),
      }),
    }),
  ),
});

/** Reads an HTTP Archive or a report.json. Throws `PetstoreError` for anything else. */
export function readRecording(text: string, file: string): readonly Observation[] {
  try {
    const value = parseJson(text.replace(/^\uFEFF/, ''));
    if (isJsonObject(value) && isJsonObject(value['log'])) return readArchive(value);
    if (isJsonObject(value) && value['exchanges'] !== undefined) return readReport(value);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !hasCode(error, 'shape')) throw error;
    throw argumentError(`${file} cannot be read: ${error.message}.`, error);
  }
  throw argumentError(
    `${file} is no traffic: an HTTP Archive has a log, and a report.json of petstore conform has exchanges.`,
  );
}

function readArchive(value: JsonValue): readonly Observation[] {
  return readHarValue(value).flatMap(({ request, response }) =>
    response === undefined
      ? []
      : [
          {
            method: request.method,
            address: request.url,
            status: response.status,
            sent: jsonOf(request.body),
            received: jsonOf(response.body),
          },
        ],
  );
}

function jsonOf(body: RecordedBody): JsonValue | undefined {
  return body.kind === 'whole' ? readJson(body.text) : undefined;
}

function readReport(value: JsonValue): readonly Observation[] {
  return reportFile.read(value, '').exchanges.flatMap(({ request, outcome: { response } }) =>
    response === undefined
      ? []
      : [
          {
            method: request.method,
            address: request.target,
            status: response.status,
            sent: readJson(request.body ?? ''),
            received: readJson(response.body),
          },
        ],
  );
}
