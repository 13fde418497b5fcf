/** The style of what only the page of a report has: contents, matrix, exchanges and plot. */
export const reportStyle = `
h4 { font-size: 0.95rem; margin: 1.25rem 0 0; }
h4 span { font-weight: 400; color: var(--soft); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.25rem 0.75rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.5rem 0 0; padding: 0.75rem 0 0; border-top: 1px solid var(--line); font-size: 0.95rem; }
.matrix td { padding: 0.25rem; }
.matrix td:empty { background: color-mix(in srgb, var(--line) 22%, transparent); }
.matrix tbody th { white-space: nowrap; padding-top: 0.65rem; }
.matrix summary { cursor: pointer; border-radius: 5px; padding: 0.35rem 0.5rem; white-space: nowrap; font-variant-numeric: tabular-nums; list-style-position: outside; display: block; text-align: center; }
.matrix summary:hover { text-decoration: underline; }
.matrix .family { display: none; }
.matrix .passed summary { background: var(--good-wash); color: var(--good); }
.matrix .partly summary { background: var(--doubt-wash); color: var(--doubt); }
.matrix .failed summary { background: var(--bad-wash); color: var(--bad); font-weight: 600; }
.matrix details[open] { width: 25rem; }
.matrix ul { list-style: none; margin: 0.5rem 0; padding: 0 0.35rem; }
.matrix li { padding: 0.5rem 0; border-top: 1px solid var(--line); font-weight: 400; }
.matrix li:first-child { border-top: 0; }
.word { font-size: 0.78rem; font-weight: 600; margin-right: 0.25rem; }
li.passed .word { color: var(--good); }
li.failed .word { color: var(--bad); }
li.not-tested .word, li.waived .word, li.advised .word { color: var(--doubt); }
li em { color: var(--doubt); }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; box-shadow: 0 2px 0 var(--bad); padding: 0 1px; }
.exchange { border-top: 1px solid var(--line); margin-top: 1.25rem; }
.headers { margin-top: 0.4rem; }
.headers summary { cursor: pointer; color: var(--soft); font-size: 0.86rem; padding: 0.15rem 0; }
article > p > code:only-child { font-weight: 600; }
.effects { margin: 0.25rem 0 0; padding-left: 1.2rem; font-size: 0.9rem; }
.effects li { padding: 0.2rem 0; overflow-wrap: anywhere; }
pre em { color: var(--soft); }
.where { color: var(--soft); white-space: nowrap; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
figcaption { color: var(--soft); font-size: 0.9rem; margin-top: 0.5rem; }
svg { display: block; width: 100%; min-width: 40rem; height: auto; font: 13px system-ui, sans-serif; fill: var(--soft); }
.axes line { stroke: var(--line); }
.line { fill: none; stroke: var(--link); stroke-width: 1.5; }
circle { fill: var(--link); }
.wait rect { fill: var(--doubt-wash); }
.wait text { fill: var(--doubt); }
path.refusal { stroke: var(--bad); stroke-width: 2.5; fill: none; }
.key.refusal { color: var(--bad); }
.key.wait { color: var(--doubt); background: var(--doubt-wash); padding: 0 0.4rem; border-radius: 4px; }
@media (max-width: 46rem) {
  .matrix td { padding: 0.15rem 0.6rem; }
  .matrix td:empty { display: none; }
  .matrix .family { display: inline; color: var(--ink); font-weight: 400; }
  .matrix summary { display: flex; justify-content: space-between; gap: 1rem; text-align: left; }
  .matrix details[open] { width: auto; }
}
@media print {
  .skip, nav { display: none; }
  figure { break-inside: avoid-page; }
  h4, .label { break-after: avoid; }
  .matrix { font-size: 7pt; }
  .matrix th { padding: 0.3rem 0.2rem; font-size: 7pt; }
  .matrix td, .matrix summary { padding: 0.15rem; }
  svg { min-width: 0; }
  details.reason::details-content { content-visibility: visible; block-size: auto; display: block; }
}
`;
