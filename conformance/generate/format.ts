import * as fc from 'fast-check';

/** Texts of a format; undefined for one that none are made for. */
export function arbitraryFormat(name: string): fc.Arbitrary<string> | undefined {
  return Object.hasOwn(formats, name) ? formats[name]?.() : undefined;
}

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  date: () => dates().map((date) => date.toISOString().slice(0, 10)),
  'date-time': () =>
    fc
      .tuple(dates(), fc.constantFrom('Z', '+00:00', '+05:30', '-08:00'))
      .map(([date, zone]) => date.toISOString().replace('Z', zone)),
  time: () => dates().map((date) => date.toISOString().slice(11)),
  duration: () => fc.integer({ min: 1, max: 999 }).map((days) => `P${days}D`),
  uuid: () => fc.uuid(),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  'uri-reference': () => fc.webUrl(),
  iri: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  hostname: () => fc.domain(),
  byte: () => fc.base64String(),
  'json-pointer': () =>
    fc
      .array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { maxLength: 3 })
      .map((parts) => parts.map((part) => `/${part}`).join('')),
};

function dates(): fc.Arbitrary<Date> {
  const days = [
    '1970-01-01T00:00:00Z',
    '2000-02-29T12:30:00Z',
    '2024-12-31T23:59:59Z',
    '2038-01-19T03:14:08Z',
    '1999-12-31T23:59:59.999Z',
  ].map((text) => new Date(text));
  return fc.oneof(
    fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
    fc.constantFrom(...days),
  );
}
