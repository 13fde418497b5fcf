/** Style of the report page only: header, matrix and causes. */
export const reportStyle = `
h4 { font-size: 0.92rem; margin: 1rem 0 0.25rem; }
h4 span { font-weight: 400; color: var(--soft); }
.early { background: var(--doubt-wash); color: var(--doubt); border-radius: 6px; padding: 0.35rem 0.9rem; margin: 0.7rem 0 0; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.25rem 0.75rem; z-index: 1; }
section { margin-top: 1.1rem; }
section > h2 { margin-bottom: 0.35rem; }
.fold { border-top: 1px solid var(--line); padding-top: 0.4rem; }
section:has(> .fold) + section:has(> .fold) { margin-top: 0.4rem; }
.fold h2 { font-size: 1rem; }
.fold > summary { display: flex; align-items: baseline; gap: 0.6rem; }
.fold > summary::before { content: "▸"; color: var(--soft); width: 0.7em; }
.fold[open] > summary::before { content: "▾"; }
.fold > summary .note { margin: 0; }
.failure { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; margin: 0 0 0.3rem; padding: 0 0.9rem; }
.failure:is(.advised, .waived) { border-left-color: var(--doubt); }
.failure > summary { display: flex; align-items: baseline; gap: 0.6rem; padding: 0.2rem 0; }
.failure > summary::before { content: "▸"; color: var(--soft); }
.failure[open] > summary::before { content: "▾"; }
.failure[open] { padding-bottom: 0.9rem; }
.failure h3 { font-size: 0.94rem; font-weight: 500; flex: 1; }
.failure[open] h3 { font-weight: 600; }
.extent, .where { color: var(--soft); font-size: 0.84rem; white-space: nowrap; }
.requirement { margin: 0.25rem 0 0; max-width: 90ch; }
.source { margin: 0.1rem 0 0.75rem; color: var(--soft); font-size: 0.86rem; overflow-wrap: anywhere; }
.failure .label { margin-top: 0.75rem; }
.effects { margin-top: 0.9rem; font-size: 0.92rem; }
.effects li { padding: 0.2rem 0; overflow-wrap: anywhere; }
.matrix td { padding: 0.15rem 0.2rem; }
.matrix td:empty { background: color-mix(in srgb, var(--line) 22%, transparent); }
.matrix tbody th { white-space: nowrap; padding: 0.3rem 0.6rem; vertical-align: middle; }
.matrix button { width: 100%; min-height: 26px; border: 0; border-radius: 5px; padding: 0.15rem 0.4rem; font-size: 0.84rem; white-space: nowrap; font-variant-numeric: tabular-nums; cursor: pointer; }
.matrix button:hover { text-decoration: underline; }
.matrix .family { display: none; }
.matrix .passed { background: var(--good-wash); color: var(--good); }
.matrix .partly { background: var(--doubt-wash); color: var(--doubt); }
.matrix .failed { background: var(--bad-wash); color: var(--bad); font-weight: 600; }
.detail { width: min(76rem, 100vw - 2rem); max-height: min(40rem, 100vh - 4rem); overflow: auto; background: var(--card); color: var(--ink); border: 1px solid var(--line); border-radius: 8px; padding: 0 1.25rem 1rem; box-shadow: 0 1rem 3rem rgb(0 0 0 / 30%); }
.detail::backdrop { background: rgb(0 0 0 / 25%); }
.bar { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; position: sticky; top: 0; background: var(--card); padding: 0.8rem 0 0.5rem; border-bottom: 1px solid var(--line); }
.bar button { border: 1px solid var(--line); border-radius: 5px; background: none; padding: 0.15rem 0.7rem; cursor: pointer; }
.detail ul { list-style: none; margin: 0; padding: 0; }
.detail li { padding: 0.45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.word { font-size: 0.8rem; font-weight: 600; margin-right: 0.25rem; }
li.passed .word { color: var(--good); }
li.failed .word { color: var(--bad); }
li:is(.not-tested, .waived, .advised) .word, li em { color: var(--doubt); }
.reason { padding: 0.2rem 0; }
.reason ul { columns: 22rem; margin: 0.5rem 0; padding-left: 1.2rem; }
@media (max-width: 46rem) {
  .failure > summary { flex-wrap: wrap; }
  .failure h3 { flex-basis: 70%; }
  .extent { margin-left: 1.3rem; }
  .matrix td { padding: 0.15rem 0.6rem; }
  .matrix td:empty { display: none; }
  .matrix .family { display: inline; color: var(--ink); font-weight: 400; }
  .matrix button { display: flex; justify-content: space-between; gap: 1rem; }
  .detail { padding: 0 0.8rem 0.8rem; }
}
@media print {
  .skip { display: none; }
  .failure { padding-bottom: 0.9rem; }
  .matrix { font-size: 7pt; }
  .matrix th { padding: 0.3rem 0.2rem; font-size: 7pt; }
  .matrix button { padding: 0.15rem; font-size: 7pt; white-space: normal; }
}
`;
