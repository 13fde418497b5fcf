import { type Contract, renderCredential } from '../../contract/index.ts';
import {
  type CredentialUse,
  type SentRequest,
  bytesOf,
  operationOf,
  resolveTarget,
  waiversHeader,
} from '../../conformance/index.ts';
import * as quoted from '../../view/quote/curl.ts';
import { quoteShell } from '../../view/quote/shell.ts';
import { type VisibleText, show, showLine } from '../../view/visible.ts';

/**
 * A shell line that sends a request again, with the key from the variable PETSTORE_API_KEY. Undefined
 * where the request has no place below the base URL: such a request was never sent.
 */
export function renderCurl(
  contract: Contract,
  baseUrl: string,
  request: SentRequest,
): VisibleText | undefined {
  const { method, headers, target, body, encoding } = request;
  const url = resolveTarget(baseUrl, target);
  if (url === undefined) return undefined;
  return quoted.renderCurl({
    method,
    url,
    headers: headers.filter(([name]) => name !== waiversHeader),
    quotedHeaders: listCredentials(contract, request),
    body: encoding === undefined ? body : bytesOf(request),
  });
}

/** What the shell makes out of the key for `Authorization`, between double quotes. */
const authorizations = {
  valid: ['Bearer $PETSTORE_API_KEY'],
  missing: [],
  invalid: ['Bearer invalid-key'],
  cut: ['Bearer ${PETSTORE_API_KEY%?}'],
  longer: ['Bearer ${PETSTORE_API_KEY}x'],
  'other-case': ['Bearer ${PETSTORE_API_KEY^^}'],
  nameless: ['Bearer ${PETSTORE_API_KEY%%_*}_'],
  marked: ['Bearer ${PETSTORE_API_KEY}~'],
  'non-ascii': ['Bearer ${PETSTORE_API_KEY}é'],
  'other-scheme': ['Basic $PETSTORE_API_KEY'],
  'token-scheme': ['Token $PETSTORE_API_KEY'],
  'no-scheme': ['$PETSTORE_API_KEY'],
  'no-token': ['Bearer'],
  'further-word': ['Bearer $PETSTORE_API_KEY more'],
  'word-before': ['x Bearer $PETSTORE_API_KEY'],
  'no-space': ['Bearer$PETSTORE_API_KEY'],
  twice: ['Bearer $PETSTORE_API_KEY', 'Bearer invalid-key'],
} as const satisfies Readonly<Record<CredentialUse, readonly string[]>>;

/** The key alone, where a use changes it. */
const keys: Readonly<Partial<Record<CredentialUse, VisibleText>>> = {
  invalid: show`invalid-key`,
  cut: show`\${PETSTORE_API_KEY%?}`,
  longer: show`\${PETSTORE_API_KEY}x`,
  'other-case': show`\${PETSTORE_API_KEY^^}`,
  nameless: show`\${PETSTORE_API_KEY%%_*}_`,
  marked: show`\${PETSTORE_API_KEY}~`,
  'non-ascii': show`\${PETSTORE_API_KEY}é`,
};

/** Stands for the key in what the document makes of it, until the shell's variable does. */
const placeholder = '\0key\0';

function listCredentials(contract: Contract, request: SentRequest): readonly VisibleText[] {
  const how = operationOf(contract, request.operation)?.credential;
  const { credential: use } = request;
  if (!how || how.kind === 'none' || use === 'missing') return [];
  if (how.kind === 'bearer')
    return authorizations[use].map((value) => show`"Authorization: ${value}"`);
  const key = keys[use] ?? show`$PETSTORE_API_KEY`;
  if (how.kind === 'basic')
    return [show`"Authorization: Basic $(printf %s "${key}:${key}" | base64)"`];
  const field = renderCredential(how, placeholder);
  if (field?.in !== 'header') return [];
  const [before = '', after = ''] = `${field.name}: ${field.value}`.split(placeholder);
  if (/^[\w: -]*$/.test(before) && after === '') return [show`"${showLine(before)}${key}"`];
  return [show`${quoteShell(before)}"${key}"${after === '' ? '' : quoteShell(after)}`];
}
