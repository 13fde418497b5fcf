/**
 * The version of the judging rules: what a log comes to, and what the suite sends next. Two suites
 * with one package version, one set of dependencies and one version of the rules come to the same
 * verdicts over the same log, so that each verifies the certificates of the other.
 *
 * Raise it by one with every change after which a log is judged otherwise: a requirement or a rule
 * that is new, gone or judged otherwise; another request, probe or order of them; another scenario,
 * response or count of the mock; another form of records, logs or certificates. Not for comments,
 * names, formatting, and the words of sentences, reasons and messages. Then `npm run rules`.
 *
 * `dev/record/rules.slow.test.ts` fails where the rules have changed and this has not.
 */
export const rulesVersion = 7;
