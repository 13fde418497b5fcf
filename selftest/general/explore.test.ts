import { test } from 'vitest';
import { judgeParts } from '../../report/testing/causes.ts';
import { faultyServices } from './services.ts';
test.for(faultyServices)('$id', async ({ id, parts }) => {
  try {
    const { causes, report } = await judgeParts(parts);
    console.log(
      `## ${id} (${report.outcome}, ${report.exchanges.length}, planned ${report.run.planned} tested ${report.run.tested})\n` +
        causes
          .map(
            (c) =>
              `- [${c.fact.kind}] ${c.sentence} {${c.findings
                .map((f) => f.requirement.id)
                .slice(0, 12)
                .join(' ')}}`,
          )
          .join('\n'),
    );
  } catch (error) {
    console.log(`## ${id}: ${String(error)}`);
  }
});
