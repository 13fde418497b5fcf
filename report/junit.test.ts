import { listRequirements } from '../conformance/index.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { petstore as contract } from '../test/contract/petstore.ts';
import { judgeParts } from '../test/report/causes.ts';
import { sampleReport } from '../test/report/sample-report.ts';
import { renderAnnotations } from './annotation.ts';
import { renderJunit } from './junit.ts';

const report = sampleReport(contract);
const xml = renderJunit(report, contract);

const schema = readFileSync(new URL('junit.xsd', import.meta.url), 'utf8');

/** What a validating parser has against a text; empty if it takes it. */
const validate = async (text: string): Promise<readonly string[]> => {
  const { errors } = await validateXML({
    xml: [{ fileName: 'junit.xml', contents: text }],
    schema: [schema],
  });
  return errors.map(({ message }) => message);
};

const waiver = {
  requirement: 'createPet/status.201',
  reason: 'ticket 7',
  owner: 'ada',
  expires: '2026-03-31',
};

test.each(['expired', 'needless', 'used', 'unreached'] as const)(
  'a run that fails because of a waiver is red in all files: %s',
  async (state) => {
    const given = { ...report, waivers: [{ waiver, state }] };
    const isAtFault = state === 'expired' || state === 'needless';
    const text = renderJunit(given, contract);
    const failures = (of: string): number => Number(/failures="(\d+)"/.exec(of)?.[1]);
    const plain = failures(renderJunit({ ...report, waivers: [] }, contract));
    expect(failures(text)).toBe(plain + (isAtFault ? 1 : 0));
    expect(text.match(/<failure /g)).toHaveLength(failures(text));
    expect(text.includes('the waiver of createPet/status.201 is')).toBe(isAtFault);
    expect(String(renderAnnotations(given, contract)).includes('::error title=waiver::')).toBe(
      isAtFault,
    );
    expect(await validate(text)).toEqual([]);
  },
);

describe('a report as JUnit XML', () => {
  test('is accepted by a validating parser', async () => {
    expect(await validate(xml)).toEqual([]);
    const broken = [
      xml.replace('<skipped ', '<ignored '),
      xml.replace(/ tests="\d+"/, ''),
      xml.replace('&lt;', '<'),
    ];
    expect((await Promise.all(broken.map(validate))).map(({ length }) => length > 0)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('has a suite for each operation and a case for each requirement, counted', () => {
    const operations = new Set(listRequirements(contract).map(({ operation }) => operation));
    expect(xml.match(/<testsuite /g)).toHaveLength(operations.size);
    expect(xml.match(/<testcase /g)).toHaveLength(listRequirements(contract).length);
    const { 'not-tested': notTested, waived } = report.counts;
    expect(xml).toContain(
      `<testsuites name="Petstore 1.0.0" tests="${listRequirements(contract).length}" failures="2" errors="0" skipped="${notTested + waived}" time="31.500">`,
    );
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml.match(/<skipped /g)).toHaveLength(notTested + waived);
  });

  test('says why a case failed or was skipped', () => {
    expect(xml).toContain(
      '<failure message="expected 401, since the key is made up, received 200 &lt;/code&gt;',
    );
    expect(xml).toContain('<skipped message="the rate limit was not exhausted (--exhaust)"/>');
    expect(xml).toContain('<skipped message="waived: agreed ');
    expect(xml).toContain('Replay: npx petstore-contract conform ');
  });

  test('names the cause of each failure', async () => {
    const { report: broken } = await judgeParts(() => ({
      finish: (wire) => ({ ...wire, status: wire.status === 404 ? 503 : wire.status }),
    }));
    const text = renderJunit(broken, contract);
    expect(text).toMatch(/Cause: getPet returns 503 .* for all \d+ requests/);
    expect(text.match(/Cause: /g)).toHaveLength(text.match(/<failure /g)?.length ?? 0);
  });

  test('contains no character that XML 1.0 forbids, and no markup of a target', () => {
    expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(xml.isWellFormed()).toBe(true);
    expect(xml).not.toContain('<script');
    expect(xml).not.toContain(']]>');
  });
});
