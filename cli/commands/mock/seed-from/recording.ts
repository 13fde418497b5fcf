import {
  type JsonValue,
  JsonSyntaxError,
  codec,
  hasCode,
  isJsonObject,
} from '../../../../contract/index.ts';
import {
  type RecordedBody,
  explainZip,
  isZip,
  loadAttachedBodies,
  readHarValue,
} from '../../../../traffic/index.ts';
import { argumentError } from '../../../io/command-failure.ts';
import { type Observation, readJson } from './observation.ts';
import { parseInput } from '../../../input/file.ts';

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
export async function readRecording(text: string, file: string): Promise<readonly Observation[]> {
  if (isZip(text)) throw argumentError(explainZip(file));
  try {
    const value = parseInput(text);
    if (isJsonObject(value) && isJsonObject(value['log'])) return await readArchive(value, file);
    if (isJsonObject(value) && value['exchanges'] !== undefined) return readReport(value);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !hasCode(error, 'shape')) throw error;
    throw argumentError(`${file} cannot be read: ${error.message}.`, error);
  }
  throw argumentError(
    `${file} is no traffic: an HTTP Archive has a log, and a report.json of petstore conform has exchanges.`,
  );
}

async function readArchive(value: JsonValue, file: string): Promise<readonly Observation[]> {
  const attached = await loadAttachedBodies(value, file);
  return readHarValue(value, attached).flatMap(({ request, response, foreign }) =>
    // A cache may have given what is no longer so.
    response === undefined || foreign !== undefined
      ? []
      : [
          {
            method: request.method,
            address: request.url,
            status: response.status,
            sent: jsonOf(request.body),
            received: jsonOf(response.body),
            ...(response.body.kind === 'unknown' ? { missing: response.body.reason } : {}),
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
