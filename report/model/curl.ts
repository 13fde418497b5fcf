import { type Contract, renderCredential } from '../../contract/index.ts';
import {
  type CredentialUse,
  type SentRequest,
  bytesOf,
  operationOf,
  resolveTarget,
  waiversHeader,
} from '../../conformance/index.ts';
import { escapeByte, escapeCharacter, quoteShell, quoteWord } from '../../view/shell.ts';
import { type VisibleText, joinShown, show, showLine } from '../../view/visible.ts';

/** A shell line that sends a request again, with the key from the variable PETSTORE_API_KEY. */
export function renderCurl(contract: Contract, baseUrl: string, request: SentRequest): VisibleText {
  const { method, headers, body } = request;
  const words = [
    show`curl -i${method === 'GET' ? '' : show` -X ${quoteWord(method)}`} ${quoteShell(resolveTarget(baseUrl, request.target))}`,
    ...headers
      .filter(([name]) => name !== waiversHeader)
      .map(([name, value]) => show`-H ${quoteShell(`${name}: ${value}`)}`),
    ...credential(contract, request).map((header) => show`-H ${showLine(header)}`),
    ...(body === undefined ? [] : [show`--data-raw ${quoteBody(request)}`]),
  ];
  return joinShown(words, ' ');
}

/** The bearer tokens that the shell makes out of the key; other credentials are in `schemes`. */
const keys: Readonly<Partial<Record<CredentialUse, string>>> = {
  invalid: 'invalid-key',
  cut: '${PETSTORE_API_KEY%?}',
  longer: '${PETSTORE_API_KEY}x',
  'other-case': '${PETSTORE_API_KEY^^}',
  'non-ascii': '${PETSTORE_API_KEY}é',
};

const schemes: Readonly<Partial<Record<CredentialUse, readonly string[]>>> = {
  'other-scheme': ['Basic $PETSTORE_API_KEY'],
  'token-scheme': ['Token $PETSTORE_API_KEY'],
  'no-scheme': ['$PETSTORE_API_KEY'],
  'no-token': ['Bearer'],
  'further-word': ['Bearer $PETSTORE_API_KEY more'],
  'word-before': ['x Bearer $PETSTORE_API_KEY'],
  'no-space': ['Bearer$PETSTORE_API_KEY'],
  twice: ['Bearer $PETSTORE_API_KEY', 'Bearer invalid-key'],
};

function credential(contract: Contract, request: SentRequest): readonly string[] {
  const how = operationOf(contract, request.operation)?.credential;
  if (!how || how.kind === 'none' || request.credential === 'missing') return [];
  const key = keys[request.credential] ?? '$PETSTORE_API_KEY';
  if (how.kind === 'bearer')
    return (schemes[request.credential] ?? [`Bearer ${key}`]).map(
      (value) => `"Authorization: ${value}"`,
    );
  if (how.kind === 'basic') return [`"Authorization: Basic $(printf %s "${key}:${key}" | base64)"`];
  const field = renderCredential(how, key);
  return field?.in === 'header' ? [`"${field.name}: ${field.value.replaceAll('"', '\\"')}"`] : [];
}

function quoteBody(request: SentRequest): VisibleText {
  const { body = '', encoding } = request;
  if (encoding === undefined) return quoteShell(body);
  const bytes = [...bytesOf(request)].map((byte) =>
    byte < 0x80 ? escapeCharacter(String.fromCharCode(byte)) : escapeByte(byte),
  );
  return show`$'${joinShown(bytes, '')}'`;
}
