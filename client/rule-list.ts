import type { Contract } from '../contract/contract.ts';
import { sectionOf } from '../contract/source/node.ts';
import { keyRules } from './key-rules.ts';
import { rateLimitRules } from './limit-rules.ts';
import { deprecationRules, requestRules } from './request-rules.ts';
import { responseRules } from './response-rules.ts';
import type { ClientRule, RuleDraft } from './rule.ts';

const families = [rateLimitRules, keyRules, requestRules, deprecationRules, responseRules];

/** In the order of reports. A rule about what the document does not have is left out. */
export function listRules(contract: Contract): readonly RuleDraft[] {
  return families.flatMap((list) => [...list(contract)]);
}

/** A rule in the form of a requirement, without how it is judged. */
export function composeRule(
  {
    judge: _judge,
    unreached: _unreached,
    needs: _needs,
    exemption: _exemption,
    ...rule
  }: RuleDraft,
  { document }: Contract,
): ClientRule {
  return {
    operation: '*',
    subject: { kind: 'client', applies: true },
    ...rule,
    section: sectionOf(document, rule.pointer),
  };
}

export function compileRules(contract: Contract): readonly ClientRule[] {
  return listRules(contract).map((rule) => composeRule(rule, contract));
}
