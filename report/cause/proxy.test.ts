import { describe, expect, test } from 'vitest';
import type { Call, WireResponse, Parts } from '../../selftest/service/service.ts';
import { idsOf, judgeParts, mutantOf } from '../../test/report/causes.ts';

/** A response that is not the service's, without its headers. */
function foreign(status: number, type: string, text: string, server?: string): WireResponse {
  const headers = { 'Content-Type': type, ...(server === undefined ? {} : { Server: server }) };
  return { status, headers, bytes: new TextEncoder().encode(text), delivery: 'whole' };
}

function page(status: number, title: string): WireResponse {
  const text = `<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`;
  return foreign(status, 'text/html', text, 'nginx');
}

function replacing(replace: (wire: WireResponse, call: Call) => WireResponse | undefined): Parts {
  return { finish: (wire, call) => replace(wire, call) ?? wire };
}

const textOf = ({ body }: Call): string => new TextDecoder().decode(body);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('responses by intermediaries', () => {
  test('each error page of a proxy is one cause, a crash first', async () => {
    const { report, causes } = await judgeParts(() =>
      replacing(({ status }, call) => {
        if (textOf(call).includes('9223372036854775807')) return page(502, 'Bad Gateway');
        return status === 404 ? page(404, 'Not Found') : undefined;
      }),
    );
    expect(report.counts.failed).toBeGreaterThan(4);
    expect(causes.map(({ sentence }) => sentence)).toEqual([
      'createPet returns 502 (the HTML page "502 Bad Gateway") for all 2 requests in which `categoryId` is 9223372036854775807, and for no other request.',
      'All 3 getPet 404 responses look like the output of a proxy or a framework, not of the service: the HTML page "404 Not Found".',
    ]);
  });

  test('a body limit of a proxy is one cause', async () => {
    const { causes } = await judgeParts(() =>
      replacing((_wire, { body }) => (body.length > 700 ? page(413, 'Too Large') : undefined)),
    );
    expect(causes.map(({ kind }) => kind)).toEqual(['foreign-response']);
  });

  test('statuses set by a framework are one cause, whatever they are', async () => {
    const detail = (status: number): WireResponse =>
      foreign(status, 'application/json', '{"detail":[{"type":"missing"}]}');
    const { report, causes } = await judgeParts(() =>
      replacing(({ status }) => {
        if (status === 400) return detail(422);
        return status === 404 ? detail(404) : undefined;
      }),
    );
    expect(report.counts.failed).toBeGreaterThan(12);
    expect(causes.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining(
        'error responses look like the output of a proxy or a framework, not of the service: JSON with `detail`',
      ),
    ]);
  });

  test('faults of the service itself are another cause', async () => {
    const { causes } = await judgeParts(() => ({
      ...mutantOf('headers-on-success-only').behaviour(),
      ...replacing(({ status }) => (status === 404 ? page(404, 'Not Found') : undefined)),
    }));
    expect(causes.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^All \d+ error responses lack X-RateLimit-Limit/),
      expect.stringContaining('the HTML page "404 Not Found"'),
    ]);
  });

  test('two intermediaries are two causes', async () => {
    const { causes } = await judgeParts(() =>
      replacing(({ status }, call) => {
        if (call.method === 'POST' && !isJson(textOf(call)))
          return foreign(400, 'text/html', '<pre>SyntaxError</pre>');
        return status === 404 ? foreign(404, 'application/json', '{"error":"none"}') : undefined;
      }),
    );
    expect(causes.map(({ kind }) => kind)).toEqual(['foreign-response', 'foreign-response']);
    expect(causes.flatMap(idsOf)).toContain('createPet/response.400.content-type');
  });

  test('crashes on different input are different causes, on the same input one', async () => {
    const { causes } = await judgeParts(() =>
      replacing((_wire, call) => {
        const text = textOf(call);
        return /"name":null|"categoryId":"|"name":\[/.test(text)
          ? foreign(500, 'text/plain', 'Internal Server Error')
          : undefined;
      }),
    );
    expect(causes.map(({ kind }) => kind)).toEqual(['crash', 'crash']);
  });
});
