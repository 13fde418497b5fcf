import { petstore as contract } from '../test/contract/petstore.ts';
import { findBarriers, measureOverflow } from '../test/page/accessibility.ts';
import { certify, sampleVersion } from '../test/cli/certificates.ts';
import { sampleReport } from '../test/report/sample-report.ts';
import { describe, expect, test } from '../test/page/view/static-page.ts';
import { renderBadge, renderCertificatePage } from './index.ts';

const issued = { ...certify(contract, sampleReport(contract)), keyids: ['ab'.repeat(32)] };
const certificate = renderCertificatePage(issued, contract);

describe('a certificate in a browser', { timeout: 120_000 }, () => {
  test.for(['light', 'dark'] as const)('is accessible in %s', async (colorScheme, { open }) => {
    expect(await findBarriers(await open(certificate, { colorScheme }))).toEqual([]);
  });

  test.for([320, 390, 1920])('fits %d pixels', async (width, { open }) => {
    const page = await open(certificate, { viewport: { width, height: 900 } });
    expect(await measureOverflow(page)).toBe(0);
  });

  test('copies the command that verifies it', async ({ open }) => {
    const page = await open(certificate);
    await page.getByRole('button', { name: 'Copy the command' }).click();
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))

      .toBe(
        `npx petstore-contract@${sampleVersion} verify certificate.json --public-key the-signers-key.pub.pem`,
      );
  });
});

describe('a badge in a browser', { timeout: 120_000 }, () => {
  test.for([
    ['Petstore', '1.0.0'],
    ['iiillljjj.,:;|!', '0.1'],
    ['WWWMMM@@@%%%', '10.20.30'],
    ['Überlänge 猫 😀 of a very long title that is cut', '1'],
  ] as const)('has room for %s, and not much more', async ([title, version], { open }) => {
    const { report } = issued;
    const said = { ...report, contract: { ...report.contract, title, version } };
    const badge = renderBadge({ ...issued, report: said });
    const page = await open(badge);
    const room = await page.evaluate<number>(
      `[...document.querySelectorAll('text')].reduce(
        (room, text) => room - text.getComputedTextLength(),
        document.querySelector('svg').width.baseVal.value,
      )`,
    );
    expect(room).toBeGreaterThanOrEqual(26);
    expect(room).toBeLessThan(60);
  });
});
