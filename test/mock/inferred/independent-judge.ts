import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../contract/json/value.ts';

/** For tests: judges bodies by a document with a validator of its own, which shares no code with the mock. */
export function createIndependentJudge(document: JsonObject) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'document');
  /** What a body breaks; empty: nothing. `path` and `method` as the document has them. */
  return (method: string, path: string, status: number, body: JsonValue): string => {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
    const names = ['paths', escaped, method.toLowerCase(), 'responses', `${status}`];
    const responses = names.reduce<JsonValue | undefined>(
      (found, name) => (isJsonObject(found) ? found[name.replaceAll('~1', '/')] : undefined),
      document,
    );
    if (!isJsonObject(responses)) return `${status} is not documented`;
    if (!isJsonObject(responses['content'])) return '';
    const at = [...names, 'content', 'application~1json', 'schema']
      .map(encodeURIComponent)
      .join('/');
    const validate = ajv.compile({ $ref: `document#/${at}` });
    return validate(body) ? '' : ajv.errorsText(validate.errors);
  };
}
