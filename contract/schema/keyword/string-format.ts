import type { Format, FormatDefinition } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

const formats: ReadonlyMap<string, Format> = new Map(Object.entries(fullFormats));

type TextTest = (text: string) => boolean;

/** The test for a string format; undefined for an unknown format. */
export function createStringTest(format: string): TextTest | undefined {
  const test = format === 'decimal' ? isDecimal : readTest(formats.get(format));
  return test && (repairs[format]?.(test) ?? test);
}

/**
 * `decimal` of the OpenAPI format registry, including JSON numbers and numbers with digits on only one side
 * of the point.
 */
function isDecimal(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
}

function readTest(format: Format | undefined): TextTest | undefined {
  if (typeof format === 'function') return format;
  if (typeof format === 'string') return readTest(new RegExp(format, 'u'));
  if (format instanceof RegExp) return (text) => format.test(text);
  return isStringDefinition(format) ? readTest(format.validate) : undefined;
}

function isStringDefinition(format: Format | undefined): format is FormatDefinition<string> {
  return (
    typeof format === 'object' &&
    !(format instanceof RegExp) &&
    format.type !== 'number' &&
    format.async !== true
  );
}

/** Corrections of the formats of `ajv-formats`, with the RFC of each. */
const repairs: Readonly<Record<string, (test: TextTest) => TextTest>> = {
  'date-time': strictTime,
  time: strictTime,
  duration: () => (text) => durationPattern.test(text),
  email: strictEmail,
  hostname: (test) => (text) => !text.endsWith('.') && test(text),
  uri: (test) => (text) => isUriReference(text) && test(text),
  url: urlWithin,
  'uri-reference': (test) => (text) => isUriReference(text) && test(text),
  uuid: (test) => (text) => text.length === 36 && test(text),
};

/**
 * RFC 3339, section 5.6: hours up to 23 even with a leap second, minutes in every offset. Digits beyond
 * milliseconds are dropped, because a double rounds fifteen nines up to the next second.
 */
function strictTime(test: TextTest): TextTest {
  return (text) =>
    /^(?:\d{4}-\d\d-\d\d[t\s])?(?:[01]\d|2[0-3]):.*(?:z|[+-]\d\d:\d\d)$/i.test(text) &&
    test(text.replace(/(\.\d{3})\d+/, '$1'));
}

/** RFC 3339, appendix A: no unit is omitted between two others. */
const durationPattern =
  /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/;

/** RFC 5321, section 4.1.2: also quoted local parts, and addresses instead of a domain. */
function strictEmail(test: TextTest): TextTest {
  const isIpv4 = readTest(formats.get('ipv4'));
  const isIpv6 = readTest(formats.get('ipv6'));
  const isAddress = (text: string): boolean =>
    text.startsWith('IPv6:') ? isIpv6?.(text.slice(5)) === true : isIpv4?.(text) === true;
  return (text) =>
    test(
      text
        .replace(/^"(?:[ !#-[\]-~]|\\[ -~])*"(?=@)/, 'a')
        .replace(/@\[([^\]@]*)\]$/, (whole, address: string) =>
          isAddress(address) ? '@a.example' : whole,
        ),
    );
}

/** Longest URL: testing one takes quadratic time, so longer texts are tested as a URI. */
const longestUrl = 4096;

function urlWithin(test: TextTest): TextTest {
  const isUri = createStringTest('uri');
  return (text) => (text.length > longestUrl ? isUri?.(text) !== false : test(text));
}

/** RFC 3986, appendix B, and the characters that sections 3.1 to 3.3 allow in each part. */
function isUriReference(text: string): boolean {
  const [, scheme, authority = '', path = ''] =
    /^(?:([^:/?#]*):)?(?:\/\/([^/?#]*))?([^?#]*)/.exec(text) ?? [];
  const [, address = ''] = /^(?:[^@]*@)?\[([^\]]*)\]/.exec(authority) ?? [];
  return (
    (scheme === undefined || /^[a-z][a-z0-9+.-]*$/i.test(scheme)) &&
    /^(?:[^@]*@)?(?:\[[^\]]*\]|[^@:[\]]*)(?::\d*)?$/.test(authority) &&
    !/(?:^|[:.])0\d+(?=\.|$)/.test(address.includes('.') ? address : '') &&
    !/["[\]]/.test(path)
  );
}
