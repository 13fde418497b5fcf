import { type VisibleText, joinShown, show, showLine } from '../../view/visible.ts';
import type { Advisory, Audit } from './audit.ts';
import type { ShippedPackage } from './shipped-packages.ts';

/** What is known of the packages that users get. */
export interface AdvisoryVerdict {
  /** 0: nothing severe. 1: an advisory that is high or critical. 2: not checked. */
  readonly exitCode: 0 | 1 | 2;
  readonly text: VisibleText;
}

/** Severities that do not stop a release. One that nobody knows does. */
const mild: readonly string[] = ['info', 'low', 'moderate'];

/** Judges an audit by the packages that users get, and leaves out those of development. */
export function judgeAudit(
  audit: Audit,
  packages: readonly Pick<ShippedPackage, 'name' | 'version' | 'place'>[],
): AdvisoryVerdict {
  if (audit.kind === 'unanswered')
    return {
      exitCode: 2,
      text: show`the registry did not answer: advisories were not checked (${showLine(audit.reason)})`,
    };
  const found = packages.flatMap((each) =>
    audit.advisories
      .filter(({ places }) => places.includes(each.place))
      .map((advisory) => ({ advisory, line: renderAdvisory(each, advisory) })),
  );
  const severe = found.filter(({ advisory }) => !mild.includes(advisory.severity));
  const count = show`${packages.length} shipped packages: ${severe.length} severe advisories, ${found.length - severe.length} others`;
  return {
    exitCode: severe.length === 0 ? 0 : 1,
    text: joinShown([...found.map(({ line }) => line), count], '\n'),
  };
}

function renderAdvisory(
  { name, version }: Pick<ShippedPackage, 'name' | 'version'>,
  { severity, title, url }: Advisory,
): VisibleText {
  return show`${showLine(severity)}: ${showLine(name)} ${showLine(version)}: ${showLine(title)} ${showLine(url)}`;
}
